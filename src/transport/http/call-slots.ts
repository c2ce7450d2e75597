import { backgroundTimer } from '../background-timer.ts'

export interface Slotted {
  /** Its turn has come. */
  begin(): void
  /** Its answer has been given, and what is left of its reply must no longer hold the slot: calls `leave`. */
  yieldSlot(): void
}

/** How long an answered call may hold its slot while others wait. Most replies end with the answer, and then their connection is free too. */
const YIELD_MS = 5

/** Bounds the calls that are on the wire at once; further ones wait, first come first served. */
export class CallSlots {
  readonly #max: number
  /** A set keeps the order of arrival and forgets an abandoned call at once. */
  #waiting: Set<Slotted> | undefined
  /** Calls that have a slot and their answer, while their reply has not ended. */
  #answered: Set<Slotted> | undefined
  #running = 0
  #filling = false
  #stopTimer: (() => void) | undefined

  constructor(max: number) {
    this.#max = max
  }

  enter(call: Slotted): void {
    if (this.#running < this.#max) {
      this.#running++
      call.begin()
      return
    }
    this.#waiting ??= new Set()
    this.#waiting.add(call)
    if (this.#answered !== undefined && this.#answered.size > 0) this.#hurry()
  }

  /** Takes back a call that has not begun. */
  withdraw(call: Slotted): void {
    this.#waiting?.delete(call)
  }

  /** A call has its answer, and its reply goes on. */
  answered(call: Slotted): void {
    this.#answered ??= new Set()
    this.#answered.add(call)
    if (this.#waiting !== undefined && this.#waiting.size > 0) this.#hurry()
  }

  /** A call that had begun is over, its reply included. */
  leave(call: Slotted): void {
    this.#answered?.delete(call)
    this.#running--
    if (this.#filling || this.#waiting === undefined || this.#waiting.size === 0) return
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

  /** Calls that wait never begin; each is told so elsewhere. */
  close(): void {
    this.#waiting?.clear()
    this.#stopTimer?.()
  }

  #hurry(): void {
    this.#stopTimer ??= backgroundTimer(() => {
      this.#stopTimer = undefined
      for (const call of this.#answered ?? []) call.yieldSlot()
    }, YIELD_MS)
  }
}
