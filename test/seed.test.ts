import { describe, expect, it } from 'vitest'
import type { Row } from './seed/row.ts'
import { seed } from './seed.ts'
import { shows } from './support/evidence.ts'

const ROWS = 293
const rows: readonly Row[] = seed.flatMap((section) => section.rows)

describe('the seed', () => {
  it('has each of its rows once, in order within a section', () => {
    const numbers = rows.map(({ no }) => no)
    expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: ROWS }, (_, index) => index + 1))
    for (const section of seed) {
      const own = section.rows.map(({ no }) => no)
      expect(own, section.title).toEqual([...own].sort((a, b) => a - b))
    }
  })

  it('names a test for every row that is done', () => {
    expect(rows.filter(({ state }) => state.is === 'done' && state.shownBy.length === 0).map(({ no }) => no)).toEqual([])
  })

  it('says why a row is different', () => {
    expect(rows.filter(({ state }) => state.is === 'different' && state.because.length < 20).map(({ no }) => no)).toEqual([])
  })

  it('names only tests that exist', () => {
    const missing = rows.flatMap(({ no, state }) =>
      state.shownBy.filter((evidence) => !shows(evidence)).map(([file, fragment]) => `${no}: ${file}: ${fragment}`),
    )
    expect(missing).toEqual([])
  })
})
