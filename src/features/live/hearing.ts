import type { JSONRPCNotification } from '../../jsonrpc/message.ts'
import type { Session } from '../../session/session.ts'
import type { Events } from '../events.ts'
import { ListChanges } from './list-changes.ts'
import { LiveLink } from './live-link.ts'
import { Subscriptions } from './subscriptions.ts'

/** All that a client hears of unasked. Made when somebody wants to hear: idle clients are many. */
export class Hearing {
  readonly link: LiveLink
  readonly lists: ListChanges
  readonly subscriptions: Subscriptions

  /** @param outdated What this notification is about may be old where it is held, although the notification itself did not come. */
  constructor(session: Session, events: Events, outdated: (notification: JSONRPCNotification) => void) {
    this.link = new LiveLink(session, outdated)
    const warn = (problem: string): void => session.logger.warn(`${session.name}: ${problem}`)
    this.lists = new ListChanges(this.link, events, warn)
    this.subscriptions = new Subscriptions(session, this.link, events)
  }
}
