import type { InProcessServer, InProcessSession } from '../../../src/transport/memory.ts'
import { wireSchema } from './wire-schema.ts'

export type Message = Readonly<Record<string, unknown>>

export const MODERN = '2026-07-28'
export const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
export const PREFIX = 'io.modelcontextprotocol/'

interface RawClientOptions {
  readonly version: string
  readonly capabilities?: Message
  /** Answers a request of the server with the fields of a response. */
  readonly answer?: (request: Message) => Message
}

/** Speaks to a server by JSON texts and checks each one that comes against the specification's schema. */
export class RawClient {
  readonly received: Message[] = []
  readonly problems: string[] = []
  ended = false
  readonly #version: string
  readonly #capabilities: Message
  readonly #session: InProcessSession
  readonly #waiting = new Map<unknown, { method: string; resolve(message: Message): void }>()
  readonly #arrivals = new Set<() => void>()
  #lastId = 0

  constructor(server: InProcessServer, { version, capabilities = {}, answer }: RawClientOptions) {
    this.#version = version
    this.#capabilities = capabilities
    const check = wireSchema(version)
    this.#session = server.connect(
      (line) => {
        const message: Message = JSON.parse(line)
        this.received.push(message)
        const waiting = 'method' in message ? undefined : this.#waiting.get(message.id)
        this.problems.push(...check(message, waiting?.method))
        if ('method' in message && 'id' in message && answer) this.send({ jsonrpc: '2.0', id: message.id, ...answer(message) })
        waiting?.resolve(message)
        for (const arrival of [...this.#arrivals]) arrival()
      },
      () => {
        this.ended = true
      },
    )
  }

  send(message: unknown): void {
    this.#session.receive(JSON.stringify(message))
  }

  sendText(text: string): void {
    this.#session.receive(text)
  }

  /** The id of the request, so that it can be cancelled, and its response. */
  begin(method: string, params: Message = {}, meta: Message = {}): { id: number; response: Promise<Message> } {
    const id = ++this.#lastId
    const response = new Promise<Message>((resolve) => this.#waiting.set(id, { method, resolve }))
    const modern = { [`${PREFIX}protocolVersion`]: this.#version, [`${PREFIX}clientCapabilities`]: this.#capabilities }
    const _meta = { ...(this.#version === MODERN && modern), ...meta }
    this.send({ jsonrpc: '2.0', id, method, params: { ...params, ...(Object.keys(_meta).length > 0 && { _meta }) } })
    return { id, response }
  }

  request(method: string, params?: Message, meta?: Message): Promise<Message> {
    return this.begin(method, params, meta).response
  }

  call(name: string, args: Message = {}, meta?: Message): Promise<Message> {
    return this.request('tools/call', { name, arguments: args }, meta)
  }

  /** The handshake of the legacy era; nothing in the modern one. */
  async open(): Promise<this> {
    if (this.#version === MODERN) return this
    await this.request('initialize', {
      protocolVersion: this.#version,
      capabilities: this.#capabilities,
      clientInfo: { name: 'raw', version: '1' },
    })
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    return this
  }

  /** Resolves with the first message, come or to come, that fits. */
  until(fits: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.received.find(fits)
        if (found === undefined) return
        this.#arrivals.delete(look)
        resolve(found)
      }
      this.#arrivals.add(look)
      look()
    })
  }

  notifications(method: string): unknown[] {
    return this.received.filter((message) => message.method === `notifications/${method}`).map((message) => message.params)
  }

  close(): void {
    this.#session.close()
  }
}
