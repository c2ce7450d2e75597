import type { Era } from './counting-server.ts'
import { type Random, random } from './random.ts'

/** Server processes, Streamable HTTP with either reply, and HTTP+SSE of 2024-11-05. */
export type Way = 'stdio' | 'json' | 'events' | 'http+sse'
export type Direction = 'up' | 'down'

export interface Scenario {
  readonly way: Way
  readonly era: Era
}

/** Client to server is `up`. */
export const SCENARIOS: readonly [Scenario, ...Scenario[]] = [
  { way: 'stdio', era: 'legacy' },
  { way: 'json', era: 'legacy' },
  { way: 'events', era: 'legacy' },
  { way: 'stdio', era: 'modern' },
  { way: 'json', era: 'modern' },
  { way: 'events', era: 'modern' },
  { way: 'http+sse', era: 'legacy' },
]

/**
 * What goes wrong at one byte of a conversation.
 * - `delay` what follows comes late; `stall` it never comes, and nothing is closed
 * - `cut` the connection breaks, a process dies; `end` this direction ends in order; `kill` every connection breaks and none is taken for a while
 * - `truncate`, `duplicate`, `reorder` one line, event or message loses its rest, comes twice, comes behind the next one
 * - `corrupt` one byte is another one
 * - `forget` the server no longer knows any session (HTTP)
 */
export const KINDS = ['delay', 'stall', 'cut', 'end', 'kill', 'truncate', 'duplicate', 'reorder', 'corrupt', 'forget'] as const
export type Kind = (typeof KINDS)[number]

export interface Fault {
  readonly kind: Kind
  readonly direction: Direction
  /** The byte of this direction, counted over all connections, that it happens before. */
  readonly at: number
  /** What the kind makes of it: milliseconds, a byte, one of two manners. */
  readonly value: number
}

export interface Plan {
  readonly index: number
  readonly scenario: Scenario
  readonly faults: readonly Fault[]
  /** A server process that ignores SIGTERM. */
  readonly deaf: boolean
  /** The option `restart`. */
  readonly restart: boolean
  /** The caller permits its calls to run again, so that only the truth about them is looked at. */
  readonly repeats: boolean
}

/** How many bytes of each direction a conversation has when nothing goes wrong. */
export type Lengths = Readonly<Record<Direction, number>>

const DELAYS_MS = [5, 40, 200, 450, 900] as const

/** The plan of a seed with this index. Scenarios, kinds and directions take turns, so that none is left out. */
export function planOf(seed: number, index: number, lengthsOf: (scenario: Scenario) => Lengths): Plan {
  const dice = random(seed, index)
  const scenario = SCENARIOS[index % SCENARIOS.length] ?? SCENARIOS[0]
  const kind = KINDS[Math.floor(index / SCENARIOS.length) % KINDS.length] ?? KINDS[0]
  const lengths = lengthsOf(scenario)
  const first = fault(dice, kind, lengths)
  const second = dice.chance(0.15) ? [fault(dice, dice.pick(KINDS), lengths)] : []
  return { index, scenario, faults: [first, ...second], deaf: dice.chance(0.1), restart: dice.chance(0.5), repeats: dice.chance(0.15) }
}

/** One fault of each of these kinds at every byte of every conversation. */
export function* everyByte(seed: number, kinds: readonly Kind[], lengthsOf: (scenario: Scenario) => Lengths): Generator<Plan> {
  let index = 0
  for (const scenario of SCENARIOS) {
    const lengths = lengthsOf(scenario)
    for (const direction of ['up', 'down'] as const) {
      for (let at = 0; at <= lengths[direction]; at++) {
        for (const kind of kinds) {
          const dice = random(seed, index)
          const one: Fault = { kind, direction, at, value: detailOf(dice, kind) }
          yield { index: index++, scenario, faults: [one], deaf: false, restart: at % 2 === 0, repeats: false }
        }
      }
    }
  }
}

function fault(dice: Random, kind: Kind, lengths: Lengths): Fault {
  const direction = dice.chance(0.6) ? 'down' : 'up'
  return { kind, direction, at: dice.int(lengths[direction] + 1), value: detailOf(dice, kind) }
}

function detailOf(dice: Random, kind: Kind): number {
  return kind === 'delay' ? dice.pick(DELAYS_MS) : dice.int(256)
}

export function shown({ index, scenario, faults, deaf, restart, repeats }: Plan): string {
  const each = faults.map(({ kind, direction, at, value }) => `${kind} ${direction} at byte ${at} (${value})`)
  return `#${index} ${scenario.way} ${scenario.era}${deaf ? ' deaf' : ''}${restart ? ' restart' : ''}${repeats ? ' repeats' : ''}: ${each.join(', ')}`
}
