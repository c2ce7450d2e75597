import type { EventName, Events } from '../events.ts'
import type { Filter } from './filter.ts'
import type { LiveLink } from './live-link.ts'
import type { Wish } from './wishes.ts'

type ListEvent = 'toolsChanged' | 'promptsChanged' | 'resourcesChanged'

const FILTERS: Readonly<Record<ListEvent, Filter>> = {
  toolsChanged: { toolsListChanged: true },
  promptsChanged: { promptsListChanged: true },
  resourcesChanged: { resourcesListChanged: true },
}

interface Held {
  listeners: number
  readonly wish: Wish
}

/** Asks for the changes of a list in the background as long as somebody listens to them; a failure goes to `error`. */
export class ListChanges {
  readonly #live: LiveLink
  readonly #events: Events
  readonly #warn: (problem: string) => void
  readonly #held = new Map<ListEvent, Held>()

  constructor(live: LiveLink, events: Events, warn: (problem: string) => void) {
    this.#live = live
    this.#events = events
    this.#warn = warn
  }

  /** A listener of an event came. Returns what is called when it goes. */
  hold(event: ListEvent): () => void {
    const held = this.#held.get(event) ?? { listeners: 0, wish: this.#want(event) }
    this.#held.set(event, held)
    held.listeners++
    return () => {
      if (--held.listeners > 0) return
      this.#held.delete(event)
      void held.wish.release()
    }
  }

  #want(event: ListEvent): Wish {
    const filter = FILTERS[event]
    const refused = (): void => {
      if (this.#live.offers(filter)) this.#warn(`the server declares that it tells of changes and does not, so "${event}" stays silent`)
    }
    const failed = (error: unknown): void => {
      if (this.#held.has(event)) this.#events.failed(error)
    }
    const wish = this.#live.want(filter, { missed: () => this.#events.emit(event, {}), refused, lost: failed })
    wish.honoured.then((heard) => {
      if (Object.keys(heard).length === 0) refused()
    }, failed)
    return wish
  }
}

/** The event tells of a list, whose changes may have to be asked for. */
export function isListEvent(event: EventName): event is ListEvent {
  return Object.hasOwn(FILTERS, event)
}
