import type { Expression } from './syntax.ts'

/** A set of characters: a bit for each of ASCII, and one for all the others, which is set when it is not certain that none belongs. */
type Chars = bigint

/** More work per character than this is not called linear. */
const MAX_COST = 10_000
const START: Expression = { kind: 'edge', text: '^' }
const ASCII = String.fromCharCode(...Array(128).keys())
const known = new Map<string, Chars>()

function charsOf(atom: string): Chars {
  const code = atom.codePointAt(0) ?? 0
  if (atom.length === 1 && code < 128 && atom !== '.') return 1n << BigInt(code)
  let chars = known.get(atom)
  if (chars === undefined) {
    chars = /[^\0-\x7f]|\\[uxpPsSDWc]|^\.|^\[\^/u.test(atom) ? 1n << 128n : 0n
    for (const member of ASCII.match(new RegExp(atom, 'gu')) ?? []) chars |= 1n << BigInt(member.charCodeAt(0))
    if (known.size > 1_000) known.clear()
    known.set(atom, chars)
  }
  return chars
}

/**
 * The most work that a backtracking engine does per character of the text, or `undefined` when that is not bounded. Bounded are
 * expressions in which the next character decides each choice, so that what is tried again fails at once; a choice that it does not
 * decide multiplies the cost. One undecided loop is as good as a scan, if nothing unbounded follows it; and so is a search from every
 * position, which is what an expression without `^` asks for.
 */
export function linearCost(expression: Expression): number | undefined {
  let [factor, size, unbounded, fits] = [1, 0, false, true]

  const undecided = (ways: number, looped: boolean, times: number): void => {
    fits &&= !looped
    factor *= ways ** times
  }

  /** Visits from right to left and returns the characters that can come first, `follow` being those that can come after the part. */
  function visit(part: Expression, follow: Chars, looped: boolean, times: number): Chars {
    if (part.kind === 'sequence') return part.items.reduceRight((after, item) => visit(item, after, looped, times), follow)
    if (part.kind === 'repeat') return repeat(part, follow, looped, times)
    size += times
    if (part.kind === 'atom') return charsOf(part.text)
    if (part.kind === 'edge') return part.text === '$' ? 0n : follow
    if (part.kind !== 'look') return choice(part.items, follow, looped, times)
    const before = unbounded
    unbounded = false
    visit(part.item, 0n, true, times)
    fits &&= !unbounded
    unbounded = before
    return follow
  }

  function choice(items: readonly Expression[], follow: Chars, looped: boolean, times: number): Chars {
    let [union, clash] = [0n, false]
    for (const item of items) {
      const chars = visit(item, follow, looped, times)
      clash ||= (union & chars) !== 0n
      union |= chars
    }
    if (clash) undecided(items.length, looped, times)
    return union
  }

  function repeat({ item, min, max }: Expression & { kind: 'repeat' }, follow: Chars, looped: boolean, times: number): Chars {
    const first = firstOf(item)
    const clash = max > min && (first & follow) !== 0n
    const endless = max === Infinity
    const after = unbounded
    unbounded = false
    visit(item, max > 1 ? first | follow : follow, looped || endless, times * (endless ? Math.max(1, min) : max))
    if (max > 1 && nullable(item)) fits = false
    if (endless && clash && (looped || times > 1 || after || unbounded)) fits = false
    if (!endless && clash) undecided(max - min + 1, looped, times)
    unbounded ||= after || endless
    return min > 0 && !nullable(item) ? first : first | follow
  }

  const parts = (expression.kind === 'choice' ? expression.items : [expression]).map((part) =>
    part.kind === 'sequence' ? part.items : [part],
  )
  const anchored = parts.every(([first]) => first?.kind === 'edge' && first.text === '^')
  let searching = false
  const heads = parts.map((items) => {
    let from = anchored ? 1 : 0
    // At the start a look-ahead runs once: it is an expression of its own.
    for (let head = items[from]; anchored && head?.kind === 'look' && !head.text.includes('<'); head = items[++from]) {
      size += linearCost({ kind: 'sequence', items: [START, head.item] }) ?? Infinity
    }
    const rest = items.slice(from)
    const last = rest.at(-1)
    // A last loop has matched when its least number has: how far it goes does not matter to a test.
    if (last?.kind === 'repeat') rest[rest.length - 1] = { ...last, max: last.min }
    unbounded = false
    const first = rest.reduceRight((after, item) => visit(item, after, false, 1), 0n)
    searching ||= !anchored && unbounded
    return first
  })
  if (!anchored && heads.length > 1) factor *= heads.length
  const cost = size * factor
  return fits && !searching && cost <= MAX_COST ? cost : undefined
}

/** The characters that can come first in the part itself. */
function firstOf(part: Expression): Chars {
  if (part.kind === 'atom') return charsOf(part.text)
  if (part.kind === 'repeat') return part.max === 0 ? 0n : firstOf(part.item)
  if (part.kind !== 'sequence' && part.kind !== 'choice') return 0n
  let union = 0n
  for (const item of part.items) {
    union |= firstOf(item)
    if (part.kind === 'sequence' && !nullable(item)) break
  }
  return union
}

function nullable(part: Expression): boolean {
  if (part.kind === 'sequence') return part.items.every(nullable)
  if (part.kind === 'choice') return part.items.some(nullable)
  return part.kind === 'repeat' ? part.min === 0 || nullable(part.item) : part.kind !== 'atom'
}
