import { converse, type Report, type Surroundings } from './conversation.ts'
import { broken } from './invariants.ts'
import { KINDS, type Lengths, type Plan, SCENARIOS, type Scenario, shown } from './plan.ts'
import { StdioFront } from './stdio-front.ts'
import { Lateness } from './steps.ts'

export interface Finding {
  readonly plan: string
  readonly index: number
  readonly problems: readonly string[]
}

/** How many conversations run at once: processes cost more than sockets. */
const AT_ONCE = { stdio: 6, http: 14 } as const
/** Timers and sockets that a batch may still be ending when it is looked at. */
const SETTLE_MS = 2_500

/** Runs plans, many at once, and collects what was broken. */
export class Suite {
  readonly findings: Finding[] = []
  /** Conversations by the kind of their first fault and by how their calls ended. */
  readonly counts: Map<string, Map<string, number>> = new Map()
  ran = 0
  happened = 0
  readonly #surroundings: Surroundings = { stdio: new StdioFront(), lateness: new Lateness() }
  readonly #accidents: string[] = []
  readonly #note = (error: unknown): void => {
    this.#accidents.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }

  async open(): Promise<void> {
    process.on('unhandledRejection', this.#note)
    process.on('uncaughtException', this.#note)
    await this.#surroundings.stdio.listen()
  }

  async close(): Promise<void> {
    await this.#surroundings.stdio.close()
    this.#surroundings.lateness.close()
    process.off('unhandledRejection', this.#note)
    process.off('uncaughtException', this.#note)
  }

  /** How long the conversations are when nothing goes wrong. */
  async measure(): Promise<(scenario: Scenario) => Lengths> {
    const lengths = new Map<Scenario, Lengths>()
    for (const scenario of SCENARIOS) {
      const plan: Plan = { index: 0, scenario, faults: [], deaf: false, restart: false, repeats: false }
      const report = await converse(plan, this.#surroundings)
      this.#judge(report, 'none')
      for (const { what, end, error } of report.steps) {
        if (end !== 'resolved' && what !== 'call given-up') throw new Error(`without any fault ${what} ${end}: ${String(error)}`)
      }
      lengths.set(scenario, { ...report.faults.lengths })
    }
    return (scenario) => lengths.get(scenario) ?? { up: 0, down: 0 }
  }

  /** Runs these at once, as far as they may, and looks at what the process still holds behind them. */
  async batch(plans: readonly Plan[]): Promise<void> {
    const before = resources()
    const accidents = this.#accidents.length
    const [stdio, http] = [
      plans.filter(({ scenario }) => scenario.way === 'stdio'),
      plans.filter(({ scenario }) => scenario.way !== 'stdio'),
    ]
    await Promise.all([this.#pool(stdio, AT_ONCE.stdio), this.#pool(http, AT_ONCE.http)])
    const found = this.#accidents.slice(accidents).map((accident) => `accident: ${accident}`)
    const more = await leftOver(before)
    if (more !== undefined) found.push(`left behind in the process: ${more}`)
    if (found.length === 0) return
    if (plans.length === 1 && plans[0] !== undefined) {
      this.findings.push({ plan: shown(plans[0]), index: plans[0].index, problems: found })
      return
    }
    // Which of them it was shows when each runs alone.
    const known = this.findings.length
    for (const plan of plans) await this.batch([plan])
    if (this.findings.length > known) return
    const range = `one of #${plans[0]?.index} to #${plans.at(-1)?.index}`
    this.findings.push({ plan: range, index: plans[0]?.index ?? 0, problems: found })
  }

  async #pool(plans: readonly Plan[], most: number): Promise<void> {
    const rest = plans[Symbol.iterator]()
    const worker = async (): Promise<void> => {
      for (const plan of rest) {
        const [first] = plan.faults
        this.#judge(await converse(plan, this.#surroundings), first?.kind ?? 'none')
      }
    }
    await Promise.all(Array.from({ length: most }, worker))
  }

  #judge(report: Report, kind: string): void {
    this.ran++
    if (report.faults.happened > 0) this.happened++
    const problems = broken(report)
    if (problems.length > 0) this.findings.push({ plan: shown(report.plan), index: report.plan.index, problems })
    const counts = this.counts.get(kind) ?? new Map<string, number>()
    this.counts.set(kind, counts)
    const end = endOf(report)
    counts.set(end, (counts.get(end) ?? 0) + 1)
  }
}

export const ENDS = ['all well', 'not-run', 'answered', 'unknown', 'no connection'] as const

/** The worst that a caller saw of this conversation. */
function endOf({ steps, givenUp }: Report): (typeof ENDS)[number] {
  const failed = steps.filter(({ end, error }) => end !== 'resolved' && error !== givenUp)
  if (failed.some(({ what }) => what === 'connect')) return 'no connection'
  const outcomes = failed.map(({ error }) =>
    typeof error === 'object' && error !== null && 'outcome' in error ? error.outcome : 'unknown',
  )
  return (['unknown', 'answered', 'not-run'] as const).find((each) => outcomes.includes(each)) ?? 'all well'
}

export const ROWS: readonly string[] = ['none', ...KINDS]

/** What keeps this process going, by kind. */
function resources(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  for (const event of ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP']) counts.set(`listener of ${event}`, process.listenerCount(event))
  return counts
}

/** What is there now and was not before, when it does not go by itself. */
async function leftOver(before: ReadonlyMap<string, number>): Promise<string | undefined> {
  const until = performance.now() + SETTLE_MS
  for (;;) {
    const more = [...resources()].filter(([kind, count]) => count > (before.get(kind) ?? 0))
    if (more.length === 0) return undefined
    if (performance.now() > until) return more.map(([kind, count]) => `${count - (before.get(kind) ?? 0)} × ${kind}`).join(', ')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
