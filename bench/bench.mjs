#!/usr/bin/env node
/**
 * The benchmark: this client beside bare pipes, bare node:http, bare fetch and other clients.
 *
 *   npm run bench                        every row, the report and its plots in bench/results/
 *   npm run bench -- --check             the gate: ratios against the targets with 25 % slack, exit 1 on a miss
 *   npm run bench -- --only stdio        rows whose name contains this (no report is written)
 *   npm run bench -- --quick             one short pass, to see that everything runs
 *   npm run bench -- --node 24           on another Node: a path, or 24 for the one among this folder's dependencies
 *   npm run bench -- --date 2026-12-01   the date that the report bears
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    node: { type: 'string', default: process.execPath },
    date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
  },
})

if (!existsSync(path('node_modules/.package-lock.json'))) {
  console.log('installing the clients to compare with …')
  const { status } = spawnSync('npm', ['ci', '--no-fund', '--no-audit'], { cwd: path('.'), stdio: 'inherit' })
  if (status !== 0) {
    console.error('bench: its dependencies could not be installed (npm ci in bench/)')
    process.exit(1)
  }
}
if (!existsSync(path('../dist/index.js'))) {
  console.error('bench: dist/index.js is missing; run `npm run build` first')
  process.exit(1)
}

// What has been started ends with this process, also when it is told to go.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.once(signal, () => process.exit(code))

const { runBenchmark } = await import('./harness/run-benchmark.mjs')
process.exit(await runBenchmark({ ...values, node: values.node === '24' ? path('node_modules/node24/bin/node') : values.node }))
