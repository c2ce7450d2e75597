// Prints, for each engine: the first compile and check of a process, a later compile, and one check of a small value and of rows.
// All engines but Ajv run without `eval`, as they must on workers; Ajv cannot, and stands here for comparison.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const engines = ['switchboard', 'typebox', 'json-schema-library', 'cfworker', 'ajv (eval)']
const here = fileURLToPath(import.meta.url)
const once = fileURLToPath(new URL('measure.mjs', import.meta.url))

const bundle = await rolldown({ input: fileURLToPath(new URL('../../src/schema/engine.ts', import.meta.url)), external: ['re2js'] })
await bundle.write({ file: fileURLToPath(new URL('dist/engine.mjs', import.meta.url)), minify: true })
await bundle.close()

const runs = Number(process.argv[2] ?? 5)
const rows = engines.map((engine) => ({ engine, samples: [] }))
// Interleaved, so that the machine's other work falls on all alike.
for (let i = 0; i < runs; i++) {
  for (const { engine, samples } of rows) {
    const flags = engine.includes('eval') ? [] : ['--disallow-code-generation-from-strings']
    samples.push(
      JSON.parse(execFileSync(process.execPath, [...flags, once, engine], { cwd: fileURLToPath(new URL('.', import.meta.url)) })),
    )
  }
}
// The least disturbed process: what other work on the machine adds is never negative.
const best = (values) => Math.min(...values)
const table = rows.map(({ engine, samples }) => ({
  engine,
  'first compile + check, ms': best(samples.map((s) => s.first)),
  'later compile + check, ms': best(samples.map((s) => s.later)),
  'small check, µs': best(samples.map((s) => s.small)),
  'rows check, µs': best(samples.map((s) => s.rows)),
}))
const ours = table[0]['rows check, µs']
console.log(`${here.split('/').slice(-3).join('/')}, Node ${process.version}, best of ${runs} processes each`)
console.table(table.map((row) => ({ ...row, 'rows ÷ ours': row['rows check, µs'] / ours })).map(rounded))

function rounded(row) {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, typeof value === 'number' ? Number(value.toPrecision(3)) : value]),
  )
}
