// Many connections, many calls, servers that die at random, and memory that has to stay flat:
//   tsx --conditions=switchboard-source test/soak/run.ts [--seconds 600] [--connections 200] [--calls 100000] [--seed n]
// Prints one table; ends with code 1 when something was broken or grew.
import { parseArgs } from 'node:util'
import { random } from '../faults/random.ts'
import { closeAll } from './closing.ts'
import { httpProcess } from './http-process.ts'
import { type Kind, Member, type Tally } from './member.ts'
import { Sampler } from './sampler.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    connections: { type: 'string', default: '200' },
    calls: { type: 'string', default: '100000' },
    seed: { type: 'string' },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000_000)
const [seconds, connections, calls] = [Number(values.seconds), Number(values.connections), Number(values.calls)]

const MOST_PROCESSES = 20
const DEATH_EVERY_MS = 300
/** What the heap may grow for each call behind the warming up, on average. A leak of one small object per call is more. */
const MOST_BYTES_PER_CALL = 48
const MOST_CLOSING_MS = 2_000
/** A busy machine may need so much longer for the calls. */
const PATIENCE = 10

const accidents: string[] = []
const note = (error: unknown): void => void accidents.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
process.on('unhandledRejection', note)
process.on('uncaughtException', note)
process.on('warning', note)

const dice = random(seed)
const tally: Tally = { resolved: 0, 'not-run': 0, answered: 0, unknown: 0, aborted: 0, fault: 0 }
const servers = await httpProcess(seed, DEATH_EVERY_MS)
const handlesBefore = process.getActiveResourcesInfo().length
const members = membersOf(connections)
await inTurns(members, 10, (member) => member.open())

const began = performance.now()
const elapsed = (): number => (performance.now() - began) / 1_000
let made = 0
const sampler = new Sampler()
const mortal = members.filter(({ kind }) => kind !== 'http')
const reaper = setInterval(() => mortal[dice.int(mortal.length)]?.die(), DEATH_EVERY_MS)
await Promise.all(members.map(keepCalling))
clearInterval(reaper)
sampler.stop()
const took = elapsed()

for (const member of members.slice(100)) await member.close()
// The hundred that are left: those with a process first.
await inTurns(members.slice(0, 100), 10, (member) => member.work().catch(note))
const closing = await closeAll(members.slice(0, 100), handlesBefore)
await servers.close()
report()

/** A call each time it is its turn, until all are made and the time is over. */
async function keepCalling(member: Member): Promise<void> {
  const pauseMs = (seconds * 1_000 * connections) / calls
  await wait(dice.next() * pauseMs)
  for (let due = performance.now(); elapsed() < seconds * PATIENCE && (made < calls || elapsed() < seconds); ) {
    made++
    await member.work().catch(note)
    due += pauseMs
    const left = due - performance.now()
    if (left > 0) await wait(left)
  }
}

function membersOf(count: number): Member[] {
  return Array.from({ length: count }, (_, index) => {
    const kind: Kind = index < Math.min(MOST_PROCESSES, count / 4) ? 'stdio' : index % 3 === 0 ? 'memory' : 'http'
    return new Member(kind, dice.pick(servers.urls), random(seed, index + 1), tally)
  })
}

async function inTurns(all: readonly Member[], most: number, run: (member: Member) => Promise<void>): Promise<void> {
  const rest = all[Symbol.iterator]()
  const worker = async (): Promise<void> => {
    for (const member of rest) await run(member)
  }
  await Promise.all(Array.from({ length: most }, worker))
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function report(): void {
  const mb = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`
  const sum = (of: (member: Member) => number): number => members.reduce((total, member) => total + of(member), 0)
  const perCall = sampler.heapSlope / (made / took)
  const faults = [...members.flatMap((member) => member.faults), ...accidents].slice(0, 10)
  const [firstListeners, lastListeners] = sampler.listeners
  // Sockets and processes come and go all the time. When there are never so few as there once were many, something is kept.
  const [firstHandles, lastHandles] = sampler.handlesInThirds
  const checks: readonly (readonly [what: string, value: string, fine: boolean])[] = [
    [
      'connections',
      `${members.length} (${(['stdio', 'http', 'memory'] as const).map((kind) => `${members.filter((member) => member.kind === kind).length} ${kind}`).join(', ')})`,
      true,
    ],
    ['calls', `${made} in ${took.toFixed(0)} s`, made >= calls],
    [
      'how they ended',
      Object.entries(tally)
        .map(([end, count]) => `${count} ${end}`)
        .join(', '),
      tally.fault === 0 && tally.resolved > (made - tally.aborted) * 0.9,
    ],
    ['servers killed', `${sum((member) => member.deaths)} here, and HTTP servers every ${DEATH_EVERY_MS} ms`, true],
    ['connected anew', String(sum((member) => member.reconnects)), true],
    [
      'heap',
      `${sampler.heap.map(mb).join(' → ')}, ${(sampler.heapSlope / 1_024).toFixed(2)} KB/s, ${perCall.toFixed(1)} bytes per call (at most ${MOST_BYTES_PER_CALL})`,
      perCall <= MOST_BYTES_PER_CALL,
    ],
    [
      'handles',
      `${sampler.handles.join(' to ')}, at first ${firstHandles.join(' to ')}, at last ${lastHandles.join(' to ')}`,
      lastHandles[0] <= firstHandles[1],
    ],
    ['process listeners', `${firstListeners} → ${lastListeners}`, lastListeners <= firstListeners],
    [
      '100 clients close',
      `${closing.ms.toFixed(0)} ms (at most ${MOST_CLOSING_MS}), left: ${closing.left.join(', ') || 'nothing'}`,
      closing.ms <= MOST_CLOSING_MS && closing.left.length === 0,
    ],
    ['accidents', faults.length === 0 ? 'none' : faults.join('\n'), faults.length === 0],
  ]
  console.log(`seed ${seed}`)
  for (const [what, value, fine] of checks) console.log(`| ${what.padEnd(18)} | ${fine ? 'ok    ' : 'BROKEN'} | ${value}`)
  const bad = checks.filter(([, , fine]) => !fine).length
  console.log(`${checks.length - bad} passed, ${bad} failed, 0 skipped`)
  process.exit(bad === 0 ? 0 : 1)
}
