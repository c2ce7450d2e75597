/** Prints what became of every promise: totals, each section, and the open rows by the work that will deliver them. */
import type { Row, Work } from './seed/row.ts'
import { seed } from './seed.ts'

const rows: readonly Row[] = seed.flatMap((section) => section.rows)
const count = (of: readonly Row[], is: Row['state']['is']): number => of.filter(({ state }) => state.is === is).length
const line = (name: string, of: readonly Row[]): string =>
  `${name.padEnd(34)} ${[of.length, count(of, 'done'), count(of, 'different'), count(of, 'open')].map((each) => String(each).padStart(11)).join('')}`

console.log(`${'section'.padEnd(34)} ${['rows', 'done', 'different', 'open'].map((head) => head.padStart(11)).join('')}`)
for (const section of seed) console.log(line(section.title, section.rows))
console.log(line('all', rows))

const byWork = new Map<Work, string[]>()
for (const { no, feature, state } of rows) {
  if (state.is !== 'open') continue
  const note = state.missing === undefined ? '' : ` (still missing: ${state.missing})`
  byWork.set(state.work, [...(byWork.get(state.work) ?? []), `${String(no).padStart(5)}  ${feature}${note}`])
}
for (const [work, open] of byWork) console.log(`\n${work}: ${open.length} open\n${open.join('\n')}`)

console.log('\ndifferent on purpose')
for (const { no, feature, state } of rows)
  if (state.is === 'different') console.log(`${String(no).padStart(5)}  ${feature}: ${state.because}`)
