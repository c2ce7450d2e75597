import { backgroundTimer } from '../background-timer.ts'

/** A reply whose rest nobody needs. */
export interface Draining {
  /** Ends it now; its connection is lost. */
  cut(): void
}

/** How long the rest of a reply may take. Reading it to its end keeps the connection for the next request. */
const GRACE_MS = 1_000

/**
 * Replies that are read to their end behind an answer which has been given. Each is cut when it is still open a second later, and the
 * oldest when there are too many. One timer for all.
 */
export class Drains {
  readonly #max: number
  /** Undefined while nothing drains: idle connections are many. */
  #since: Map<Draining, number> | undefined
  #stopTimer: (() => void) | undefined

  constructor(max: number) {
    this.#max = max
  }

  add(reply: Draining): void {
    this.#since ??= new Map()
    this.#since.set(reply, performance.now())
    if (this.#since.size > this.#max) this.#cutOldest()
    if (this.#stopTimer === undefined) this.#arm(GRACE_MS)
  }

  /** It ended by itself. */
  delete(reply: Draining): void {
    this.#since?.delete(reply)
  }

  close(): void {
    while (this.#since !== undefined && this.#since.size > 0) this.#cutOldest()
    this.#stopTimer?.()
    this.#stopTimer = undefined
  }

  #cutOldest(): void {
    for (const reply of this.#since?.keys() ?? []) {
      this.#since?.delete(reply)
      reply.cut()
      return
    }
  }

  #arm(ms: number): void {
    this.#stopTimer = backgroundTimer(() => this.#sweep(), ms)
  }

  #sweep(): void {
    this.#stopTimer = undefined
    const now = performance.now()
    for (const [reply, since] of this.#since ?? []) {
      const left = since + GRACE_MS - now
      if (left > 0) {
        this.#arm(left)
        return
      }
      this.#since?.delete(reply)
      reply.cut()
    }
    if (this.#since?.size === 0) this.#since = undefined
  }
}
