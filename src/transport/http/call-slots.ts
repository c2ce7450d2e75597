import type { Drains } from './drains.ts'

export interface Slotted {
  /** Its turn has come. */
  begin(): void
}

/** Bounds the calls that are on the wire at once; further ones wait, first come first served. */
export class CallSlots {
  readonly #max: number
  readonly #drains: Drains
  /** A set keeps the order of arrival and forgets an abandoned call at once. */
  readonly #waiting = new Set<Slotted>()
  #running = 0
  #filling = false

  /** `drains` hold slots too: an answered call whose reply stays open gives way to one that waits. */
  constructor(max: number, drains: Drains) {
    this.#max = max
    this.#drains = drains
  }

  enter(call: Slotted): void {
    if (this.#running < this.#max) {
      this.#running++
      call.begin()
      return
    }
    this.#waiting.add(call)
    this.#drains.cutOldest()
  }

  /** Takes back a call that still waits; false when it has begun. */
  withdraw(call: Slotted): boolean {
    return this.#waiting.delete(call)
  }

  /** Calls that wait never begin; each is withdrawn as it is told. */
  close(): void {
    this.#waiting.clear()
  }

  /** A call that had begun is over, its reply included. */
  leave(): void {
    this.#running--
    if (this.#filling || this.#waiting.size === 0) return
    // A loop, as a call that fails at once comes back here: by recursion a long queue would exhaust the stack.
    this.#filling = true
    for (const next of this.#waiting) {
      if (this.#running >= this.#max) break
      this.#waiting.delete(next)
      this.#running++
      next.begin()
    }
    this.#filling = false
  }
}
