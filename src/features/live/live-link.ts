import { type CloseReason, ConnectionError, type Outcome } from '../../errors.ts'
import type { JSONRPCNotification, RequestId } from '../../jsonrpc/message.ts'
import type { SessionState } from '../../session/links.ts'
import type { Session } from '../../session/session.ts'
import { type Filter, interestsOf, isOffered, notificationOf } from './filter.ts'
import { ListenStream } from './listen-stream.ts'
import { ResourceSubscriptions } from './resource-subscriptions.ts'
import { type Wish, Wishes, type WishListener } from './wishes.ts'

/**
 * What the server tells unasked, for as long as somebody wants to hear it: asked for in the way of the link's era, and again on every new
 * link.
 */
export class LiveLink {
  readonly #session: Session
  readonly #wishes: Wishes
  readonly #stream: ListenStream
  readonly #subscriptions: ResourceSubscriptions
  #round: Promise<void> | undefined

  /** @param outdated The server tells of this from now on; what is held of it may be old. */
  constructor(session: Session, outdated: (notification: JSONRPCNotification) => void) {
    this.#session = session
    this.#wishes = new Wishes(() => this.#reconcile())
    this.#stream = new ListenStream(session, this.#wishes, (interests) => {
      for (const interest of interests) {
        const notification = notificationOf(interest)
        if (notification !== undefined) outdated(notification)
      }
    })
    this.#subscriptions = new ResourceSubscriptions(session, this.#wishes)
    session.keepLinkedWhile(() => this.#wishes.any)
  }

  /** Wants to hear of changes until the wish is released. The changes themselves come as notifications. */
  want(filter: Filter, listener: WishListener = {}): Wish {
    this.#session.listen()
    return this.#wishes.want(filter, listener)
  }

  notified(notification: JSONRPCNotification, during: RequestId | undefined): void {
    this.#stream.notified(notification, during)
  }

  /** Nothing more comes when the link is gone for good. Who closes the client needs no telling. */
  stateChanged(state: SessionState, reason: CloseReason | undefined): void {
    const { closing } = this.#session
    if (state !== 'closed' || closing.aborted) return
    this.#gaveUp(reason ?? { kind: 'closed', message: 'the connection is gone' }, 'unknown')
  }

  /** Whether the server declares that it tells of all this. */
  offers(filter: Filter): boolean {
    const { capabilities } = this.#session.link.discovered
    return interestsOf(filter).every((interest) => isOffered(interest, capabilities))
  }

  /** There is a new link, on which nothing was asked for yet. */
  relinked(): void {
    this.#wishes.revive()
    this.#stream.relinked()
    this.#subscriptions.relinked()
    // No call waits for it.
    void this.#reconcile()
  }

  #gaveUp(reason: CloseReason, outcome: Outcome): void {
    this.#wishes.gaveUp([...this.#wishes.wanted()], new ConnectionError(reason, { server: this.#session.name, outcome }))
  }

  /** The wishes of one moment are looked at together. */
  #reconcile(): Promise<void> {
    this.#round ??= Promise.resolve().then(async () => {
      this.#round = undefined
      // A server that is started by its first use is asked then.
      if (this.#session.closing.aborted || this.#session.current === undefined) return
      const { ended } = this.#session
      if (ended !== undefined) return this.#gaveUp(ended, 'not-run')
      await Promise.all([this.#stream.reconcile(), this.#subscriptions.reconcile()])
    })
    return this.#round
  }
}
