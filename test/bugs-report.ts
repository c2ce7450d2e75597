/** Prints what shows that reported faults of other clients do not occur here: totals by area, and what belongs to other work. */
import { bugs } from './bugs.ts'

const areas = [...new Set(bugs.map(({ area }) => area))]
console.log(`${'area'.padEnd(12)} ${['rows', 'shown', 'listed'].map((head) => head.padStart(7)).join('')}`)
for (const area of [...areas, undefined]) {
  const rows = bugs.filter((each) => area === undefined || each.area === area)
  const shown = rows.filter(({ state }) => state.is === 'shown').length
  console.log(
    `${(area ?? 'all').padEnd(12)} ${[rows.length, shown, rows.length - shown].map((count) => String(count).padStart(7)).join('')}`,
  )
}
for (const { no, area, kind, state } of bugs)
  if (state.is === 'listed') console.log(`${String(no).padStart(4)}  ${area}: ${kind} (${state.work})`)
