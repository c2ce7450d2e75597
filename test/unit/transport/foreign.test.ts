import { describe, expect, it, vi } from 'vitest'
import { connect } from '../../../src/connect.ts'
import type { ConnectOptions } from '../../../src/connect-options.ts'
import { ConnectionError, TimeoutError, UnsupportedError } from '../../../src/errors.ts'
import type { ForeignTransport } from '../../../src/transport/foreign.ts'
import { memoryTransport } from '../../../src/transport/memory.ts'
import { connected } from '../../support/connected.ts'
import { type FakeServer, legacyServer, modernServer, SILENCE, TEXT_RESULT } from '../../support/fake-server.ts'
import { recordingLogger } from '../../support/loggers.ts'
import { rejection, until } from '../../support/settled.ts'

const QUIET: ConnectOptions = { logger: false }

/** In the shape of the official SDK's in-memory transport: messages are objects, callbacks are properties, a start is wanted once. */
class InMemory implements ForeignTransport {
  onmessage?: (message: never, extra?: never) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  started = 0
  closed = 0
  /** What sending fails with. */
  failure: unknown
  #session: ReturnType<FakeServer['connect']> | undefined
  readonly #server: FakeServer

  constructor(server: FakeServer) {
    this.#server = server
  }

  async start(): Promise<void> {
    if (this.started++ > 0) throw new Error('already started')
    this.#session = this.#server.connect(
      (line) => queueMicrotask(() => this.onmessage?.(JSON.parse(line) as never)),
      () => this.onclose?.(),
    )
  }

  async send(message: unknown): Promise<void> {
    if (this.failure !== undefined) throw this.failure
    queueMicrotask(() => this.#session?.receive(JSON.stringify(message)))
  }

  async close(): Promise<void> {
    this.closed++
    this.#session?.close()
    this.onclose?.()
  }
}

/** The same as the SDK's HTTP transports are: told the version once, with a session. */
class OverHttp extends InMemory {
  sessionId?: string
  readonly versions: string[] = []

  setProtocolVersion(version: string): void {
    this.versions.push(version)
    this.sessionId = 'abc'
  }
}

const withTools = { 'tools/call': () => TEXT_RESULT }

describe('a transport in the shape of the official SDK', () => {
  it('that is a pipe carries every revision', async () => {
    const old = await connected(new InMemory(legacyServer(withTools)))
    expect(old).toMatchObject({ transport: 'custom', protocolVersion: '2025-11-25', name: 'InMemory' })
    expect((await old.callTool('x')).text).toBe('done')
    const modern = await connected(new InMemory(modernServer(withTools)))
    expect(modern.protocolVersion).toBe('2026-07-28')
    expect((await modern.callTool('x')).text).toBe('done')
  })

  it('that is told the version once cannot carry headers per request, so only the handshake is spoken', async () => {
    const server = legacyServer()
    const transport = new OverHttp(server)
    const client = await connected(transport)
    expect(client.protocolVersion).toBe('2025-11-25')
    expect(transport.versions).toEqual(['2025-11-25'])
    expect(server.calls('server/discover')).toEqual([])
    const pinned = new OverHttp(modernServer())
    expect(await rejection(connect(pinned, { ...QUIET, era: 'modern' }))).toBeInstanceOf(UnsupportedError)
    expect(pinned.started).toBe(0)
    const made = new OverHttp(modernServer())
    expect(await rejection(connect(() => made, { ...QUIET, era: 'modern' }))).toBeInstanceOf(UnsupportedError)
    expect(made.closed).toBe(1)
  })

  it('carries questions of the server, and answers to them', async () => {
    const server = legacyServer()
    await connected(new InMemory(server), { roots: [{ uri: 'file:///a' }] })
    server.send({ jsonrpc: '2.0', id: 'q', method: 'roots/list' })
    await until(() => server.received.some(({ id, result }) => id === 'q' && result !== undefined), 'the answer came')
  })

  it('is started once, closed once, and its own callbacks still hear', async () => {
    const heard: string[] = []
    const transport = new InMemory(legacyServer())
    transport.onclose = () => heard.push('close')
    transport.onerror = (error) => heard.push(error.message)
    const client = await connected(transport)
    transport.onerror(new Error('odd'))
    await client.close()
    await client.close()
    expect(transport).toMatchObject({ started: 1, closed: 1 })
    expect(heard).toEqual(['odd', 'close'])
  })

  it('that cannot be started, or is not in time, is closed', async () => {
    const transport = new InMemory(legacyServer())
    await transport.start()
    expect(await rejection(connect(transport, QUIET))).toMatchObject({
      code: 'ERR_MCP_CONNECTION',
      outcome: 'not-run',
      message: expect.stringContaining('already started'),
    })
    expect(transport.closed).toBe(1)
    const slow = new InMemory(legacyServer())
    slow.start = () => new Promise(() => {})
    expect(await rejection(connect(slow, { ...QUIET, connectTimeoutMs: 30 }))).toBeInstanceOf(TimeoutError)
    expect(slow.closed).toBe(1)
    expect(await rejection(connect(() => new Promise<never>(() => {}), { ...QUIET, connectTimeoutMs: 30 }))).toBeInstanceOf(TimeoutError)
  })

  it('that fails to send leaves the outcome unknown, and the next call may work', async () => {
    const server = legacyServer(withTools)
    const transport = new InMemory(server)
    const client = await connected(transport)
    for (const failure of [new Error('pipe\u001b[31m broke'), new TypeError('fetch failed'), 'text']) {
      transport.failure = failure
      const error = await rejection(client.callTool('x'))
      expect(error).toMatchObject({ code: 'ERR_MCP_CONNECTION', outcome: 'unknown', method: 'tools/call', cause: failure })
      expect((error as Error).message).not.toContain('\u001b')
    }
    transport.failure = undefined
    expect((await client.callTool('x')).text).toBe('done')
    expect(server.calls('tools/call')).toHaveLength(1)
  })
})

