import { type Client, type ConnectOptions, connect, McpError } from '../../src/index.ts'
import { type DemoServer, demoServer } from '../../src/testing/index.ts'
import type { Random } from '../faults/random.ts'
import { alive, child } from '../support/child-servers.ts'

export type Kind = 'stdio' | 'http' | 'memory'

/** How calls ended. `fault` is what must not be. */
export type Tally = Record<'resolved' | 'not-run' | 'answered' | 'unknown' | 'aborted' | 'fault', number>

const TIMEOUT_MS = 5_000
/** A promise of the client has settled by then, whatever happened. */
const HANG_MS = 40_000
const STDIO = child(`modern(); legacy();
on('tools/list', () => ({ resultType: 'complete', tools: [{ name: 'echo', inputSchema: { type: 'object' } }], ttlMs: 0, cacheScope: 'private' }));
tools((message) => ({ resultType: 'complete', ...text(message.params.name === 'pid' ? process.pid : message.params.arguments.message) }));`)
const GIVEN_UP = new Error('given up')

/** One connection of the soak: it calls, its server dies now and then, and a client that is closed by that is replaced. */
export class Member {
  readonly kind: Kind
  readonly faults: string[] = []
  readonly pids: number[] = []
  reconnects = 0
  deaths = 0
  readonly #url: string
  readonly #dice: Random
  readonly #tally: Tally
  #client: Client | undefined
  #demo: DemoServer | undefined

  constructor(kind: Kind, url: string, dice: Random, tally: Tally) {
    this.kind = kind
    this.#url = url
    this.#dice = dice
    this.#tally = tally
  }

  async open(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        this.#client = await connect(this.#target(), this.#options())
        break
      } catch (error) {
        // Its server may be between death and life.
        if (attempt === 20) throw error
        await new Promise((resolve) => setTimeout(resolve, 50 * (attempt + 1)))
      }
    }
    if (this.kind === 'stdio') await this.#learnPid()
  }

  /** One call, or what else a host does with a connection. */
  async work(): Promise<void> {
    const client = this.#client
    if (client === undefined || client.state === 'closed') return this.#again()
    const roll = this.#dice.next()
    if (roll < 0.05) await this.#settled(client.listTools())
    else if (roll < 0.1 && this.kind !== 'stdio')
      await this.#settled(client.callTool('slow', { steps: 3, delayMs: 3 }, { onProgress() {} }))
    else if (roll < 0.13) await this.#givenUp(client)
    else await this.#settled(client.callTool('echo', { message: 'm'.repeat(1 + this.#dice.int(200)) }))
  }

  /** The server dies as servers do: without a word. Those of HTTP die in their own process. */
  die(): void {
    if (this.kind === 'http') return
    this.deaths++
    const pid = this.pids.at(-1)
    if (this.kind === 'memory') void this.#demo?.close()
    else if (pid !== undefined && alive(pid)) process.kill(pid, 'SIGKILL')
  }

  async close(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await client?.close()
    await this.#demo?.close()
  }

  async #again(): Promise<void> {
    this.reconnects++
    await this.close()
    await this.open()
  }

  #target(): string | string[] | DemoServer {
    if (this.kind === 'http') return this.#url
    if (this.kind === 'stdio') return STDIO
    this.#demo = demoServer({ era: this.#dice.chance(0.5) ? 'legacy' : 'modern' })
    return this.#demo
  }

  #options(): ConnectOptions {
    const common = { timeoutMs: TIMEOUT_MS, connectTimeoutMs: 15_000, logger: false } as const
    if (this.kind === 'stdio') return { ...common, restart: true, retryBackoffMs: 50, shutdownGraceMs: 500 }
    return this.kind === 'http' ? { ...common, retryBackoffMs: 50 } : common
  }

  /** A process that was started again has another one; the newest is the one to kill. */
  async #learnPid(): Promise<void> {
    const told = await this.#client?.callTool('pid', {}).catch(() => undefined)
    const pid = Number(told?.text)
    if (Number.isSafeInteger(pid) && pid > 0 && !this.pids.includes(pid)) this.pids.push(pid)
  }

  async #givenUp(client: Client): Promise<void> {
    const controller = new AbortController()
    const call = this.#settled(client.callTool('echo', { message: 'never mind' }, { signal: controller.signal }))
    controller.abort(GIVEN_UP)
    await call
  }

  async #settled(promise: Promise<unknown>): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const hang = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`a promise of ${this.kind} hangs`)), HANG_MS)
    })
    try {
      await Promise.race([promise, hang])
      this.#tally.resolved++
    } catch (error) {
      if (error === GIVEN_UP) this.#tally.aborted++
      else if (error instanceof McpError && error.outcome !== undefined) this.#tally[error.outcome]++
      else this.#fault(error)
      if (this.kind === 'stdio' && error !== GIVEN_UP) await this.#learnPid()
    } finally {
      clearTimeout(timer)
    }
  }

  #fault(error: unknown): void {
    this.#tally.fault++
    if (this.faults.length < 5) this.faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}
