/** A seeded source of random numbers: the same seed and index give the same numbers on every machine. */
export interface Random {
  /** At least 0, below 1. */
  next(): number
  /** A whole number of at least 0, below `below`. */
  int(below: number): number
  pick<T>(items: readonly [T, ...T[]]): T
  chance(probability: number): boolean
}

/** Mulberry32: small, fast, and good enough to spread faults. */
export function random(seed: number, index = 0): Random {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)) >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (below: number): number => Math.floor(next() * below)
  return {
    next,
    int,
    pick: (items) => items[int(items.length)] ?? items[0],
    chance: (probability) => next() < probability,
  }
}
