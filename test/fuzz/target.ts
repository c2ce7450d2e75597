import type { Random } from '../faults/random.ts'

/** A parser, what it is fed and what must hold whatever it is fed. */
export interface FuzzTarget<Input = unknown> {
  readonly name: string
  /** One input; the same dice give the same. */
  input(dice: Random): Input
  /** Throws when something does not hold. */
  check(input: Input, dice: Random): void
  /** Hostile inputs that grow: the work for an input of this size, made ready beforehand. Its time must grow no faster than the size. */
  readonly growing: Readonly<Record<string, (size: number) => () => void>>
}

/** Fails with what was seen. */
export function must(holds: boolean, what: string, ...seen: readonly unknown[]): asserts holds {
  if (!holds) throw new Error(`${what}${seen.map((each) => `\n  ${JSON.stringify(each)?.slice(0, 600)}`).join('')}`)
}

export function same(left: unknown, right: unknown, what: string): void {
  const [a, b] = [JSON.stringify(left), JSON.stringify(right)]
  must(a === b, what, a, b)
}

/** Any cuts of something with a length, the ends included. */
export function cuts(dice: Random, length: number, most = 12): number[] {
  const at = Array.from({ length: dice.int(most) }, () => dice.int(length + 1))
  return [0, ...at.sort((a, b) => a - b), length]
}

/** Something made of the fragments, then damaged a little: most inputs of a parser are nearly right. */
export function text(dice: Random, fragments: readonly [string, ...string[]], most = 30): string {
  let made = ''
  for (let left = dice.int(most); left > 0; left--) made += dice.pick(fragments)
  for (let left = dice.chance(0.5) ? 0 : dice.int(4); left > 0 && made !== ''; left--) made = damaged(made, dice)
  return made
}

function damaged(whole: string, dice: Random): string {
  const [from, to] = [dice.int(whole.length + 1), dice.int(whole.length + 1)].sort((a, b) => a - b)
  const [before, middle, after] = [whole.slice(0, from), whole.slice(from, to), whole.slice(to)]
  switch (dice.int(4)) {
    case 0:
      return before + after
    case 1:
      return before + middle + middle.slice(0, 200) + after
    case 2:
      return (
        before +
        String.fromCharCode(dice.pick([0, 9, 10, 13, 32, 34, 58, 92, 127, 0xe9, 0x2028, 0xd800, 0xdc00, 0xfeff, 0xffff])) +
        whole.slice(from)
      )
    default:
      return after + middle + before
  }
}

/** Any JSON value, few of them large. */
export function json(dice: Random, keys: readonly [string, ...string[]], depth = 3): unknown {
  switch (dice.int(depth > 0 ? 9 : 6)) {
    case 0:
      return null
    case 1:
      return dice.chance(0.5)
    case 2:
      return dice.pick([0, 1, -1, 2, 1.5, -0, 2 ** 53, 1e308])
    case 3:
      return dice.pick(['', 'x', '1', '2.0', 'é\r\n', '__proto__'])
    case 4:
      return dice.pick(keys)
    case 5:
      return dice.int(5)
    case 6:
      return Array.from({ length: dice.int(4) }, () => json(dice, keys, depth - 1))
    default:
      return Object.fromEntries(Array.from({ length: dice.int(5) }, () => [dice.pick(keys), json(dice, keys, depth - 1)]))
  }
}
