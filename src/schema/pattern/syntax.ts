/** A set of code points: `ranges` and Unicode properties, or everything else. */
export interface CharSet {
  kind: 'set'
  /** Inclusive pairs, flat. */
  ranges: number[]
  /** Escapes such as `\p{L}`, as written. */
  properties: string[]
  negated: boolean
}

/** A regular expression as far as its shape matters: groups capture nothing here, and lazy loops are loops. */
export type Expression =
  | CharSet
  | { kind: 'sequence'; items: Expression[] }
  | { kind: 'choice'; items: Expression[] }
  | { kind: 'repeat'; item: Expression; min: number; max: number }
  | { kind: 'edge'; text: '^' | '$' | '\\b' | '\\B' }
  | { kind: 'look'; text: string; item: Expression }

const DIGIT = [0x30, 0x39]
const WORD = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a]
const SPACE = [
  9, 13, 32, 32, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000, 0xfeff, 0xfeff,
]
const CLASSES: Readonly<Record<string, readonly number[]>> = { d: DIGIT, w: WORD, s: SPACE }
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 }
const LINE_ENDS = [10, 10, 13, 13, 0x2028, 0x2029]
const LAST = 0x10ffff

/**
 * Reads an expression with the meaning that flag `u` gives it, and forgives what only expressions without the flag may contain: escapes
 * without need and braces that stand for themselves. `undefined` for back references and for what is no expression.
 */
