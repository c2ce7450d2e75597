import { TimeoutError } from '../errors.ts'
import type { JSONRPCNotification, Params } from '../jsonrpc/message.ts'
import type { Limits } from '../limits.ts'
import { PROMPTS_LIST, RESOURCE_TEMPLATES_LIST, RESOURCES_LIST, RESOURCES_READ, TOOLS_LIST } from '../protocol/methods.ts'
import { bounded } from '../session/bounded.ts'
import type { RequestOptions } from '../session/request-options.ts'
import type { Session } from '../session/session.ts'
import { AnswerCache, type AnswerKey } from './answer-cache.ts'

/** Options of lists and reads. */
export interface KeptOptions extends RequestOptions {
  /** `'refresh'` asks the server whatever is held. Default: what is held, while the server says that it is fresh. */
  cache?: 'refresh' | undefined
}

/** One request for all who want the same list at once. */
interface Flight {
  readonly answer: Promise<Params>
  readonly end: AbortController
  waiting: number
}

/** The lists and reads of one client: kept as long as the server allows, and asked for once by all who ask at the same time. */
export class KeptRequests {
  readonly session: Session
  // Most servers allow nothing to be kept, and most clients are idle.
  #cache: AnswerCache | undefined
  #flights: Map<string, Flight> | undefined
  readonly #maxChars: number
  readonly #principal: string | undefined
  /** Counts what made answers old: one that was on its way meanwhile is not kept. */
  changes = 0

  constructor(session: Session, { principal, limits }: { readonly principal?: string | undefined; readonly limits: Limits }) {
    this.session = session
    this.#principal = principal
    this.#maxChars = limits.maxCacheChars
  }

  /** An answer: a fresh one that is held, else the server's. */
  async ask(method: string, params: Params | undefined, options: KeptOptions = {}): Promise<Params> {
    const { cache, ...rest } = options
    if (cache !== undefined && cache !== 'refresh') throw new TypeError(`cache must be 'refresh', not ${JSON.stringify(cache)}`)
    // Headers and metadata may make another answer of it, also for another person.
    if (rest.headers !== undefined || rest.meta !== undefined) return this.session.request(method, params, rest)
    rest.signal?.throwIfAborted()
    const key: AnswerKey = { principal: this.#principal, method, params }
    const held = cache === 'refresh' ? undefined : this.#cache?.get(key)
    if (held !== undefined) return held
    const alone = method === RESOURCES_READ || Object.entries(rest).some(([name, value]) => name !== 'signal' && value !== undefined)
    return alone ? this.#fetch(key, rest) : this.#together(key, rest.signal, cache !== 'refresh')
  }

  /** The whole list is held and fresh. */
  hasList(method: string): boolean {
    return this.#cache?.hasList(this.#principal, method) ?? false
  }

  /** A list is to be asked for anew, by the next who wants it. */
  dropList(method: string): void {
    this.#cache?.drop((key) => key.method === method)
  }

  /** What the server says has changed is held no longer. */
  changed({ method, params }: JSONRPCNotification): void {
    const outdated = OUTDATED.get(method)
    if (outdated !== undefined) this.#outdate((key) => outdated.includes(key.method))
    else if (method === 'notifications/resources/updated') this.#outdate((key) => key.method === RESOURCES_READ && covers(key, params))
  }

  clear(): void {
    this.#outdate(() => true)
  }

  #outdate(unwanted: (key: AnswerKey) => boolean): void {
    this.changes++
    this.#flights = undefined
    this.#cache?.drop(unwanted)
  }

  /** One request for all; it goes on while one of them waits. */
  async #together(key: AnswerKey, signal: AbortSignal | undefined, join: boolean): Promise<Params> {
    const id = `${key.method} ${JSON.stringify(key.params)}`
    const since = performance.now()
    const running = join ? this.#flights?.get(id) : undefined
    const flight = running ?? this.#begin(key, id)
    flight.waiting++
    try {
      return await bounded(flight.answer, [signal])
    } catch (error) {
      // The time that ran out was that of who asked first.
      const leftMs = running !== undefined && error instanceof TimeoutError ? error.timeoutMs - (performance.now() - since) : 0
      if (leftMs > 0 && !signal?.aborted) return await this.#fetch(key, { signal, timeoutMs: leftMs })
      throw error
    } finally {
      if (--flight.waiting === 0) {
        if (this.#flights?.get(id) === flight) this.#flights.delete(id)
        flight.end.abort(signal?.reason)
      }
    }
  }

  #begin(key: AnswerKey, id: string): Flight {
    const end = new AbortController()
    const flight: Flight = { answer: this.#fetch(key, { signal: end.signal }), end, waiting: 0 }
    this.#flights ??= new Map()
    this.#flights.set(id, flight)
    return flight
  }

  /** Asks the server, and keeps what it allows: nothing that it had to ask for itself, and nothing that was overtaken by a change. */
  async #fetch(key: AnswerKey, options: RequestOptions): Promise<Params> {
    const { session } = this
    const before = this.changes
    let asked = false
    const answer = await session.request(key.method, key.params, options, {
      asked: () => {
        asked = true
      },
    })
    if (asked || before !== this.changes) return answer
    const ttlMs = session.link.era.freshMs(answer)
    if (ttlMs > 0) this.#cache ??= new AnswerCache(this.#maxChars)
    this.#cache?.put(key, answer, ttlMs)
    return answer
  }
}

/** The lists that a notification makes old. */
const OUTDATED: ReadonlyMap<string, readonly string[]> = new Map([
  ['notifications/tools/list_changed', [TOOLS_LIST]],
  ['notifications/prompts/list_changed', [PROMPTS_LIST]],
  ['notifications/resources/list_changed', [RESOURCES_LIST, RESOURCE_TEMPLATES_LIST]],
])

/** What was updated may be a part of what is held. A notification that does not say what covers everything. */
function covers({ params }: AnswerKey, updated: Params | undefined): boolean {
  const held = params?.uri
  const uri = updated?.uri
  return typeof uri !== 'string' || typeof held !== 'string' || uri.startsWith(held)
}