describe('after a loss', () => {
  it('an object is closed, and says so on each call', async () => {
    const server = legacyServer({ 'tools/call': () => SILENCE })
    const client = await connected(new InMemory(server))
    const running = rejection(client.callTool('x'))
    await until(() => server.calls('tools/call').length === 1)
    server.hangUp()
    expect(await running).toMatchObject({ code: 'ERR_MCP_CONNECTION', reason: { kind: 'stream' }, outcome: 'unknown' })
    expect(client.state).toBe('closed')
    expect(await rejection(client.callTool('x'))).toMatchObject({ code: 'ERR_MCP_CONNECTION', outcome: 'not-run' })
    expect(server.opened).toBe(1)
  })

  it('a function makes another', async () => {
    const server = legacyServer(withTools)
    const made: InMemory[] = []
    const client = await connected(async () => {
      const transport = new InMemory(server)
      made.push(transport)
      return transport
    })
    server.hangUp()
    expect((await client.callTool('x')).text).toBe('done')
    expect(made).toHaveLength(2)
    expect(server.calls('initialize')).toHaveLength(2)
  })

  it('of its session a function makes another too, and the call that was refused is sent again', async () => {
    const server = legacyServer(withTools)
    const made: OverHttp[] = []
    const client = await connected(() => {
      const transport = new OverHttp(server)
      made.push(transport)
      return transport
    })
    const [first] = made
    if (first !== undefined) first.failure = Object.assign(new Error('HTTP 404: no such session'), { code: 404 })
    expect((await client.callTool('x')).text).toBe('done')
    expect(made).toHaveLength(2)
  })
})

describe('a server that ends at a request which it does not know', () => {
  const strict = (): FakeServer => {
    const server = legacyServer()
    server.methods['server/discover'] = () => server.hangUp()
    return server
  }

  it('is greeted in the old way by the next transport that a function makes', async () => {
    const server = strict()
    const client = await connected(() => new InMemory(server))
    expect(client.protocolVersion).toBe('2025-11-25')
    expect(server.opened).toBe(2)
  })

  it('is lost with an object, and the error says what to do', async () => {
    const error = await rejection(connect(new InMemory(strict()), QUIET))
    expect(error).toBeInstanceOf(ConnectionError)
    expect((error as Error).message).toMatch(/era: 'legacy'.*function/)
    expect((await connected(new InMemory(strict()), { era: 'legacy' })).protocolVersion).toBe('2025-11-25')
  })
})

describe('a transport that does not close', () => {
  it.each([
    ['never says so', () => new Promise<void>(() => {})],
    ['fails', () => Promise.reject(new Error('busy'))],
  ])('and %s is left behind: calls are rejected, and closing the client ends', async (_how, close) => {
    vi.useFakeTimers()
    try {
      const server = legacyServer({ 'tools/call': () => SILENCE })
      const transport = new InMemory(server)
      const logger = recordingLogger()
      const client = await connect(transport, { logger, era: 'legacy' })
      transport.close = close
      const call = rejection(client.callTool('x'))
      let closed = false
      const closing = client.close().then(() => {
        closed = true
      })
      await vi.advanceTimersByTimeAsync(2_000)
      expect(closed).toBe(true)
      await closing
      expect(await call).toMatchObject({ code: 'ERR_MCP_CONNECTION', outcome: 'unknown' })
      expect(logger.of('debug').join()).toMatch(/could not be closed in order/)
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a function', () => {
  it('may make a transport of ours', async () => {
    const server = modernServer()
    expect((await connected(() => memoryTransport(server))).protocolVersion).toBe('2026-07-28')
  })

  it('that throws, or makes something else, is told apart', async () => {
    const thrown = await rejection(
      connect(() => {
        throw new Error('no socket')
      }, QUIET),
    )
    expect(thrown).toMatchObject({ code: 'ERR_MCP_CONNECTION', outcome: 'not-run', message: expect.stringContaining('no socket') })
    for (const value of [undefined, 5, {}, { start() {} }]) {
      expect(await rejection(connect((() => value) as never, QUIET))).toBeInstanceOf(TypeError)
    }
  })

  it('takes no options of other transports', async () => {
    expect(await rejection(connect(new InMemory(legacyServer()), { headers: {} }))).toBeInstanceOf(TypeError)
    expect(await rejection(connect(() => new InMemory(legacyServer()), { transport: 'sse' }))).toBeInstanceOf(TypeError)
  })
})
