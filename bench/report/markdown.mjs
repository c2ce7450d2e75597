/** The report as Markdown: how it was measured, one table per group, what missed and what a rival could not do. */
import { rows } from '../rows.mjs'
import { COLUMNS, cellsOf, failuresOf } from './cells.mjs'

const INTRODUCTION = `# Benchmark

CPU is that of the client process (user and system, all of its threads), in a process of its own for each client. Clients take
turns in short slices, in changing order, so that all of them see the same machine; a process counts with the median of its slices,
a row with the median of its processes, a ratio with the median of the ratios of processes that ran side by side. That is why a ratio
can differ a little from the quotient of two medians beside it.

**raw** is the limit: bare pipes, bare \`node:http\` or bare \`fetch\`, whichever the row uses, without validation, deadlines or
cancellation. **v1** is \`@modelcontextprotocol/sdk\` 1.32.2, **v2** \`@modelcontextprotocol/client\` 2.4.0, **aisdk** \`@ai-sdk/mcp\` 2.0.99
(it reports no progress). All of them call the same small server, and the server answers everything that one read brought with one
write. Repeat it with \`npm run bench\`, and \`npm run bench -- --node 24\` for the second Node.
`

export function markdown(runs, pictures) {
  const parts = [INTRODUCTION, ...pictures.map(({ file, title }) => `![${title}](${file})`)]
  for (const run of runs) parts.push(section(run))
  return `${parts.join('\n\n')}\n`
}

function section({ nodeVersion, date, machine, speed, samples }) {
  const parts = [
    `## Node ${nodeVersion}`,
    `${date}, ${machine}, shared with other work. Both sides of every ratio ran on this Node. A fixed piece of work took ${speed.toFixed(2)} times its reference.`,
  ]
  for (const [group, members] of groupBy(rows)) {
    parts.push(`### ${group}`, table(members, samples, speed))
  }
  const failures = failuresOf(rows, samples)
  if (failures.length > 0) parts.push('### What failed', failures.map((failure) => `- ${failure}`).join('\n'))
  return parts.join('\n\n')
}

function groupBy(members) {
  const groups = new Map()
  for (const row of members) groups.set(row.group, [...(groups.get(row.group) ?? []), row])
  return groups
}

function table(members, samples, speed) {
  const lines = [`| row | ${COLUMNS.join(' | ')} | target: measured |`, `|---|${COLUMNS.map(() => '--:').join('|')}|---|`]
  for (const row of members) {
    const { numbers, checks, skipped } = cellsOf(row, samples, speed)
    const verdicts = checks.map((check) =>
      check.measured
        ? `${check.text}: ${check.met ? check.shown : `**${check.shown}, missed**`}`
        : `${check.text}: ${skipped ? `skipped, ${skipped}` : '**no number**'}`,
    )
    lines.push(`| ${row.title} | ${numbers.join(' | ')} | ${verdicts.join('; ')} |`)
  }
  return lines.join('\n')
}
