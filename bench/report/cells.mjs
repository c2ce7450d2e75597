/** The cells of one row of a report, the same for the terminal and for Markdown. */
import { judge } from '../harness/judge.mjs'

export const COLUMNS = ['raw', 'ours', 'v1', 'v2', 'aisdk']

/** The client behind a column of this row: the bare one and ours differ from row to row. */
export const clientOf = (row, column) => (column === 'raw' ? row.raw : column === 'ours' ? row.ours : column)

/** Three significant digits, and never more than a reader can use. */
export function shortNumber(value) {
  if (value === undefined) return ''
  if (value >= 1000) return Math.round(value).toLocaleString('en')
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : Number.isInteger(value) ? String(value) : value.toFixed(2)
}

/** `{ numbers, checks, skipped }`: a text per column, the verdicts, and why the row was not measured, if it was not. */
export function cellsOf(row, samples, speed) {
  const numbers = COLUMNS.map((column) => {
    const client = clientOf(row, column)
    if (client === undefined) return ''
    if (samples.failure(row.job, client)) return 'fails'
    return shortNumber(samples.median(row.job, client, row.key, row.metric))
  })
  return { numbers, checks: judge(row, samples, speed), skipped: samples.skipped(row.job) }
}

/** What a client could not do: one sentence each. */
export function failuresOf(rows, samples) {
  const told = new Set()
  for (const row of rows) {
    for (const column of COLUMNS) {
      const client = clientOf(row, column)
      const failure = client && samples.failure(row.job, client)
      if (failure) told.add(`${row.job}: ${failure}`)
    }
  }
  return [...told]
}
