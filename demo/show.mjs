// How the demo prints: headings, columns, a bar that moves, and a tick for what was checked.
import { styleText } from 'node:util'

const LABEL = 10
const terminal = process.stdout.isTTY === true
const styled = (style, text) => (terminal && process.stdout.hasColors() ? styleText(style, text) : text)

export function heading(text) {
  console.log(`\n${styled('bold', text)}`)
}

export function line(label, text) {
  console.log(`  ${styled('dim', label.padEnd(LABEL))}${text}`)
}

/** Ends the demo unless a step gave what was expected; `shown` is what to print of it. */
export function check(label, actual, expected, shown = JSON.stringify(expected)) {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    throw new Error(`${label}: got ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`)
  }
  line(label, `${styled('green', '✓')} ${shown}`)
}

export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  for (const [index, row] of rows.entries()) {
    const text = row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd()
    console.log(`  ${index === 0 ? styled('dim', text) : text}`)
  }
}

/** Draws progress on one line; where stdout is no terminal only its end is shown. */
export function bar(label) {
  return ({ progress, total }) => {
    if (!terminal && progress < total) return
    const full = Math.round((24 * progress) / total)
    const drawn = `${'█'.repeat(full)}${'░'.repeat(24 - full)} ${progress}/${total}`
    process.stdout.write(`${terminal ? '\r' : ''}  ${styled('dim', label.padEnd(LABEL))}${drawn}${progress < total ? '' : '\n'}`)
  }
}
