import { TimeoutError, UnsupportedError } from '../../errors.ts'
import { bounded } from '../../session/bounded.ts'
import type { RequestOptions } from '../../session/request-options.ts'
import { checkRequestOptions } from '../../session/request-options.ts'
import type { Session } from '../../session/session.ts'
import type { Events } from '../events.ts'
import type { LiveLink } from './live-link.ts'
import { UpdateBuffer } from './update-buffer.ts'
import type { Wish, WishListener } from './wishes.ts'

/** Options of `subscribe`. */
export type SubscribeOptions = Pick<RequestOptions, 'signal' | 'timeoutMs'>

/** A resource changed, or something below it. */
export interface ResourceUpdate {
  readonly uri: string
}

/** Updates of resources: by event, and as a loop. @see spec server/resources#subscriptions */
export class Subscriptions {
  readonly #session: Session
  readonly #live: LiveLink
  readonly #events: Events
  readonly #held = new Map<string, Set<Wish>>()

  constructor(session: Session, live: LiveLink, events: Events) {
    this.#session = session
    this.#live = live
    this.#events = events
  }

  /** Resolves when the server tells of updates; they come as `resourceUpdated`. */
  async subscribe(uri: string, options: SubscribeOptions = {}): Promise<void> {
    this.#check('subscribe', uri, options)
    if (this.#session.current === undefined) await this.#session.linked('subscribe', options)
    this.#checkOffered('subscribe')
    const missed = (): void => this.#events.emit('resourceUpdated', { uri })
    const lost = (error: unknown): void => this.#events.failed(error)
    const wish = this.#want(uri, { missed, refused: () => lost(this.#notHeard(uri)), lost })
    const held = this.#held.get(uri) ?? new Set()
    this.#held.set(uri, held.add(wish))
    try {
      await this.#heard(uri, wish, options)
    } catch (error) {
      held.delete(wish)
      if (held.size === 0 && this.#held.get(uri) === held) this.#held.delete(uri)
      await wish.release()
      throw error
    }
    // One for each resource is enough.
    if (held.has(wish)) for (const other of held) if (other !== wish && held.delete(other)) void other.release()
  }

  /** Resolves when the server was told; a resource that is not subscribed to stays so. Loops of `watch` go on. */
  async unsubscribe(uri: string): Promise<void> {
    const held = [...(this.#held.get(uri) ?? [])]
    this.#held.get(uri)?.clear()
    this.#held.delete(uri)
    await Promise.all(held.map((wish) => wish.release()))
  }

  /** Yields each update as it comes; what piles up while the loop is busy is one update. Leaving the loop unsubscribes. */
  async *watch(uri: string, options: SubscribeOptions = {}): AsyncGenerator<ResourceUpdate, void, void> {
    this.#check('watch', uri, options)
    if (this.#session.current === undefined) await this.#session.linked('watch', options)
    this.#checkOffered('watch')
    const { closing } = this.#session
    const updates = new UpdateBuffer(uri, [options.signal, closing])
    const stop = this.#events.on('resourceUpdated', (update) => updates.push(update.uri))
    const lost = (error: unknown): void => updates.fail(error)
    const wish = this.#want(uri, { missed: () => updates.push(uri), refused: () => lost(this.#notHeard(uri)), lost })
    try {
      await this.#heard(uri, wish, options)
      for (;;) yield { uri: await updates.next() }
    } catch (error) {
      // Who closes the client ends its loops; nothing has failed.
      if (!closing.aborted || options.signal?.aborted) throw error
    } finally {
      stop()
      updates.close()
      void wish.release()
    }
  }

  #want(uri: string, listener: WishListener): Wish {
    return this.#live.want({ resourceSubscriptions: [uri] }, listener)
  }

  async #heard(uri: string, wish: Wish, { signal, timeoutMs = this.#session.settings.timeoutMs }: SubscribeOptions): Promise<void> {
    const late = (): TimeoutError =>
      new TimeoutError(`no subscription to ${uri} within ${timeoutMs} ms (timeoutMs)`, timeoutMs, {
        outcome: 'unknown',
        server: this.#session.name,
      })
    const { resourceSubscriptions = [] } = await bounded(wish.honoured, [signal, this.#session.closing], { ms: timeoutMs, error: late })
    if (resourceSubscriptions.length === 0) throw this.#notHeard(uri)
  }

  #notHeard(uri: string): UnsupportedError {
    return new UnsupportedError(`the server does not tell of updates of ${uri}`, { server: this.#session.name })
  }

  #check(method: string, uri: string, options: SubscribeOptions): void {
    if (typeof uri !== 'string' || uri === '') throw new TypeError(`${method}: the URI must be a string that is not empty`)
    checkRequestOptions(options)
    options.signal?.throwIfAborted()
  }

  #checkOffered(method: string): void {
    if (this.#session.link.discovered.capabilities.resources?.subscribe === true) return
    throw new UnsupportedError('the server did not declare the capability "resources.subscribe"', { server: this.#session.name, method })
  }
}
