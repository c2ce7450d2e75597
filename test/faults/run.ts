// Injects faults into conversations of a real client with a counting server and checks what must hold all the same:
//   tsx --conditions=switchboard-source test/faults/run.ts [--count 2000] [--seed n] [--only index] [--all [--kinds cut,end] [--from index]]
// `--all` does it at every byte of every conversation, which takes a while. Ends with code 1 when anything was broken.
import { parseArgs } from 'node:util'
import { everyByte, KINDS, type Kind, type Plan, planOf, shown } from './plan.ts'
import { ENDS, ROWS, Suite } from './suite.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '2100' },
    seed: { type: 'string' },
    only: { type: 'string' },
    all: { type: 'boolean', default: false },
    from: { type: 'string', default: '0' },
    kinds: { type: 'string', default: 'cut,end,corrupt,truncate' },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000_000)
const kinds = KINDS.filter((kind: Kind) => values.kinds.split(',').includes(kind))
/** Few enough that what a process holds behind them says something. */
const BATCH = 120

const began = performance.now()
const suite = new Suite()
await suite.open()
const lengthsOf = await suite.measure()

let batch: Plan[] = []
let told = performance.now()
for (const plan of plans()) {
  batch.push(plan)
  if (batch.length < BATCH) continue
  await suite.batch(batch)
  batch = []
  if (performance.now() - told > 15_000) {
    told = performance.now()
    console.log(`… ${suite.ran} conversations to #${plan.index}, ${suite.findings.length} broken`)
  }
}
if (batch.length > 0) await suite.batch(batch)
await suite.close()

function* plans(): Iterable<Plan> {
  if (values.all) {
    for (const plan of everyByte(seed, kinds, lengthsOf)) {
      if (values.only === undefined ? plan.index >= Number(values.from) : plan.index === Number(values.only)) yield plan
    }
    return
  }
  const first = Number(values.only ?? 0)
  const count = values.only === undefined ? Number(values.count) : 1
  for (let index = first; index < first + count; index++) {
    const plan = planOf(seed, index, lengthsOf)
    if (values.only !== undefined) console.log(shown(plan))
    yield plan
  }
}

console.log(`seed ${seed}`)
console.log(`| ${'first fault'.padEnd(12)} |${ENDS.map((end) => ` ${end.padStart(13)} |`).join('')}`)
console.log(`|${'-'.repeat(14)}|${ENDS.map(() => `${'-'.repeat(15)}|`).join('')}`)
for (const row of ROWS) {
  const counts = suite.counts.get(row)
  if (counts !== undefined)
    console.log(`| ${row.padEnd(12)} |${ENDS.map((end) => ` ${String(counts.get(end) ?? 0).padStart(13)} |`).join('')}`)
}
for (const { plan, index, problems } of suite.findings) {
  console.log(`\nbroken: ${plan}\n  again with: --seed ${seed}${values.all ? ` --all --kinds ${values.kinds}` : ''} --only ${index}`)
  for (const problem of problems) console.log(`  ${problem}`)
}
const seconds = ((performance.now() - began) / 1_000).toFixed(0)
console.log(`\n${suite.ran} conversations, in ${suite.happened} of them the fault came to pass, ${seconds} s`)
console.log(`${suite.ran - suite.findings.length} passed, ${suite.findings.length} failed, 0 skipped`)
process.exit(suite.findings.length === 0 ? 0 : 1)
