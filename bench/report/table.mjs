/** The table that a run prints. */
import { COLUMNS, cellsOf, failuresOf } from './cells.mjs'

export function printTable(rows, samples, speed) {
  const lines = [['row', ...COLUMNS, 'target', 'is', 'gate', '']]
  for (const row of rows) {
    const { numbers, checks, skipped } = cellsOf(row, samples, speed)
    const [first, ...more] = checks
    lines.push([row.id, ...numbers, ...verdict(first, skipped)])
    for (const check of more) lines.push(['', ...COLUMNS.map(() => ''), ...verdict(check, skipped)])
  }
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  for (const line of lines) {
    console.log(
      line
        .map((cell, column) => (column === 0 || column > COLUMNS.length ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
        .join('  ')
        .trimEnd(),
    )
  }
  for (const failure of failuresOf(rows, samples)) console.log(`  ${failure}`)
}

function verdict(check, skipped) {
  if (!check) return ['', '', '', '']
  if (!check.measured) return [check.text, '', '', skipped ? `skip: ${skipped}` : 'MISS, no number']
  if (check.passed && check.knownMiss !== undefined) return [check.text, check.shown, check.limit, `missed, as known: ${check.knownMiss}`]
  return [check.text, check.shown, check.limit, check.passed ? (check.met ? 'ok' : 'ok, with slack') : 'MISS']
}
