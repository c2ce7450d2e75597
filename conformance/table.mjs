// The table of a run, as markdown.

const mark = { pass: 'pass', fail: 'FAIL', vacuous: 'vacuous' }

function cell(result) {
  if (result === undefined) return ''
  const notes = [result.warning > 0 && `${result.warning} warned`, result.skipped > 0 && `${result.skipped} skipped`].filter(Boolean)
  return `${mark[result.verdict]} ${result.success}/${result.success + result.failure}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
}

/** Rows are scenarios, columns revisions; `pass 9/9` counts the checks. */
export function table(results) {
  const versions = [...new Set(results.map((result) => result.version))].sort()
  const scenarios = [...new Set(results.map((result) => result.scenario))]
  const rows = scenarios.map((scenario) => [
    scenario,
    ...versions.map((version) => cell(results.find((result) => result.scenario === scenario && result.version === version))),
  ])
  return aligned([['scenario', ...versions], ...rows])
}

function aligned([head, ...rows]) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)))
  const line = (row) => `| ${row.map((text, column) => text.padEnd(widths[column])).join(' | ')} |`
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n')
}
