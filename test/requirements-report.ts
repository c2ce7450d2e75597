/** Prints how much of what the specification demands of a client is shown by tests: by area and era, and what is open or not ours. */
import type { Requirement } from './requirements/requirement.ts'
import { requirements } from './requirements.ts'

const COLUMNS: readonly Requirement['state']['is'][] = ['tested', 'host', 'listed', 'open']
const line = (name: string, of: readonly Requirement[]): string => {
  const counts = [of.length, ...COLUMNS.map((is) => of.filter(({ state }) => state.is === is).length)]
  return `${name.padEnd(38)}${counts.map((each) => String(each).padStart(9)).join('')}`
}

const all = requirements.flatMap((area) => area.requirements)
console.log(`${'area'.padEnd(38)}${['rules', ...COLUMNS].map((head) => head.padStart(9)).join('')}`)
for (const { title, requirements: of } of requirements) console.log(line(title, of))
for (const eras of ['both', 'legacy', 'modern'] as const) {
  console.log(
    line(
      eras === 'both' ? 'of both eras' : `of the ${eras} era alone`,
      all.filter((each) => each.eras === eras),
    ),
  )
}
console.log(line('all', all))

const ours = all.filter(({ state }) => state.is === 'tested' || state.is === 'open')
const shown = ours.filter(({ state }) => state.is === 'tested')
console.log(
  `\nof the ${ours.length} rules that a library can fulfil, ${shown.length} are shown by tests (${Math.floor((100 * shown.length) / ours.length)} %)`,
)

for (const { id, rule, state } of all)
  if (state.is === 'host' || state.is === 'listed') console.log(`${state.is.padEnd(7)} ${id.padEnd(5)} ${rule}: ${state.because}`)
for (const { id, rule, state } of all) if (state.is === 'open') console.log(`open    ${id.padEnd(5)} ${rule} (${state.work})`)
