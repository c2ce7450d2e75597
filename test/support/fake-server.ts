import type { InProcessServer } from '../../src/transport/memory.ts'

export type Message = { readonly [key: string]: unknown }

export interface Ask {
  readonly id: unknown
  readonly params: Message
  /** Sends one message to the client. */
  send(message: unknown): void
}

/** What a fake server does with one method: a result, an error to send, or `SILENCE`. */
export type Answering = (ask: Ask) => unknown

export const SILENCE: unique symbol = Symbol('no answer')

/** The server answers with this JSON-RPC error. */
export class ServerError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message = 'refused', data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The parameters of a message; none are an empty object. */
export const paramsOf = (message: Message | undefined): Message => (message?.params ?? {}) as Message

export interface FakeServer extends InProcessServer {
  /** Everything that the client sent, over all conversations. */
  readonly received: Message[]
  /** The requests of one method, in order. */
  calls(method: string): Message[]
  /** How often a client connected, and how many conversations are open. */
  readonly opened: number
  readonly open: number
  /** Sends to the client of the newest conversation. */
  send(message: unknown): void
  /** Sends a text as it is. */
  raw(line: string): void
  /** Ends the newest conversation. */
  hangUp(): void
  /** Methods may be exchanged while it runs. */
  readonly methods: Record<string, Answering>
}

/** A server in this process whose answers are functions. A method that it does not have is answered with -32601. */
export function fakeServer(methods: Record<string, Answering>, name = 'fake'): FakeServer {
  const received: Message[] = []
  let opened = 0
  let open = 0
  let newest: { send(line: string): void; end(): void } | undefined
  const server: FakeServer = {
    name,
    received,
    methods,
    calls: (method) => received.filter((message) => message.method === method),
    get opened() {
      return opened
    },
    get open() {
      return open
    },
    send: (message) => newest?.send(JSON.stringify(message)),
    raw: (line) => newest?.send(line),
    hangUp: () => newest?.end(),
    connect(send, end) {
      opened++
      open++
      newest = { send, end }
      let closed = false
      const say = (message: unknown): void => {
        if (!closed) send(JSON.stringify(message))
      }
      const take = async (message: Message): Promise<void> => {
        const { method, id } = message
        if (typeof method !== 'string') return
        const answering = methods[method]
        const params = (message.params ?? {}) as Message
        if (id === undefined) {
          await answering?.({ id, params, send: say })
          return
        }
        if (answering === undefined) return say({ jsonrpc: '2.0', id, error: { code: -32601, message: `unknown method ${method}` } })
        try {
          const result = await answering({ id, params, send: say })
          if (result !== SILENCE) say({ jsonrpc: '2.0', id, result: result ?? {} })
        } catch (error) {
          if (!(error instanceof ServerError)) throw error
          say({
            jsonrpc: '2.0',
            id,
            error: { code: error.code, message: error.message, ...(error.data !== undefined && { data: error.data }) },
          })
        }
      }
      return {
        receive(line) {
          const message = JSON.parse(line) as Message
          received.push(message)
          void take(message)
        },
        close() {
          if (!closed) open--
          closed = true
        },
      }
    },
  }
  return server
}

const INFO = { name: 'fake', version: '1.0.0' }

/** A server with the handshake, for one old revision. */
export function legacyServer(
  methods: Record<string, Answering> = {},
  { version = '2025-11-25', capabilities = { tools: {}, prompts: {}, resources: {}, logging: {} } as object } = {},
): FakeServer {
  return fakeServer({
    initialize: () => ({ protocolVersion: version, capabilities, serverInfo: INFO }),
    'notifications/initialized': () => undefined,
    ping: () => ({}),
    ...methods,
  })
}

/** A server of 2026-07-28. */
export function modernServer(
  methods: Record<string, Answering> = {},
  { supportedVersions = ['2026-07-28'], capabilities = { tools: {}, prompts: {}, resources: {}, logging: {} } as object } = {},
): FakeServer {
  return fakeServer({
    'server/discover': () => ({
      resultType: 'complete',
      supportedVersions,
      capabilities,
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': INFO },
    }),
    ...methods,
  })
}

export const ERAS = [
  ['legacy', legacyServer],
  ['modern', modernServer],
] as const

export const TEXT_RESULT = { content: [{ type: 'text', text: 'done' }] }
