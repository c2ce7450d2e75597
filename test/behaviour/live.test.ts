import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Client, type ConnectOptions, connect, type MessageListener, type ResourceUpdate } from '../../src/index.ts'
import { type DemoServer, demoServer, type HttpServing } from '../../src/testing/index.ts'
import { httpTransport } from '../../src/transport/http/http-node.ts'
import { memoryTransport } from '../../src/transport/memory.ts'
import { stdioTransport } from '../../src/transport/stdio/stdio.ts'
import type { Transport } from '../../src/transport/transport.ts'
import { clientSchema, schemasMissing } from '../support/client-schema.ts'
import type { Message } from '../support/fake-server.ts'
import { streamableHttpTransport } from '../support/http-target.ts'
import { type Crossed, recording } from '../support/recording-transport.ts'
import { rejection, until } from '../support/settled.ts'
import { serveSse } from '../support/sse-front.ts'

/** `sse` is HTTP+SSE, the transport that came before Streamable HTTP with its `http-json` and `http-sse`. */
type Kind = 'memory' | 'stdio' | 'http-json' | 'http-sse' | 'sse'
const KINDS: readonly Kind[] = ['memory', 'stdio', 'http-json', 'http-sse', 'sse']
const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const
const CELLS = KINDS.flatMap((kind) =>
  REVISIONS.filter((revision) => {
    if (kind === 'sse') return revision !== '2026-07-28'
    return !kind.startsWith('http') || revision !== '2024-11-05'
  }).map((revision) => [kind, revision] as const),
)
const CLOCK = 'demo://clock'

const LEVEL = 'warning'

interface Live {
  readonly client: Client
  readonly crossed: Crossed[]
  /** Changes the clock and the list of tools. */
  change(): void
  sent(method: string): Message[]
}

const over: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of over.splice(0).reverse()) await end()
})

async function live(kind: Kind, revision: string, options: ConnectOptions = {}): Promise<Live> {
  let pid = 0
  const server: DemoServer = demoServer({ versions: [revision] })
  over.push(() => server.close())
  const transport = async (): Promise<Transport> => {
    if (kind === 'memory') return memoryTransport(server)
    if (kind === 'stdio') {
      const args = ['--import', 'tsx', 'test/support/live-stdio.ts', revision]
      const stderr = (line: string): void => {
        if (line.startsWith('pid ')) pid = Number(line.slice(4))
      }
      return stdioTransport({ command: process.execPath, args, stderr })
    }
    if (kind === 'sse') {
      const front = await serveSse(server)
      over.push(() => front.close())
      return httpTransport({ url: front.url }, 'sse')
    }
    const serving: HttpServing = await server.serveHttp({ replies: kind === 'http-json' ? 'json' : 'sse' })
    return streamableHttpTransport(serving.url)
  }
  const recorded = recording(await transport())
  const client = await connect(recorded.transport, { logger: false, probeTimeoutMs: 15_000, ...options })
  over.push(() => client.close())
  return {
    client,
    crossed: recorded.crossed,
    change() {
      if (kind === 'stdio') process.kill(pid, 'SIGUSR2')
      else {
        server.tick()
        server.announce('tools')
      }
    },
    sent: (method) =>
      recorded.crossed.filter(({ direction, message }) => direction === 'sent' && message.method === method).map(({ message }) => message),
  }
}

