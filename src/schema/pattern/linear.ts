import { type Expression, positive } from './syntax.ts'

type Ranges = readonly number[]

/** More work per character than this is not called linear. */
const MAX_COST = 10_000

/**
 * The most work that a backtracking engine does per character of the text, or `undefined` when that is not bounded. Bounded are
 * expressions in which the next character decides each choice, so that what is tried again fails at once; a choice that it does not
 * decide multiplies the cost. One undecided loop is as good as a scan, if nothing unbounded follows it; and so is a search from every
 * position, which is what an expression without `^` asks for.
 */
export function linearCost(expression: Expression): number | undefined {
  const state: State = { factor: 1, size: 0, unbounded: false, fits: true }
  const whole = expression.kind === 'choice' ? expression.items : [expression]
  const parts = whole.map((part) => (part.kind === 'sequence' ? part.items : [part]))
  const anchored = parts.every(([first]) => first?.kind === 'edge' && first.text === '^')
  let unbounded = false
  const heads = parts.map((items) => {
    state.unbounded = false
    let from = anchored ? 1 : 0
    // At the start a look-ahead runs once: it is an expression of its own.
    for (let head = items[from]; anchored && head?.kind === 'look' && !head.text.includes('<'); head = items[++from]) {
      state.size += linearCost({ kind: 'sequence', items: [START, head.item] }) ?? Infinity
    }
    const first = visit({ kind: 'sequence', items: withoutTail(items.slice(from)) }, [], false, 1, state)
    unbounded ||= state.unbounded
    return first
  })
  if (!anchored && overlapping(heads)) state.factor *= heads.length
  if (!anchored && unbounded) return undefined
  const cost = state.size * state.factor
  return state.fits && cost <= MAX_COST ? cost : undefined
}

const START: Expression = { kind: 'edge', text: '^' }

/** A last loop that nothing follows has matched when its least number has: how far it goes does not matter to a test. */
function withoutTail(items: Expression[]): Expression[] {
  const last = items.at(-1)
  if (last?.kind !== 'repeat' || last.max !== Infinity) return items
  return [...items.slice(0, -1), { ...last, max: last.min }]
}

interface State {
  /** Product of the undecided choices. */
  factor: number
  size: number
  /** Whether what has been visited, which is what follows, contains an unbounded loop. */
  unbounded: boolean
  fits: boolean
}

/** Visits from right to left and returns the characters that can come first, `follow` being those that can come after the part. */
function visit(part: Expression, follow: Ranges, looped: boolean, times: number, state: State): Ranges {
  switch (part.kind) {
    case 'set':
      state.size += times
      return positive(part)
    case 'edge':
      state.size += times
      return part.text === '$' ? [] : follow
    case 'sequence':
      return part.items.reduceRight<Ranges>((after, item) => visit(item, after, looped, times, state), follow)
    case 'choice': {
      const firsts = part.items.map((item) => visit(item, follow, looped, times, state))
      if (overlapping(firsts)) undecided(part.items.length, looped, times, state)
      return merged(firsts.flat(), state)
    }
    case 'look': {
      const before = state.unbounded
      state.unbounded = false
      visit(part.item, [], true, times, state)
      if (state.unbounded) state.fits = false
      state.unbounded = before
      return follow
    }
    case 'repeat':
      return repeat(part.item, part.min, part.max, follow, looped, times, state)
  }
}

function repeat(item: Expression, min: number, max: number, follow: Ranges, looped: boolean, times: number, state: State): Ranges {
  if (max === 0) return follow
  const first = firstOf(item)
  const clash = max > min && meet(first, follow)
  const endless = max === Infinity
  const after = state.unbounded
  const most = endless ? Math.max(1, min) : max
  state.unbounded = false
  visit(item, max > 1 ? [...first, ...follow] : follow, looped || endless, times * most, state)
  if (max > 1 && nullable(item)) state.fits = false
  if (endless && clash && (looped || after || state.unbounded)) state.fits = false
  if (!endless && clash) undecided(max - min + 1, looped, times, state)
  state.unbounded ||= after || endless
  return min > 0 && !nullable(item) ? first : merged([...first, ...follow], state)
}

function undecided(ways: number, looped: boolean, times: number, state: State): void {
  if (looped) state.fits = false
  state.factor *= ways ** times
}

/** The characters that can come first in the part itself. */
function firstOf(part: Expression): Ranges {
  switch (part.kind) {
    case 'set':
      return positive(part)
    case 'sequence': {
      const decisive = part.items.findIndex((item) => !nullable(item))
      return part.items.slice(0, decisive < 0 ? undefined : decisive + 1).flatMap(firstOf)
    }
    case 'choice':
      return part.items.flatMap(firstOf)
    case 'repeat':
      return part.max === 0 ? [] : firstOf(part.item)
    default:
      return []
  }
}

function nullable(part: Expression): boolean {
  switch (part.kind) {
    case 'set':
      return false
    case 'sequence':
      return part.items.every(nullable)
    case 'choice':
      return part.items.some(nullable)
    case 'repeat':
      return part.min === 0 || nullable(part.item)
    default:
      return true
  }
}

/** Whether two of the sets share a character. */
function overlapping(sets: readonly Ranges[]): boolean {
  let [end, owner] = [-1, -1]
  return sorted(sets).some(([from, to, of]) => {
    const shared = from <= end && of !== owner
    if (to > end) [end, owner] = [to, of]
    return shared
  })
}

/** The union as few ranges, so that sets of sets do not grow without end. */
function merged(ranges: Ranges, state: State): Ranges {
  if (ranges.length > 20_000) state.fits = false
  if (ranges.length < 8 || !state.fits) return ranges.slice(0, 8)
  const union: number[] = []
  for (const [from, to] of sorted([ranges])) {
    const end = union.at(-1) ?? -2
    if (from > end + 1) union.push(from, to)
    else if (to > end) union[union.length - 1] = to
  }
  return union
}

function sorted(sets: readonly Ranges[]): [from: number, to: number, owner: number][] {
  const pairs: [number, number, number][] = []
  sets.forEach((set, owner) => {
    for (let i = 0; i < set.length; i += 2) pairs.push([set[i] ?? 0, set[i + 1] ?? 0, owner])
  })
  return pairs.sort(([a], [b]) => a - b)
}

function meet(a: Ranges, b: Ranges): boolean {
  return overlapping([a, b])
}
