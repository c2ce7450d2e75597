import type { ServerResponse } from 'node:http'
import type { DemoCore } from './core.ts'
import { EventStream } from './event-stream.ts'
import { LegacyConversation } from './legacy.ts'
import { MAX_STREAMS } from './limits.ts'
import type { Channel } from './running-requests.ts'

/** One legacy HTTP session: the conversation, and its streams by id. */
export class HttpSession {
  readonly id: string = crypto.randomUUID()
  readonly conversation: LegacyConversation
  readonly aside: Channel
  readonly #own = new EventStream('0')
  readonly #streams = new Map<string, EventStream>([['0', this.#own]])
  #lastStream = 0

  constructor(core: DemoCore) {
    this.aside = { send: (message) => this.#own.send(message), settled() {} }
    this.conversation = new LegacyConversation(core, this.aside)
  }

  /** Begins the reply stream of a POST. */
  stream(response: ServerResponse, headers: Readonly<Record<string, string>>): EventStream {
    const id = String(++this.#lastStream)
    const stream = new EventStream(id)
    this.#streams.set(id, stream)
    for (const [oldest, { ended }] of this.#streams) {
      if (this.#streams.size <= MAX_STREAMS) break
      if (ended) this.#streams.delete(oldest)
    }
    stream.attach(response, headers, { prime: this.#primes })
    return stream
  }

  /** Answers a GET: the session's own stream, or the one that was read up to `lastEventId`. False when that is not known. */
  read(response: ServerResponse, lastEventId: string | undefined): boolean {
    const headers = { 'mcp-session-id': this.id }
    if (lastEventId === undefined) {
      this.#own.attach(response, headers, { prime: this.#primes })
      return true
    }
    const [, id = '', number] = /^(\d+)-(\d+)$/.exec(lastEventId) ?? []
    const stream = this.#streams.get(id)
    stream?.attach(response, headers, { after: Number(number), prime: this.#primes })
    return stream !== undefined
  }

  async close(graceful: boolean): Promise<void> {
    await this.conversation.close(graceful)
    for (const stream of this.#streams.values()) stream.end()
  }

  // Clients of earlier revisions do not know events without data.
  get #primes(): boolean {
    return this.conversation.features?.priming ?? false
  }
}
