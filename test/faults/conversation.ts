import { getEventListeners } from 'node:events'
import { type Client, type ConnectOptions, connect } from '../../src/index.ts'
import { callKey } from './call-key.ts'
import { countingHttp } from './counting-http.ts'
import { CountingServer } from './counting-server.ts'
import { countingSse } from './counting-sse.ts'
import { Faults } from './faulty-stream.ts'
import type { Plan, Way } from './plan.ts'
import type { StdioFront } from './stdio-front.ts'
import { type Lateness, type Step, step } from './steps.ts'
import { tcpProxy } from './tcp-proxy.ts'

export const TIMEOUT_MS = 300
const GIVEN_UP = new Error('the caller gave up')
/** How long a killed server takes no connection. */
const DEAD_MS = 60
/** What a socket or a process may need to be seen gone after `close`, before lateness. */
const GONE_MS = 400

/** Everything that is known of one conversation when it is over. */
export interface Report {
  readonly plan: Plan
  readonly steps: readonly Step[]
  readonly counting: CountingServer
  readonly faults: Faults
  /** The reason of the caller's abort. */
  readonly givenUp: Error
  /** Sentences about what was left behind. */
  readonly left: readonly string[]
}

export interface Surroundings {
  readonly stdio: StdioFront
  readonly lateness: Lateness
}

interface Reached {
  readonly target: string | readonly [string, ...string[]]
  readonly options: ConnectOptions
  /** Ends of the client that are still there. */
  left(): string[]
  close(): Promise<void>
}

/** Connects, lists, calls three at once and one after them, and closes, while the plan's faults happen. */
export async function converse(plan: Plan, surroundings: Surroundings): Promise<Report> {
  const counting = new CountingServer(plan.scenario.era)
  let kill = (): void => {}
  let forget = (): void => {}
  const faults = new Faults(plan.faults, (kind) => (kind === 'kill' ? kill() : forget()))
  const reached = plan.scenario.way === 'stdio' ? overStdio() : await overHttp(plan.scenario.way)

  function overStdio(): Reached {
    const target = surroundings.stdio.target(counting, faults, plan.deaf)
    kill = target.kill
    return {
      target: target.command,
      options: { restart: plan.restart, shutdownGraceMs: 150 },
      left: () => target.pids.filter(alive).map((pid) => `the process ${pid}`),
      close: async () => target.close(),
    }
  }

  async function overHttp(replies: Exclude<Way, 'stdio'>): Promise<Reached> {
    const http = await (replies === 'http+sse' ? countingSse(counting) : countingHttp(counting, replies))
    const proxy = await tcpProxy(http.port, faults)
    kill = () => proxy.kill(DEAD_MS)
    forget = () => http.forget()
    return {
      target: `http://127.0.0.1:${proxy.port}/${replies === 'http+sse' ? 'sse' : 'mcp'}`,
      options: {},
      left: () => (proxy.open === 0 ? [] : [`${proxy.open} sockets`]),
      async close() {
        await proxy.close()
        await http.close()
      },
    }
  }

  const steps: Step[] = []
  const signals: AbortSignal[] = []
  await talk(plan, reached, steps, signals, surroundings.lateness)
  const left = await leftBehind(reached, signals, surroundings.lateness)
  await reached.close()
  faults.close()
  counting.close()
  return { plan, steps, counting, faults, givenUp: GIVEN_UP, left }
}

async function talk(plan: Plan, { target, options }: Reached, steps: Step[], signals: AbortSignal[], lateness: Lateness): Promise<void> {
  const onStdio = plan.scenario.way === 'stdio'
  // A process has to be started, perhaps twice.
  const connectTimeoutMs = onStdio ? 2_500 : 1_200
  const opening = new AbortController()
  signals.push(opening.signal)
  const opened = connect(target, {
    timeoutMs: TIMEOUT_MS,
    connectTimeoutMs,
    probeTimeoutMs: 200,
    retries: 2,
    retryBackoffMs: 10,
    resend: 'never',
    logger: false,
    signal: opening.signal,
    ...options,
  })
  // Ending a process that does not want to takes three times the grace.
  const ending = onStdio ? 600 : 0
  const connected = await step('connect', opened, connectTimeoutMs + ending, lateness)
  steps.push(connected)
  if (connected.end !== 'resolved') {
    // The one who hangs is ended all the same.
    opened.then((late) => late.close()).catch(() => {})
    return
  }
  const client = await opened
  // A leg, two more of a request that may be repeated, and the wait for a new link before one of them.
  const callBound = 4 * TIMEOUT_MS
  const call = (name: string, options: Parameters<Client['callTool']>[2], ms = 0): Promise<Step> => {
    const key = callKey(`${plan.index}-${name}`)
    const resend = plan.repeats ? 'always' : 'never'
    return step(`call ${name}`, client.callTool('once', ms === 0 ? { key } : { key, ms }, { ...options, resend }), callBound, lateness, key)
  }
  try {
    steps.push(await step('list', client.listTools(), callBound, lateness))
    const giving = new AbortController()
    signals.push(giving.signal)
    setTimeout(() => giving.abort(GIVEN_UP), 25)
    const atOnce = [call('plain', {}), call('progress', { onProgress() {} }, 15), call('given-up', { signal: giving.signal }, 60)]
    steps.push(...(await Promise.all(atOnce)))
    steps.push(await call('after', {}))
  } finally {
    // A goodbye to the server has a time of its own.
    steps.push(await step('close', client.close(), 1_500 + ending, lateness))
    opening.abort()
  }
}

/** What is still there a moment after the client was closed. */
async function leftBehind(reached: Reached, signals: readonly AbortSignal[], lateness: Lateness): Promise<string[]> {
  const [began, late] = [performance.now(), lateness.total]
  let left = reached.left()
  while (left.length > 0 && performance.now() - began < GONE_MS + 2 * (lateness.total - late)) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    left = reached.left()
  }
  for (const signal of signals) {
    const listeners = getEventListeners(signal, 'abort').length
    if (listeners > 0) left.push(`${listeners} listeners on a signal of the caller`)
  }
  return left
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
