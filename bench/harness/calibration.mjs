/**
 * How fast this machine is now, beside the one on which the targets in milliseconds were set: the CPU time of a fixed piece
 * of work of the kind a client does. Measured several times during a run; an absolute target is stretched by it, never shrunk.
 */

/** Milliseconds of the work below on a quiet core of the reference machine (Node 20). */
const REFERENCE_MS = 50

export function calibrate() {
  const message = JSON.stringify({ rows: Array.from({ length: 50 }, (_, i) => ({ id: `row ${i}`, score: i / 3, tags: ['a', 'b'] })) })
  work(message, 300)
  const before = process.cpuUsage()
  work(message, 1000)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e3 / REFERENCE_MS
}

function work(message, times) {
  const seen = new Map()
  for (let i = 0; i < times; i++) {
    const parsed = JSON.parse(message)
    for (const row of parsed.rows) seen.set(row.id, row.score)
    if (JSON.stringify(parsed).length !== message.length) throw new Error('not the same')
  }
  return seen
}
