import type { Session } from '../../session/session.ts'
import { type Interest, isOffered, subscribedUri } from './filter.ts'
import type { Wishes } from './wishes.ts'

/**
 * The way of the legacy era to hear of changes: lists come unasked, each resource has a request that starts and one that ends its updates.
 * @see spec 2025-11-25 server/resources#subscriptions
 */
export class ResourceSubscriptions {
  readonly #session: Session
  readonly #wishes: Wishes
  readonly #subscribed = new Map<string, Interest>()
  readonly #asking = new Map<string, Promise<void>>()
  /** Lists that the link tells of. */
  readonly #lists = new Set<Interest>()
  /** How many links in a row were lost before a request for updates was answered. */
  readonly #losses = new Map<string, number>()
  /** Heard of on an earlier link. */
  readonly #interrupted = new Set<Interest>()

  constructor(session: Session, wishes: Wishes) {
    this.#session = session
    this.#wishes = wishes
  }

  /** Sends what is needed. Resolves when it is answered. */
  async reconcile(): Promise<void> {
    const { era, discovered } = this.#session.link
    if (era.listen !== undefined) return
    const unasked: Interest[] = []
    const uris = new Map(this.#subscribed)
    for (const interest of this.#wishes.wanted()) {
      const uri = subscribedUri(interest)
      if (uri === undefined || !isOffered(interest, discovered.capabilities)) unasked.push(interest)
      else uris.set(uri, interest)
    }
    const toldUnasked = (interest: Interest): boolean => LISTS.has(interest) && isOffered(interest, discovered.capabilities)
    this.#wishes.answered(unasked, toldUnasked)
    const lists = unasked.filter(toldUnasked)
    for (const interest of lists) this.#lists.add(interest)
    this.#wishes.missed(lists.filter((interest) => this.#interrupted.delete(interest)))
    const settling = [...uris].map(([uri, interest]) => {
      const asking = this.#asking.get(uri) ?? this.#settle(uri, interest)
      this.#asking.set(uri, asking)
      return asking
    })
    await Promise.all(settling)
  }

  /** There is a new link, on which nothing was asked for yet. */
  relinked(): void {
    for (const interest of [...this.#lists, ...this.#subscribed.values()]) this.#interrupted.add(interest)
    this.#lists.clear()
    this.#subscribed.clear()
  }

  /** One request at a time for a resource, until it is as it is wanted. */
  async #settle(uri: string, interest: Interest): Promise<void> {
    await undefined
    let goesOn = true
    while (goesOn && this.#wishes.wants(interest) !== this.#subscribed.has(uri)) {
      if (this.#subscribed.has(uri)) await this.#unsubscribe(uri)
      else goesOn = await this.#subscribe(uri, interest)
    }
    this.#asking.delete(uri)
    // One left and another came meanwhile, who was not told yet.
    if (this.#subscribed.has(uri)) this.#wishes.answered([interest], () => true)
  }

  /** False when there is nothing to go on with before the next link. */
  async #subscribe(uri: string, interest: Interest): Promise<boolean> {
    const { link, closing, settings } = this.#session
    try {
      await this.#session.request('resources/subscribe', { uri })
    } catch (error) {
      if (closing.aborted) return false
      if ((await Promise.race([link.connection.lost, undefined])) === undefined) {
        this.#wishes.gaveUp([interest], error)
        return true
      }
      // On a link that is lost this says nothing of the next one, unless it is what links are lost of.
      const losses = (this.#losses.get(uri) ?? 0) + 1
      this.#losses.set(uri, losses)
      if (losses <= settings.limits.maxReconnects) return this.#session.link !== link
      this.#losses.delete(uri)
      this.#wishes.gaveUp([interest], error)
      return true
    }
    // An answer of an earlier link says nothing of this one.
    if (this.#session.link !== link) return true
    this.#losses.delete(uri)
    this.#subscribed.set(uri, interest)
    if (this.#interrupted.delete(interest)) this.#wishes.missed([interest])
    return true
  }

  async #unsubscribe(uri: string): Promise<void> {
    this.#subscribed.delete(uri)
    const { name, logger } = this.#session
    const failed = (): void => logger.debug(`${name} did not end a subscription`)
    await this.#session.request('resources/unsubscribe', { uri }).catch(failed)
  }
}

/** Their changes come without a request. */
const LISTS: ReadonlySet<Interest> = new Set(['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'])
