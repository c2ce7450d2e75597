// Runs the official suite against the built client, one cell (scenario × revision) after the other, and prints a table.
//
//   node run.mjs [--scenario <part of a name>] [--version 2026-07-28] [--era auto] [--jobs 2] [--timeout 30000]
//
// A cell passes when the suite's command exits 0 (no failed check, no warning, no timeout, no failing client) and at least one check
// succeeded. A cell in which nothing was checked is vacuous: it does not pass. `expected-failures.yaml` names what is known not to pass:
// a failure that is not in it fails the run, and so does an entry that no longer fails.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { expectedFailures, judge } from './expected.mjs'
import { listCells, runCell, suiteVersion } from './suite.mjs'
import { table } from './table.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const { values: options } = parseArgs({
  options: {
    scenario: { type: 'string', default: '' },
    version: { type: 'string' },
    era: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    timeout: { type: 'string', default: '30000' },
  },
})

if (!existsSync(join(here, '../dist/index.js'))) {
  console.error('there is no dist/: run `npm run build` first')
  process.exit(2)
}
if (!existsSync(join(here, 'node_modules'))) execFileSync('npm', ['ci'], { cwd: here, stdio: 'inherit' })

const out = join(here, 'out')
const all = await listCells()
const cells = all.filter(
  ({ scenario, version }) => scenario.includes(options.scenario) && (options.version === undefined || version === options.version),
)
const results = new Array(cells.length)
let next = 0
async function work() {
  for (let index = next++; index < cells.length; index = next++) {
    const cell = cells[index]
    const result = await runCell(cell, { out, era: options.era, timeoutMs: Number(options.timeout) })
    results[index] = result
    const notes = [result.timedOut && 'timed out', result.clientFailed && 'client failed'].filter(Boolean).join(', ')
    console.log(`${result.verdict.padEnd(7)} ${result.version.padEnd(10)} ${result.scenario} ${result.ms} ms ${notes}`)
  }
}
await Promise.all(Array.from({ length: Number(options.jobs) }, work))

const whole = cells.length === all.length
const { passed, expected, unexpected, stale, unknown } = judge(results, expectedFailures(join(here, 'expected-failures.yaml')))
const problems = [
  ...unexpected.flatMap(({ verdict, version, scenario, problems: reasons }) => [
    `unexpected: ${verdict} ${scenario} at ${version}`,
    ...reasons.map((reason) => `    ${reason}`),
  ]),
  ...stale.map((entry) => `stale: ${entry} is expected to fail and passes`),
  ...(whole ? unknown.map((entry) => `stale: ${entry} is expected to fail and is not in the suite`) : []),
]
const core = results.filter(({ scenario, version }) => version !== 'extension' && !scenario.startsWith('auth/'))
const report = [
  `# Conformance suite ${suiteVersion()}, Node ${process.version}${options.era === undefined ? '' : `, era ${options.era}`}`,
  '',
  table(results),
  '',
  `${passed.length} of ${results.length} cells pass; ${expected.length} are expected failures, ${unexpected.length} unexpected; ` +
    `${results.filter(({ verdict }) => verdict === 'vacuous').length} vacuous (nothing was checked)`,
  `without OAuth and extensions: ${core.filter(({ verdict }) => verdict === 'pass').length} of ${core.length}`,
  ...problems,
].join('\n')
mkdirSync(out, { recursive: true })
writeFileSync(join(out, 'summary.md'), `${report}\n`)
writeFileSync(join(out, 'results.json'), JSON.stringify(results, null, 1))
console.log(`\n${report}`)
console.log(`${passed.length} passed, ${unexpected.length + stale.length} failed, ${expected.length} skipped`)
process.exitCode = problems.length === 0 ? 0 : 1