export function parseExpression(source: string): Expression | undefined {
  let rest = source
  let depth = 0
  /** Takes what the sticky expression finds at the front. */
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    const found = pattern.exec(rest)
    if (found !== null) rest = rest.slice(found[0].length)
    return found ?? undefined
  }

  function choice(): Expression {
    if (++depth > 100) throw new SyntaxError('too deep')
    const items = [sequence()]
    while (take(/^\|/u)) items.push(sequence())
    depth--
    return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'choice', items }
  }

  function sequence(): Expression {
    const items: Expression[] = []
    while (rest !== '' && !/^[|)]/u.test(rest)) items.push(quantified(term()))
    return { kind: 'sequence', items }
  }

  function quantified(item: Expression): Expression {
    const found = take(/^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/u)
    if (found === undefined) return item
    if (item.kind === 'edge' || item.kind === 'look') throw new SyntaxError('nothing to repeat')
    const [, sign, least, comma, most] = found
    const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0
    const max = sign !== undefined ? (sign === '?' ? 1 : Infinity) : comma === undefined ? min : most ? Number(most) : Infinity
    if (max < min || /^[*+?]/u.test(rest)) throw new SyntaxError('bad repetition')
    return { kind: 'repeat', item, min, max }
  }

  function term(): Expression {
    const edge = take(/^(?:[\^$]|\\[bB])/u)?.[0]
    if (edge === '^' || edge === '$' || edge === '\\b' || edge === '\\B') return { kind: 'edge', text: edge }
    const opening = take(/^\((?:\?(?:<?[=!]|:|<[\p{ID_Start}$_][\p{ID_Continue}$]*>))?/u)?.[0]
    if (opening !== undefined) {
      const item = choice()
      if (!take(/^\)/u)) throw new SyntaxError('open group')
      return /[=!]$/u.test(opening) ? { kind: 'look', text: opening, item } : item
    }
    if (take(/^\./u)) return { kind: 'set', ranges: LINE_ENDS, properties: [], negated: true }
    const open = take(/^\[\^?/u)
    if (open) return members(open[0] === '[^')
    if (/^[*+?]/u.test(rest)) throw new SyntaxError('nothing to repeat')
    return one(false)
  }

  function members(negated: boolean): CharSet {
    const set: CharSet = { kind: 'set', ranges: [], properties: [], negated }
    while (!take(/^\]/u)) {
      const low = one(true)
      const from = single(low)
      const high = from === undefined || !/^-[^\]]/u.test(rest) || !take(/^-/u) ? undefined : one(true)
      const to = high && single(high)
      if (from !== undefined && to !== undefined) {
        if (to < from) throw new SyntaxError('bad range')
        set.ranges.push(from, to)
        continue
      }
      if (high) throw new SyntaxError('bad range')
      set.ranges.push(...(low.negated ? positive(low) : low.ranges))
      set.properties.push(...low.properties)
    }
    return set
  }

  /** One character, or the set that an escaped stands for. */
  function one(inClass: boolean): CharSet {
    const [char] = take(/^[^\\]/su) ?? []
    if (char !== undefined) return point(char.codePointAt(0) ?? 0)
    const property = take(/^\\[pP]\{[\w=]+\}/u)?.[0]
    if (property !== undefined) return { kind: 'set', ranges: [], properties: [property], negated: false }
    const pair = take(/^\\u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})/iu)
    if (pair) return point(String.fromCharCode(hex(pair[1]), hex(pair[2])).codePointAt(0) ?? 0)
    const code = take(/^\\(?:u([\da-f]{4})|u\{([\da-f]{1,6})\}|x([\da-f]{2}))/iu)
    if (code) return point(hex(code[1] ?? code[2] ?? code[3]))
    const control = take(/^\\c([a-z])/iu)?.[1]
    if (control !== undefined) return point((control.codePointAt(0) ?? 0) % 32)
    const [, escaped = ''] = take(/^\\([^1-9ckpPux]|[ux](?![\da-f{]))/su) ?? []
    if (escaped === '' || (escaped === '0' && /^\d/u.test(rest))) throw new SyntaxError('unknown escaped')
    const ranges = CLASSES[escaped.toLowerCase()]
    if (ranges) return { kind: 'set', ranges: [...ranges], properties: [], negated: /[DWS]/u.test(escaped) }
    if (inClass && escaped === 'b') return point(8)
    return point(CONTROLS[escaped] ?? escaped.codePointAt(0) ?? 0)
  }

  try {
    const whole = choice()
    return rest === '' ? whole : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function point(code: number): CharSet {
  if (code > LAST) throw new SyntaxError('no such character')
  return { kind: 'set', ranges: [code, code], properties: [], negated: false }
}

function hex(digits = ''): number {
  return Number.parseInt(digits, 16)
}

function single(set: CharSet): number | undefined {
  const [from, to] = set.ranges
  return set.ranges.length === 2 && from === to && !set.negated ? from : undefined
}

/** The ranges of a set, a negated one turned round; everything when it has Unicode properties. */
export function positive(set: CharSet): number[] {
  if (!set.negated) return set.properties.length > 0 ? [0, LAST] : set.ranges
  const pairs: [number, number][] = []
  for (let i = 0; i < set.ranges.length; i += 2) pairs.push([set.ranges[i] ?? 0, set.ranges[i + 1] ?? 0])
  const turned: number[] = []
  let next = 0
  for (const [from, to] of pairs.sort(([a], [b]) => a - b)) {
    if (from > next) turned.push(next, from - 1)
    next = Math.max(next, to + 1)
  }
  if (next <= LAST) turned.push(next, LAST)
  return turned
}

/** The expression in plain syntax: characters as `\x{…}` for RE2 or `\u{…}` for flag `u`, so that both read the same meaning. */
export function printExpression(expression: Expression, escaped: '\\x' | '\\u'): string {
  const print = (part: Expression): string => printExpression(part, escaped)
  switch (expression.kind) {
    case 'set': {
      const char = (code: number): string => `${escaped}{${code.toString(16)}}`
      const { ranges, properties } = expression
      let inside = properties.join('')
      for (let i = 0; i < ranges.length; i += 2) inside += `${char(ranges[i] ?? 0)}-${char(ranges[i + 1] ?? 0)}`
      if (inside === '') return `[${expression.negated ? '' : '^'}${char(0)}-${char(LAST)}]`
      return `[${expression.negated ? '^' : ''}${inside}]`
    }
    case 'sequence':
      return expression.items.map(print).join('')
    case 'choice':
      return `(?:${expression.items.map(print).join('|')})`
    case 'repeat':
      return `(?:${print(expression.item)}){${expression.min},${expression.max === Infinity ? '' : expression.max}}`
    case 'edge':
      return expression.text
    case 'look':
      return `${expression.text}${print(expression.item)})`
  }
}
