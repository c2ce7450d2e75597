// What is known not to pass yet, by scenario or by scenario@revision. The format is the one of the suite's own `--expected-failures`.
import { readFileSync } from 'node:fs'

/** The entries under `client:`; comments and blank lines are free. */
export function expectedFailures(file) {
  const entries = []
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const text = line.replace(/\s*#.*$/, '')
    if (text.trim() === '' || text === 'client:') continue
    const [, entry] = /^\s+-\s+(\S+)\s*$/.exec(text) ?? []
    if (entry === undefined) throw new Error(`${file}: cannot read the line "${line}"`)
    if (!entry.startsWith('auth/')) throw new Error(`${file}: only auth/* may be expected to fail, not ${entry}`)
    entries.push(entry)
  }
  return entries
}

/** Sorts results into what passes, what fails as expected, what fails otherwise, and entries that no longer fail. */
export function judge(results, entries) {
  const covers = (entry, { scenario, version }) => entry === scenario || entry === `${scenario}@${version}`
  const expected = (result) => entries.some((entry) => covers(entry, result))
  const failing = results.filter((result) => result.verdict !== 'pass')
  return {
    passed: results.filter((result) => result.verdict === 'pass'),
    expected: failing.filter(expected),
    unexpected: failing.filter((result) => !expected(result)),
    // An entry is stale when one of the cells it covers passes, or when it covers none of a whole run.
    stale: entries.filter((entry) => {
      const covered = results.filter((result) => covers(entry, result))
      return covered.some((result) => result.verdict === 'pass')
    }),
    unknown: entries.filter((entry) => !results.some((result) => covers(entry, result))),
  }
}
