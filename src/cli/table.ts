import { cut, widthOf, wrap } from './terminal-text.ts'

/** A column: its heading, and how it yields when the terminal is narrow. */
export interface Column {
  readonly title: string
  /** `keep` its width, `wrap` into lines, or `cut` to what the others leave. */
  readonly narrow: 'keep' | 'wrap' | 'cut'
}

const GAP = 2
/** A column that yields is not made narrower than this. */
const LEAST = 12

/** The lines of a table, the heading first. Without `columns` nothing is cut or wrapped. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  terminalWidth: number = Number.POSITIVE_INFINITY,
): string[] {
  const all = [columns.map(({ title }) => title), ...rows]
  const natural = columns.map((_, index) => Math.max(...all.map((row) => widthOf(row[index] ?? ''))))
  const widths = fitted(columns, natural, terminalWidth)
  return all.flatMap((row) => {
    const cells = columns.map(({ narrow }, index) => {
      const text = row[index] ?? ''
      const width = widths[index] ?? LEAST
      return narrow === 'wrap' ? wrap(text, width) : [cut(text, width)]
    })
    const height = Math.max(...cells.map((lines) => lines.length))
    return Array.from({ length: height }, (_, line) =>
      joined(
        cells.map((lines) => lines[line] ?? ''),
        widths,
      ),
    )
  })
}

function joined(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => cell + ' '.repeat(Math.max(0, (widths[index] ?? 0) - widthOf(cell)) + GAP))
    .join('')
    .trimEnd()
}

function fitted(columns: readonly Column[], natural: readonly number[], terminalWidth: number): number[] {
  const widths = [...natural]
  const total = (): number => widths.reduce((sum, width) => sum + width, 0) + GAP * (columns.length - 1)
  for (const kind of ['cut', 'wrap', 'keep'] as const) {
    columns.forEach(({ narrow }, index) => {
      const over = total() - terminalWidth
      const width = widths[index] ?? 0
      if (narrow === kind && over > 0) widths[index] = Math.max(Math.min(width, LEAST + (kind === 'cut' ? LEAST : 0)), width - over)
    })
  }
  return widths
}
