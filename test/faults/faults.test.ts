import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KINDS, planOf, SCENARIOS, shown } from './plan.ts'
import { Suite } from './suite.ts'

// A small sample of `npm run faults`, so that the machinery itself is kept in order.

const SEED = 7
const COUNT = 2 * SCENARIOS.length * KINDS.length

const suite = new Suite()
beforeAll(() => suite.open())
afterAll(() => suite.close())

describe('a conversation over a bad network or with a dying process', () => {
  it('settles, runs no tool twice, tells the truth about what ran and leaves nothing behind', { timeout: 60_000 }, async () => {
    const lengthsOf = await suite.measure()
    await suite.batch(Array.from({ length: COUNT }, (_, index) => planOf(SEED, index, lengthsOf)))
    expect(suite.findings).toEqual([])
    // Else the faults miss the conversations, and nothing is proved.
    expect(suite.happened).toBeGreaterThan(COUNT * 0.9)
  })
})

describe('a plan', () => {
  it('is the same for the same seed and index', () => {
    const lengths = () => ({ up: 1_000, down: 2_000 })
    expect(shown(planOf(3, 17, lengths))).toBe(shown(planOf(3, 17, lengths)))
    expect(shown(planOf(3, 17, lengths))).not.toBe(shown(planOf(4, 17, lengths)))
  })
})
