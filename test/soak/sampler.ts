import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { slope } from './regression.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

interface Sample {
  readonly seconds: number
  readonly heap: number
  readonly handles: number
  readonly listeners: number
}

/** What stands before this part of the time is the warming up. */
const WARM = 0.25

/** Looks once a second at what is left of the heap behind a collection, and at what keeps the process going. */
export class Sampler {
  readonly #began = performance.now()
  readonly #samples: Sample[] = []
  readonly #timer = setInterval(() => this.#sample(), 1_000)

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Bytes of heap per second. */
  get heapSlope(): number {
    return slope(this.#warm().map(({ seconds, heap }) => [seconds, heap]))
  }

  get listeners(): readonly [first: number, last: number] {
    const warm = this.#warm()
    return [warm[0]?.listeners ?? 0, warm.at(-1)?.listeners ?? 0]
  }

  /** First and last mean of five samples, in bytes. */
  get heap(): readonly [first: number, last: number] {
    const warm = this.#warm()
    const mean = (samples: readonly Sample[]): number => samples.reduce((sum, { heap }) => sum + heap, 0) / Math.max(1, samples.length)
    return [mean(warm.slice(0, 5)), mean(warm.slice(-5))]
  }

  get handles(): readonly [least: number, most: number] {
    return extent(this.#warm())
  }

  /** The same of the first and the last third. */
  get handlesInThirds(): readonly [first: readonly [least: number, most: number], last: readonly [least: number, most: number]] {
    const warm = this.#warm()
    const third = Math.ceil(warm.length / 3)
    return [extent(warm.slice(0, third)), extent(warm.slice(-third))]
  }

  #warm(): readonly Sample[] {
    return this.#samples.slice(Math.floor(this.#samples.length * WARM))
  }

  #sample(): void {
    collectGarbage()
    const events = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP', 'warning']
    this.#samples.push({
      seconds: (performance.now() - this.#began) / 1_000,
      heap: process.memoryUsage().heapUsed,
      handles: process.getActiveResourcesInfo().length,
      listeners: events.reduce((sum, event) => sum + process.listenerCount(event), 0),
    })
  }
}

function extent(samples: readonly Sample[]): readonly [least: number, most: number] {
  const counts = samples.map(({ handles }) => handles)
  return [Math.min(...counts), Math.max(...counts)]
}
