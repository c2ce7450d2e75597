import type { Filter, Interest } from './filter.ts'
import { filterOf, interestsOf } from './filter.ts'

/** What one who wants to hear of changes is told besides the changes. */
export interface WishListener {
  /** The hearing was interrupted and goes on: anything may have changed meanwhile. */
  missed?(): void
  /** The server told of it before and does not any more, such as after a recovery. */
  refused?(): void
  /** Nothing more will come. */
  lost?(error: unknown): void
}

/** Somebody's wish to hear of changes. */
export interface Wish {
  /**
   * What of the wish the server tells of, once that is known; parts that it does not offer or does not honour are missing. Rejects when it
   * could not be asked; need not be waited for.
   */
  readonly honoured: Promise<Filter>
  /** Ends the wish. Resolves when the server has been told, or cannot be. */
  release(): Promise<void>
}

class Wisher {
  readonly interests: readonly Interest[]
  readonly listener: WishListener
  readonly honoured: Promise<Filter>
  settled = false
  #resolve: (honoured: Filter) => void = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor(interests: readonly Interest[], listener: WishListener) {
    this.interests = interests
    this.listener = listener
    this.honoured = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // It need not be waited for.
    this.honoured.catch(() => {})
  }

  /** A wish that is ended before it is decided never will be. */
  released(): void {
    if (!this.settled) this.#reject(new DOMException('the wish was ended before the server had answered', 'AbortError'))
    this.settled = true
  }

  heard(interests: readonly Interest[]): void {
    this.settled = true
    this.#resolve(filterOf(interests))
  }

  lost(error: unknown): void {
    if (this.settled) this.listener.lost?.(error)
    this.settled = true
    this.#reject(error)
  }
}

type State = 'asked for' | 'heard' | 'not heard' | 'given up'

interface Entry {
  state: State
  readonly wishers: Set<Wisher>
}

/** All wishes of one client, by what they are about: who wants it, and whether the server tells of it. */
export class Wishes {
  readonly #entries = new Map<Interest, Entry>()
  readonly #changed: () => Promise<void>

  /** @param changed Brings the wishes to the server. */
  constructor(changed: () => Promise<void>) {
    this.#changed = changed
  }

  want(filter: Filter, listener: WishListener): Wish {
    const wisher = new Wisher([...new Set(interestsOf(filter))], listener)
    for (const interest of wisher.interests) this.#add(interest, wisher)
    this.#look(wisher)
    void this.#changed()
    return { honoured: wisher.honoured, release: () => this.#release(wisher) }
  }

  /** What is wanted and not given up, in the order of asking. */
  *wanted(): Generator<Interest, void, void> {
    for (const [interest, { state }] of this.#entries) if (state !== 'given up') yield interest
  }

  wants(interest: Interest): boolean {
    const state = this.#entries.get(interest)?.state
    return state !== undefined && state !== 'given up'
  }

  get any(): boolean {
    return this.#entries.size > 0
  }

  /** What the server was asked for, and which of it it tells of. */
  answered(asked: Iterable<Interest>, honours: (interest: Interest) => boolean): void {
    const waiting = new Set<Wisher>()
    const refused = new Set<Wisher>()
    for (const interest of asked) {
      const entry = this.#entries.get(interest)
      if (entry === undefined) continue
      const before = entry.state
      entry.state = honours(interest) ? 'heard' : 'not heard'
      for (const wisher of entry.wishers) {
        if (!wisher.settled) waiting.add(wisher)
        else if (before === 'heard' && entry.state === 'not heard') refused.add(wisher)
      }
    }
    for (const wisher of waiting) this.#look(wisher)
    for (const { listener } of refused) listener.refused?.()
  }

  /** It was heard of and is again, after a time in which it was not. */
  missed(interests: Iterable<Interest>): void {
    const told = new Set<WishListener>()
    for (const interest of interests) for (const { listener } of this.#entries.get(interest)?.wishers ?? []) told.add(listener)
    for (const listener of told) listener.missed?.()
  }

  /** These could not be asked for. They are asked for again when `revive` is called. */
  gaveUp(interests: Iterable<Interest>, error: unknown): void {
    const lost = new Set<Wisher>()
    for (const interest of interests) {
      const entry = this.#entries.get(interest)
      if (entry === undefined) continue
      entry.state = 'given up'
      for (const wisher of entry.wishers) lost.add(wisher)
    }
    for (const wisher of lost) wisher.lost(error)
  }

  /** What was given up is wanted again. */
  revive(): void {
    for (const entry of this.#entries.values()) if (entry.state === 'given up') entry.state = 'asked for'
  }

  #add(interest: Interest, wisher: Wisher): void {
    const entry = this.#entries.get(interest) ?? { state: 'asked for', wishers: new Set() }
    if (entry.state === 'given up') entry.state = 'asked for'
    entry.wishers.add(wisher)
    this.#entries.set(interest, entry)
  }

  #release(wisher: Wisher): Promise<void> {
    for (const interest of wisher.interests) {
      const entry = this.#entries.get(interest)
      if (entry?.wishers.delete(wisher) && entry.wishers.size === 0) this.#entries.delete(interest)
    }
    wisher.released()
    return this.#changed()
  }

  /** Settles a wish of which every part is decided. */
  #look(wisher: Wisher): void {
    const states = wisher.interests.map((interest) => this.#entries.get(interest)?.state)
    if (states.includes('asked for') || states.includes('given up')) return
    wisher.heard(wisher.interests.filter((_, index) => states[index] === 'heard'))
  }
}
