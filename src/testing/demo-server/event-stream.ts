import type { ServerResponse } from 'node:http'
import type { JSONRPCMessage } from '../../jsonrpc/message.ts'
import { MAX_REPLAY_EVENTS, MAX_UNREAD_BYTES } from './limits.ts'

/** Milliseconds after which a reader may come back. */
const RETRY_MS = 50

/** One stream of server-sent events. With an id its events are kept, for a reader who comes late or comes back. */
export class EventStream {
  readonly #id: string | undefined
  readonly #kept: { readonly number: number; readonly text: string }[] = []
  #last = 0
  #written = 0
  #reader: ServerResponse | undefined
  #ended = false

  constructor(id?: string) {
    this.#id = id
  }

  get ended(): boolean {
    return this.#ended
  }

  /** The reader gets what it has not got yet: after the event `after`, or what was never written. `prime` tells it the stream's id first. */
  attach(
    reader: ServerResponse,
    headers: Readonly<Record<string, string>>,
    { after, prime = false }: { after?: number; prime?: boolean } = {},
  ): void {
    this.#reader?.end()
    this.#reader = reader
    reader.on('close', () => {
      if (this.#reader === reader) this.#reader = undefined
    })
    reader.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', ...headers })
    reader.flushHeaders()
    if (prime) reader.write(`id: ${this.#id}-${after ?? this.#written}\nretry: ${RETRY_MS}\ndata: \n\n`)
    for (const { number, text } of this.#kept) if (number > (after ?? this.#written)) reader.write(text)
    this.#written = this.#last
    if (this.#ended) reader.end()
  }

  send(message: JSONRPCMessage): void {
    const number = ++this.#last
    const id = this.#id === undefined ? '' : `id: ${this.#id}-${number}\n`
    const text = `${id}event: message\ndata: ${JSON.stringify(message)}\n\n`
    if (this.#id !== undefined) this.#kept.push({ number, text })
    if (this.#kept.length > MAX_REPLAY_EVENTS) this.#kept.shift()
    if (this.#reader === undefined) return
    this.#reader.write(text)
    this.#written = number
    if (this.#reader.writableLength > MAX_UNREAD_BYTES) this.#reader.destroy()
  }

  end(): void {
    this.#ended = true
    this.#reader?.end()
  }
}