describe.each(CELLS)('what a server tells unasked over %s in %s', (kind, revision) => {
  const modern = revision === '2026-07-28'

  it('reaches listeners, subscriptions and loops, and is asked for as the revision has it', { timeout: 30_000 }, async ({ skip }) => {
    const { client, crossed, change, sent } = await live(kind, revision)
    const lists: string[] = []
    const updates: string[] = []
    const stop = client.on('toolsChanged', () => lists.push('tools'))
    client.on('resourceUpdated', ({ uri }) => updates.push(uri))
    await client.subscribe(CLOCK)
    const looped: ResourceUpdate[] = []
    const loop = (async () => {
      for await (const update of client.watch(CLOCK)) {
        looped.push(update)
        if (looped.length === 2) break
      }
    })()
    // The server has opened its stream, or taken the request for it, when it answers what is sent behind it.
    await until(() => !modern || sent('subscriptions/listen').length > 0)
    await client.ping()
    await until(() => {
      if (lists.length === 0) change()
      return lists.length > 0 && looped.length > 0
    }, 'the first change')
    expect(updates[0]).toBe(CLOCK)
    await until(() => {
      if (looped.length < 2) change()
      return looped.length === 2
    }, 'the second change')
    await loop
    expect(looped).toEqual([{ uri: CLOCK }, { uri: CLOCK }])

    stop()
    await client.unsubscribe(CLOCK)
    if (modern) {
      const filters = sent('subscriptions/listen').map(({ params }) => (params as Message).notifications)
      expect(filters[0]).toEqual({ toolsListChanged: true, resourceSubscriptions: [CLOCK] })
      expect(sent('resources/subscribe')).toEqual([])
      await until(() => kind.startsWith('http') || sent('notifications/cancelled').length === filters.length, 'the end of each stream')
    } else {
      expect(sent('resources/subscribe').map(({ params }) => params)).toEqual([{ uri: CLOCK }])
      expect(sent('resources/unsubscribe').map(({ params }) => params)).toEqual([{ uri: CLOCK }])
    }
    const before = updates.length
    change()
    await client.ping()
    expect(updates).toHaveLength(before)

    if (schemasMissing !== undefined) skip(schemasMissing)
    const check = clientSchema(revision)
    for (const { direction, message } of crossed) {
      if (direction !== 'sent' || message.method === 'server/discover') continue
      expect(check(message), JSON.stringify(message)).toEqual([])
    }
  })

  it('is refused for a resource that it does not tell of, with nothing left behind', async () => {
    const { client, sent } = await live(kind, revision)
    const error = await rejection(client.subscribe('demo://nothing'))
    expect(error).toMatchObject(modern ? { code: 'ERR_MCP_UNSUPPORTED' } : { rpcCode: -32002 })
    const looped = await rejection(client.watch('demo://nothing').next())
    expect(looped).toMatchObject(modern ? { code: 'ERR_MCP_UNSUPPORTED' } : { rpcCode: -32002 })
    await client.subscribe(CLOCK)
    if (modern) {
      const last = sent('subscriptions/listen').at(-1)?.params as Message
      expect(last.notifications).toEqual({ resourceSubscriptions: [CLOCK] })
    }
  })
})

describe.each([
  ['stdio', '2026-07-28'],
  ['stdio', '2025-11-25'],
  ['sse', '2024-11-05'],
] as const)('a listener of all messages over %s in %s', (kind, revision) => {
  it('sees what crosses, both ways, with what is told unasked', async () => {
    const seen: string[] = []
    const onMessage: MessageListener['onMessage'] = (message, direction, { server }) => {
      const what = 'method' in message ? message.method : `answer ${String(message.id)}`
      seen.push(`${direction} ${what} ${server}`)
    }
    const { client, change } = await live(kind, revision, { name: 'heard', interceptors: [{ onMessage }] })
    const opening = revision === '2026-07-28' ? 'server/discover' : 'initialize'
    expect(seen[0]).toBe(`sent ${opening} heard`)
    expect(seen[1]).toMatch(/^received answer \S+ heard$/)
    await client.subscribe(CLOCK)
    change()
    await until(() => seen.includes('received notifications/resources/updated heard'), 'the change')
    const before = seen.length
    await client.callTool('echo', { message: 'm' })
    const own = seen.slice(before).filter((each) => !each.includes('notifications/'))
    expect(own).toEqual(['sent tools/call heard', expect.stringMatching(/^received answer \S+ heard$/)])
  })
})

