/**
 * Writes bench/results/: `numbers.json` with everything that was measured, one entry per Node version, and from it `report.md` and
 * the plots. A run replaces the entry of its own Node version and leaves the others.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Samples } from '../harness/samples.mjs'
import { markdown } from './markdown.mjs'
import { plots } from './plots.mjs'

const FOLDER = new URL('../results/', import.meta.url)
const NUMBERS = new URL('numbers.json', FOLDER)

export function writeReport({ samples, speed, nodeVersion, date }) {
  const runs = readRuns()
  const machine = `${availableParallelism()} cores, ${process.platform} ${process.arch}`
  runs[nodeVersion.split('.')[0]] = { nodeVersion, date, machine, speed, ...samples.toJSON() }
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(NUMBERS, `${JSON.stringify(runs, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(5)) : value))}\n`)
  render(runs)
  console.log('\nwritten: bench/results/report.md and its plots')
}

function readRuns() {
  try {
    return JSON.parse(readFileSync(NUMBERS, 'utf8'))
  } catch {
    return {}
  }
}

/** Newest Node last; the plots show that one. */
export function render(runs = readRuns()) {
  const measured = Object.values(runs)
    .map((run) => ({ ...run, samples: Samples.fromJSON(run) }))
    .sort((a, b) => a.nodeVersion.localeCompare(b.nodeVersion, 'en', { numeric: true }))
  const pictures = plots(measured)
  for (const { file, svg } of pictures) writeFileSync(new URL(file, FOLDER), svg)
  writeFileSync(new URL('report.md', FOLDER), markdown(measured, pictures))
}
