/** Compares what was measured with the targets of a row. */
import { KNOWN_MISSES } from '../known-misses.mjs'

export const SLACK = 1.25

const NAMES = { 'raw-stdio': 'raw', 'raw-http': 'raw', 'raw-fetch': 'raw' }
const nameOf = (client) => NAMES[client] ?? client

/**
 * @param speed how much slower than the reference this machine is now (calibration.mjs)
 * @returns for each target of the row `{ text, shown, limit, met, passed, measured }`: `met` is the target itself, `passed` the
 * gate with its slack; `measured` is false when the run has no number for it; `knownMiss` says why a target is missed that is known to be
 */
export function judge(row, samples, speed) {
  const { job, key, metric, ours } = row
  const own = samples.median(job, ours, key, metric)
  // Failing once is failing: what other processes of the same run measured does not make up for it.
  const failed = samples.failure(job, ours) !== undefined
  return row.targets.map((target) => {
    const { value: found, max, text, digits } = read(target)
    const value = failed ? undefined : found
    const exact = target.kind === 'exact'
    const known = exact || target.firm ? undefined : KNOWN_MISSES[row.id]
    const limit = Math.max(max, known?.measured ?? 0) * (exact || target.firm ? 1 : SLACK) * (target.scaled ? Math.max(1, speed) : 1)
    const usual = max * SLACK
    const within = (bound) => (exact ? value === bound : value <= bound)
    return {
      text,
      shown: value?.toFixed(digits),
      limit: limit.toFixed(digits),
      met: value !== undefined && within(max),
      passed: value !== undefined && within(limit),
      measured: value !== undefined,
      knownMiss: known !== undefined && value > usual ? known.because : undefined,
    }
  })

  function read(target) {
    switch (target.kind) {
      case 'ratio':
        return {
          value: samples.ratio(job, ours, target.over, key, metric),
          max: target.max,
          text: `≤ ${target.max}× ${nameOf(target.over)}`,
          digits: 2,
        }
      case 'growth':
        return {
          value: samples.ratio(job, ours, ours, key, metric, target.from),
          max: target.max,
          text: `≤ ${target.max}× ${target.from}`,
          digits: 2,
        }
      case 'most':
        return { value: own, max: target.max, text: `≤ ${target.max} ${target.unit}`.trim(), digits: Number.isInteger(own) ? 0 : 1 }
      case 'exact':
        return { value: own, max: target.value, text: `= ${target.value.toLocaleString('en')}`, digits: 0 }
      default:
        throw new Error(`unknown target ${target.kind}`)
    }
  }
}