describe.each(['2026-07-28', '2025-11-25'])('after a recovery in %s', (revision) => {
  /** Everything that wants to hear, and what it heard. */
  async function hearing(client: Client) {
    const heard: string[] = []
    client.on('toolsChanged', () => heard.push('tools'))
    client.on('resourceUpdated', ({ uri }) => heard.push(uri))
    const looped = client.watch('demo://text').next()
    await Promise.all([client.subscribe(CLOCK), client.subscribe('demo://text')])
    await client.setLogLevel(LEVEL)
    return { heard, looped }
  }

  it('subscriptions, loops, listeners and the log level are back when a process was started again', { timeout: 30_000 }, async () => {
    let pid = 0
    const stderr = (line: string): void => {
      if (line.startsWith('pid ')) pid = Number(line.slice(4))
    }
    const command = [process.execPath, '--import', 'tsx', 'test/support/live-stdio.ts', revision]
    const client = await connect(command, { logger: false, probeTimeoutMs: 15_000, restart: true, retryBackoffMs: 10, stderr })
    over.push(() => client.close())
    const { heard, looped } = await hearing(client)
    await until(() => pid > 0)
    const first = pid
    process.kill(first, 'SIGKILL')
    // Anything may have changed meanwhile, so all are told.
    await until(() => heard.includes('tools') && heard.includes(CLOCK), 'the news of the gap', 20_000)
    expect(pid).not.toBe(first)
    expect(await looped).toEqual({ value: { uri: 'demo://text' }, done: false })
    heard.length = 0
    process.kill(pid, 'SIGUSR2')
    await until(() => heard.includes('tools') && heard.includes(CLOCK), 'a change after the recovery')
    const lines: unknown[] = []
    client.on('log', ({ level }) => lines.push(level))
    await client.callTool('log', { level: 'info' })
    await client.callTool('log', { level: LEVEL })
    await until(() => lines.length > 0)
    expect(new Set(lines)).toEqual(new Set([LEVEL]))
  })

  it('they are back when an HTTP server has forgotten everything, without a call that needs it', { timeout: 30_000 }, async () => {
    const before = demoServer({ versions: [revision] })
    const { url, close } = await before.serveHttp()
    const client = await connect(url, { logger: false, retryBackoffMs: 200 })
    over.push(() => client.close())
    const { heard, looped } = await hearing(client)
    await close()
    await before.close()
    const after = demoServer({ versions: [revision] })
    over.push(() => after.close())
    await after.serveHttp({ port: Number(new URL(url).port) })
    await until(() => heard.includes('tools') && heard.includes(CLOCK), 'the news of the gap', 20_000)
    expect(await looped).toEqual({ value: { uri: 'demo://text' }, done: false })
    heard.length = 0
    after.tick()
    after.announce('tools')
    await until(() => heard.includes('tools') && heard.includes(CLOCK), 'a change after the recovery')
  })
})

describe('a stream of changes that is refused with 401', () => {
  it('costs no call, and is asked for again by the first call 30 seconds later', async () => {
    const server = demoServer({ versions: ['2026-07-28'] })
    over.push(() => server.close())
    const { url } = await server.serveHttp()
    let refuses = true
    let asked = 0
    const gate: typeof fetch = async (input, init) => {
      if (!String(init?.body).includes('subscriptions/listen')) return fetch(input, init)
      asked++
      return refuses ? new Response('log in first', { status: 401 }) : fetch(input, init)
    }
    const client = await connect(url, { logger: false, fetch: gate, retryBackoffMs: 1 })
    over.push(() => client.close())
    const errors: unknown[] = []
    let changes = 0
    client.on('error', (error) => errors.push(error))
    client.on('toolsChanged', () => changes++)
    await until(() => errors.length === 1, 'the refusal')
    expect(errors[0]).toMatchObject({ code: 'ERR_MCP_HTTP', status: 401 })
    refuses = false
    for (let n = 0; n < 3; n++) await client.ping()
    expect(asked).toBe(1)
    const later = performance.now.bind(performance)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => later() + 31_000)
    over.push(async () => clock.mockRestore())
    await client.ping()
    await until(() => {
      server.announce('tools')
      return changes > 0
    }, 'a change')
    expect(asked).toBe(2)
  })
})

describe('a lazy server', () => {
  it('is not started by a listener, but by a subscription, and then both hear', async () => {
    const server = demoServer()
    over.push(() => server.close())
    const client = await connect(server, { logger: false, lazy: true })
    over.push(() => client.close())
    const heard: string[] = []
    client.on('toolsChanged', () => heard.push('tools'))
    client.on('resourceUpdated', ({ uri }) => heard.push(uri))
    expect(client.state).toBe('idle')
    await client.subscribe(CLOCK)
    server.announce('tools')
    server.tick()
    await until(() => heard.length === 2)
    expect(heard).toEqual(['tools', CLOCK])
  })
})
