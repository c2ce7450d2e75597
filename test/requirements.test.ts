import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { requirements } from './requirements.ts'
import { shows } from './support/evidence.ts'

const all = requirements.flatMap((area) => area.requirements)
const lawBook = join(process.env.SWITCHBOARD_SHARED ?? '../shared', 'spec-lawbook.md')
const there = existsSync(lawBook)
if (!there) console.log(`skip: the requirements against the rules of the specification (${lawBook} is not there)`)

describe('the requirements', () => {
  it('have each rule once', () => {
    const ids = all.map(({ id }) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('name only tests that exist', () => {
    const missing = all.flatMap(({ id, state }) =>
      'shownBy' in state
        ? state.shownBy.filter((evidence) => !shows(evidence)).map(([file, fragment]) => `${id}: ${file}: ${fragment}`)
        : [],
    )
    expect(missing).toEqual([])
  })

  it('say why no test shows a rule', () => {
    const unsaid = all.filter(({ state }) => 'because' in state && state.because.length < 20)
    expect(unsaid.map(({ id }) => id)).toEqual([])
  })

  it.skipIf(!there)('are every MUST and MUST NOT of the list of rules', () => {
    const known = new Set(all.map(({ id }) => id))
    expect(rules(readFileSync(lawBook, 'utf8')).filter((id) => !known.has(id))).toEqual([])
  })
})

/** The ids of the rules in the chapters on clients that say MUST, or MN for MUST NOT. */
function rules(text: string): string[] {
  const chapter = text.slice(text.indexOf('\n## 3.'), text.indexOf('\n## 4.'))
  return [...chapter.matchAll(/^- ([A-Z]+\d+) .*\b(?:MUST|MN)\b/gm)].map(([, id]) => id ?? '')
}
