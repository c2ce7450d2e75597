/** A start that takes longer gives its place away, so that servers that hang cost the others little. */
const PLACE_MS = 5_000

/** Lets so many servers start at once. */
export class StartGate {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(concurrency: number) {
    this.#free = concurrency
  }

  /** Starts when there is a place, in the order of asking. */
  async run<T>(start: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    let held = true
    const leave = (): void => {
      if (!held) return
      held = false
      clearTimeout(timer)
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
    const timer = setTimeout(leave, PLACE_MS)
    try {
      return await start()
    } finally {
      leave()
    }
  }
}
