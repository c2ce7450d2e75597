import { backgroundTimer } from './timer.ts'

/** A reply whose rest nobody needs. */
export interface Draining {
  /** Ends it now; its connection is lost. */
  cut(): void
}

/** How long the rest of a reply may take. Reading it to its end keeps the connection for the next request. */
const GRACE_MS = 1_000

/** Replies that are read to their end behind an answer which has been given, each cut when it is still open a second later. One timer for all. */
export class Drains {
  readonly #since = new Map<Draining, number>()
  #stopTimer: (() => void) | undefined

  add(reply: Draining): void {
    this.#since.set(reply, performance.now())
    if (this.#stopTimer === undefined) this.#arm(GRACE_MS)
  }

  /** It ended by itself. */
  delete(reply: Draining): void {
    this.#since.delete(reply)
  }

  /** Gives up the one that has been open for longest. */
  cutOldest(): boolean {
    for (const reply of this.#since.keys()) {
      this.#since.delete(reply)
      reply.cut()
      return true
    }
    return false
  }

  close(): void {
    while (this.cutOldest());
    this.#stopTimer?.()
    this.#stopTimer = undefined
  }

  #arm(ms: number): void {
    this.#stopTimer = backgroundTimer(() => this.#sweep(), ms)
  }

  #sweep(): void {
    this.#stopTimer = undefined
    const now = performance.now()
    for (const [reply, since] of this.#since) {
      const left = since + GRACE_MS - now
      if (left > 0) {
        this.#arm(left)
        return
      }
      this.#since.delete(reply)
      reply.cut()
    }
  }
}
