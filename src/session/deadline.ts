/** The clock of one call over all its legs. */
export interface Clock {
  /** When the running leg ends, and when the call ends; on the monotonic clock, in ms. */
  due: number
  totalDue: number
  /** Handlers that the clock stands still for, and since when. */
  holds: number
  heldAt: number
}

/** The longest delay that timers take; a longer one, and `Infinity`, would fire at once. */
const MAX_DELAY_MS = 2_147_483_647

/** The timer looks so often at least, so that one which nobody needs any more soon lets go of its client. */
const MAX_SLEEP_MS = 1_000

/** A delay as timers take it. */
export function timerDelay(ms: number): number {
  return Math.min(ms, MAX_DELAY_MS)
}

/**
 * The deadlines of all running legs of a link, on one timer, armed for the nearest. The timer keeps the process alive while something is
 * waited for.
 */
export class Deadlines<C extends Clock> {
  readonly #running = new Set<C>()
  readonly #expire: (clock: C) => void
  readonly #maxHoldMs: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #armedFor = Number.POSITIVE_INFINITY

  /** @param maxHoldMs How long a clock stands still in a row: handlers that overlap would stop it for ever. */
  constructor(expire: (clock: C) => void, maxHoldMs: number = Number.POSITIVE_INFINITY) {
    this.#expire = expire
    this.#maxHoldMs = maxHoldMs
  }

  get size(): number {
    return this.#running.size
  }

  [Symbol.iterator](): Iterator<C> {
    return this.#running.values()
  }

  add(clock: C): void {
    this.#running.add(clock)
    const due = Math.min(clock.due, clock.totalDue)
    if (due < this.#armedFor) this.#arm(due)
    else if (this.#running.size === 1) keepAlive(this.#timer, true)
  }

  delete(clock: C): void {
    this.#running.delete(clock)
    if (this.#running.size === 0) keepAlive(this.#timer, false)
  }

  /** Stops the clock while a handler of ours answers the server. */
  hold(clock: C): void {
    if (clock.holds++ === 0) clock.heldAt = performance.now()
  }

  release(clock: C): void {
    if (--clock.holds > 0) return
    const stood = Math.min(performance.now() - clock.heldAt, this.#maxHoldMs)
    clock.due += stood
    clock.totalDue += stood
  }

  /** Forgets the timer; the running legs are settled by whoever closes the link. */
  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#armedFor = Number.POSITIVE_INFINITY
    this.#running.clear()
  }

  #arm(due: number): void {
    clearTimeout(this.#timer)
    const sleep = Math.min(Math.max(due - performance.now(), 0), MAX_SLEEP_MS) + 1
    this.#armedFor = due
    this.#timer = setTimeout(() => this.#fire(), sleep)
    keepAlive(this.#timer, this.#running.size > 0)
  }

  #fire(): void {
    this.#timer = undefined
    this.#armedFor = Number.POSITIVE_INFINITY
    const now = performance.now()
    let next = Number.POSITIVE_INFINITY
    for (const clock of [...this.#running]) {
      if (clock.holds > 0 && now - clock.heldAt < this.#maxHoldMs) {
        // It is looked at again when the shortest time that it can still have is over.
        next = Math.min(next, now + Math.max(1, Math.min(clock.due, clock.totalDue) - clock.heldAt))
        continue
      }
      const due = Math.min(clock.due, clock.totalDue) + (clock.holds > 0 ? this.#maxHoldMs : 0)
      if (due <= now) {
        this.#running.delete(clock)
        this.#expire(clock)
      } else {
        next = Math.min(next, due)
      }
    }
    if (next < this.#armedFor && this.#running.size > 0) this.#arm(next)
  }
}

/** Timers are numbers in browsers, where nothing has to be kept alive. */
function keepAlive(timer: unknown, alive: boolean): void {
  if (typeof timer !== 'object' || timer === null || !('ref' in timer) || !('unref' in timer)) return
  const method = alive ? timer.ref : timer.unref
  if (typeof method === 'function') method.call(timer)
}
