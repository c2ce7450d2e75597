import { McpError } from '../../src/index.ts'
import type { Report } from './conversation.ts'
import type { Kind } from './plan.ts'
import type { Step } from './steps.ts'

/** What these do to the bytes may make another message of them, even a plausible one. */
const FORGES: ReadonlySet<Kind> = new Set(['corrupt', 'truncate'])

/** Every promise that was broken, as sentences. */
export function broken(report: Report): string[] {
  const { steps, left, plan } = report
  const problems = left.map((what) => `left behind: ${what}`)
  const forged = plan.faults.some(({ kind }) => FORGES.has(kind))
  for (const each of steps) {
    if (each.end === 'hung') problems.push(`${each.what} did not settle within ${Math.round(each.ms)} ms`)
    if (each.end === 'rejected') problems.push(...rejection(each, report, forged))
    if (each.end === 'resolved' && each.key !== undefined && !forged) problems.push(...resolution(each, each.key, report))
    if (each.key !== undefined) problems.push(...tooOften(each.key, report))
  }
  const close = steps.find(({ what }) => what === 'close')
  if (close?.end === 'rejected') problems.push(`close rejected: ${String(close.error)}`)
  return problems
}

function tooOften(key: string, { counting, faults, plan }: Report): string[] {
  if (plan.repeats) return []
  const ran = counting.executions.get(key) ?? 0
  // A request that the network doubled was sent once.
  const most = faults.duplicatedUp ? 2 : 1
  return ran > most ? [`the call ${key} ran ${ran} times`] : []
}

function rejection({ what, key, error }: Step, { counting, givenUp, faults, plan }: Report, forged: boolean): string[] {
  if (key !== undefined && what === 'call given-up' && error === givenUp) return []
  if (!(error instanceof McpError)) return [`${what} rejected with ${error instanceof Error ? error.stack : String(error)}`]
  const { outcome } = error
  if (outcome === undefined) return [`${what} rejected without an outcome: ${error.message}`]
  if (key === undefined) return []
  const ran = counting.executions.get(key) ?? 0
  const answered = counting.answers.get(key) ?? 0
  const said = `${what} rejected with ${error.code} "${error.message}"`
  // A word of the server that the network forged is believed; nothing can be known behind it.
  const forgedWord = forged && plan.faults.some(({ direction, kind }) => direction === 'down' && FORGES.has(kind))
  if (outcome === 'not-run' && ran > 0 && !forgedWord) return [`${said} as not run, but it ran ${ran} times`]
  if (outcome === 'answered' && answered === 0 && !forged && !faults.duplicatedUp)
    return [`${said} as answered, but the server never answered`]
  return []
}

function resolution({ what, value }: Step, key: string, { counting }: Report): string[] {
  const text = typeof value === 'object' && value !== null && 'text' in value ? value.text : undefined
  const problems: string[] = []
  if (text !== `ran ${key}`) problems.push(`${what} resolved with ${JSON.stringify(text)}`)
  if ((counting.executions.get(key) ?? 0) === 0) problems.push(`${what} resolved, but it never ran`)
  return problems
}
