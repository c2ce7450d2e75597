/** What became of one promise of the client. */
export interface Step {
  readonly what: string
  /** Of a tool call. */
  readonly key?: string
  readonly end: 'resolved' | 'rejected' | 'hung'
  readonly value?: unknown
  readonly error?: unknown
  readonly ms: number
}

/** How late this process is with everything: on a busy machine a deadline is not missed by the client alone. */
export class Lateness {
  #total = 0
  #last = performance.now()
  readonly #timer = setInterval(() => {
    this.#total = this.total
    this.#last = performance.now()
  }, TICK_MS)

  constructor() {
    this.#timer.unref()
  }

  /** All lateness since the start, in ms; what is late now and has not been told yet is part of it. */
  get total(): number {
    return this.#total + Math.max(0, performance.now() - this.#last - TICK_MS)
  }

  close(): void {
    clearInterval(this.#timer)
  }
}

const TICK_MS = 25
/** A promise that has not settled after its bound is waited for so much longer in all, with the lateness of the machine added. */
const GRACE_MS = 1_500

/** Waits for a promise, and no longer than its bound with a grace. Never rejects. */
export async function step(what: string, promise: Promise<unknown>, boundMs: number, lateness: Lateness, key?: string): Promise<Step> {
  const [began, late] = [performance.now(), lateness.total]
  const named = key === undefined ? { what } : { what, key }
  const done = (): number => performance.now() - began
  const settled = promise.then(
    (value): Step => ({ ...named, end: 'resolved', value, ms: done() }),
    (error: unknown): Step => ({ ...named, end: 'rejected', error, ms: done() }),
  )
  for (;;) {
    const left = boundMs + GRACE_MS + (lateness.total - late) - done()
    if (left <= 0) return { ...named, end: 'hung', ms: done() }
    const winner = await Promise.race([settled, elapsed(left)])
    if (winner !== undefined) return winner
  }
}

/** A timer that is cleared by nobody, and keeps nothing alive. */
function elapsed(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref())
}
