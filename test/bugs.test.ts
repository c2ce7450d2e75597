import { describe, expect, it } from 'vitest'
import { bugs } from './bugs.ts'
import { shows } from './support/evidence.ts'

/** How many rows each area has. */
const ROWS = {
  stdio: 9,
  http: 12,
  sse: 6,
  'legacy-sse': 3,
  protocol: 7,
  pagination: 3,
  timeout: 4,
  leaks: 2,
  network: 3,
  reconnect: 4,
  schema: 6,
  vendor: 5,
  names: 3,
  results: 6,
  oauth: 12,
  config: 4,
  multi: 2,
}
/** What is not a matter of failures alone may be listed with the work that it belongs to. */
const MAY_BE_LISTED: readonly string[] = ['vendor', 'names', 'results', 'oauth', 'config', 'multi']

describe('the reported faults', () => {
  it('are all there, each once', () => {
    const counts = Object.fromEntries(Object.keys(ROWS).map((area) => [area, bugs.filter((bug) => bug.area === area).length]))
    expect(counts).toEqual(ROWS)
    expect(new Set(bugs.map(({ no }) => no)).size).toBe(bugs.length)
  })

  it('of transports, the protocol, time, leaks and reconnection are all shown not to occur', () => {
    expect(bugs.filter(({ area, state }) => state.is === 'listed' && !MAY_BE_LISTED.includes(area)).map(({ no }) => no)).toEqual([])
  })

  it('name only tests that exist', () => {
    const missing = bugs.flatMap(({ no, state }) =>
      state.is === 'shown' ? state.shownBy.filter((evidence) => !shows(evidence)).map(([file, title]) => `${no}: ${file}: ${title}`) : [],
    )
    expect(missing).toEqual([])
  })
})
