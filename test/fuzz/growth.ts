/** Twice the input may take so much longer: a little more than twice, as memory is not equally fast everywhere. Quadratic work takes four times. */
const MOST_TIMES = 3
/** Work that is done faster than this says nothing. */
const LEAST_MS = 6
const SMALLEST = 1 << 14
const LARGEST = 1 << 22
const TRIES = 8

/** Which of these works grow faster than their input, as sentences. */
export function growth(works: Readonly<Record<string, (size: number) => () => void>>): string[] {
  const problems: string[] = []
  for (const [name, of] of Object.entries(works)) {
    let size = SMALLEST
    while (size < LARGEST && best(of(size), 1) < LEAST_MS) size *= 2
    // Another process may have had the processor: only what is slow each time is slow.
    let times = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < TRIES && times > MOST_TIMES; attempt++)
      times = best(of(size * 2), 3) / Math.max(best(of(size), 3), LEAST_MS / 2)
    if (times > MOST_TIMES) problems.push(`broken: ${name}: twice ${size} takes ${times.toFixed(1)} times as long`)
  }
  return problems
}

function best(work: () => void, runs: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const began = performance.now()
    work()
    least = Math.min(least, performance.now() - began)
  }
  return least
}
