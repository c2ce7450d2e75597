// Drives servers that nobody here wrote, over stdio and Streamable HTTP, in every era they speak, and prints a table.
//   node run.mjs [--server <part of a name>] [--transport stdio|http] [--era 2026-07-28]
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const here = dirname(fileURLToPath(import.meta.url))
const { values: options } = parseArgs({
  options: { server: { type: 'string', default: '' }, transport: { type: 'string', default: '' }, era: { type: 'string' } },
})
if (!existsSync(join(here, '../dist/index.js'))) {
  console.error('there is no dist/: run `npm run build` first')
  process.exit(2)
}
if (!existsSync(join(here, 'node_modules'))) execFileSync('npm', ['ci'], { cwd: here, stdio: 'inherit' })

const { connect } = await import('../dist/index.js')
const { checksOf, columns } = await import('./checks.mjs')
const { officialAnswers } = await import('./official-client.mjs')
const { rows } = await import('./rows.mjs')
const { commands, startHttp } = await import('./servers.mjs')

const CHECK_MS = 30_000
const folder = mkdtempSync(join(tmpdir(), 'switchboard-interop-'))
writeFileSync(join(folder, 'hello.txt'), 'hello from a file\n')

/** Runs the checks of one row, each bounded; one that fails does not hide the others. */
async function runRow(row) {
  const http = row.transport === 'http' ? await startHttp(row.server) : undefined
  const command = commands[row.server](folder)
  let answer
  let asked
  const target = {
    row,
    connect: () =>
      connect(http?.url ?? command, {
        era: row.era,
        logger: false,
        handlers: { elicitation: { form: () => answer } },
        ...(http === undefined && { stderr: () => {} }),
      }),
    decide: (next) => {
      answer = next
    },
    official: () => {
      asked ??= officialAnswers({ command, url: http?.url, era: row.era, offers: row.offers })
      return asked
    },
    // Only a server of our own making says how many sessions it holds.
    sessions:
      http === undefined || row.server !== 'official v2'
        ? undefined
        : async () => (await fetch(`${http.origin}/sessions`, { headers: { connection: 'close' } })).text(),
  }
  const checks = checksOf(target)
  const verdicts = {}
  for (const column of columns) {
    const check = checks[column]
    if (check === undefined) verdicts[column] = 'none'
    else if (column !== 'connect' && verdicts.connect !== 'ok') verdicts[column] = 'none'
    else verdicts[column] = await bounded(check)
  }
  await http?.stop()
  return verdicts
}

async function bounded(check) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing after ${CHECK_MS} ms`)), CHECK_MS)
  })
  try {
    await Promise.race([(async () => check())(), late])
    return 'ok'
  } catch (error) {
    return `fail: ${error instanceof Error ? error.message : String(error)}`
  } finally {
    clearTimeout(timer)
  }
}

const lines = [`| server | transport | era | ${columns.join(' | ')} |`, `|---|---|---|${columns.map(() => '---').join('|')}|`]
const failures = []
let passed = 0
try {
  for (const row of rows(folder)) {
    const wanted = row.server.includes(options.server) && row.transport.includes(options.transport) && row.era === (options.era ?? row.era)
    if (!wanted) continue
    const verdicts = await runRow(row)
    const cells = columns.map((column) => (verdicts[column] === 'ok' ? 'ok' : verdicts[column] === 'none' ? '–' : 'FAIL'))
    lines.push(`| ${row.server} | ${row.transport} | ${row.era} | ${cells.join(' | ')} |`)
    console.log(lines.at(-1))
    for (const [column, verdict] of Object.entries(verdicts)) {
      if (verdict === 'ok') passed += 1
      else if (verdict !== 'none')
        failures.push(`${row.server}, ${row.transport}, ${row.era}: ${column}: ${verdict.slice('fail: '.length)}`)
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
mkdirSync(join(here, 'out'), { recursive: true })
writeFileSync(join(here, 'out/summary.md'), `${[...lines, '', ...failures].join('\n')}\n`)
console.log(`\n${lines.join('\n')}\n`)
for (const failure of failures) console.log(failure)
console.log(`${passed} passed, ${failures.length} failed, 0 skipped`)
process.exitCode = failures.length === 0 ? 0 : 1
