/** A whole run: which jobs, in which depth; then the table, and the gate or the report. */
import { execFileSync } from 'node:child_process'
import { jobs } from '../jobs.mjs'
import { writeReport } from '../report/report.mjs'
import { printTable } from '../report/table.mjs'
import { rows } from '../rows.mjs'
import { calibrate } from './calibration.mjs'
import { judge } from './judge.mjs'
import { runImport } from './run-import.mjs'
import { runInstall } from './run-install.mjs'
import { runJob } from './run-job.mjs'
import { median, Samples } from './samples.mjs'
import { Servers } from './servers.mjs'

/** A check that has run for this long looks at no row again: it is part of CI, and has a place in its time. */
const SECOND_LOOK_UNTIL_MS = 330_000

const RUNNERS = { import: runImport, install: runInstall }

/** @returns the exit code */
export async function runBenchmark({ check, quick, only, node, date }) {
  const wanted = rows.filter((row) => only === undefined || row.id.includes(only) || row.title.includes(only))
  if (wanted.length === 0) {
    console.error(`bench: no row is called like "${only}"; there are ${rows.map((row) => row.id).join(', ')}`)
    return 2
  }
  const nodeVersion = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  console.log(`Node ${nodeVersion} runs every client and every server`)

  const began = performance.now()
  const servers = new Servers(node)
  const samples = new Samples()
  const speeds = []
  try {
    for (const job of jobs) {
      const own = wanted.filter((row) => row.job === job.id || row.targets.some(({ from }) => from === job.id))
      if (own.length === 0) continue
      await run(chosen(job, own))
    }
    if (check) await secondLook()
  } finally {
    servers.stop()
  }

  const speed = median(speeds)
  console.log(
    `\nspeed: ${speed.toFixed(2)}× the reference time for a fixed piece of work; targets in ms are stretched by it when it is above 1\n`,
  )
  printTable(wanted, samples, speed)
  if (check) return gate()
  if (only === undefined && !quick) writeReport({ samples, speed, nodeVersion, date })
  return 0

  /** In a check only those rivals run that a target names. */
  function chosen(job, own) {
    const named = own.flatMap((row) => row.targets.map(({ over }) => over))
    const rivals = check ? job.rivals.filter((rival) => named.includes(rival)) : job.rivals
    return { ...job, clients: [...job.clients, ...rivals] }
  }

  async function run(job) {
    const started = performance.now()
    process.stdout.write(`${job.id} (${job.clients.join(', ')}) `)
    speeds.push(calibrate())
    await (RUNNERS[job.scenario] ?? runJob)(job, {
      node,
      servers,
      samples,
      generations: quick ? 1 : job.generations,
      slices: quick ? Math.min(job.slices, 3) : job.slices,
      log: (text) => process.stdout.write(text),
    })
    console.log(` ${((performance.now() - started) / 1000).toFixed(1)} s`)
  }

  /** A row that misses is measured once more, as often again, and all of its samples count: a neighbour's burst is no regression. */
  async function secondLook() {
    const missed = wanted.filter((row) => judge(row, samples, median(speeds)).some(({ measured, passed }) => measured && !passed))
    for (const job of jobs) {
      const own = missed.filter((row) => row.job === job.id)
      if (own.length === 0 || job.scenario === 'install' || performance.now() - began > SECOND_LOOK_UNTIL_MS) continue
      await run(chosen(job, own))
    }
  }

  function knownMisses() {
    const ids = wanted.filter((row) => judge(row, samples, speed).some(({ knownMiss }) => knownMiss !== undefined)).map(({ id }) => id)
    return ids.length === 0 ? '' : `, but for the known misses ${ids.join(', ')}`
  }

  function gate() {
    const misses = wanted.filter((row) => !samples.skipped(row.job) && judge(row, samples, speed).some(({ passed }) => !passed))
    console.log(
      misses.length === 0
        ? `\nbench: every row is within its target and 25 % slack${knownMisses()}`
        : `\nbench: missed ${misses.map(({ id }) => id).join(', ')}`,
    )
    return misses.length === 0 ? 0 : 1
  }
}
