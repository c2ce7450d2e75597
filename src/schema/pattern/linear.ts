const TOKEN = /\\(?:[upP]\{[^}]*\}|u.{4}|x..|c.|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?::|<[^>]*>))?|([*+?]|\{(\d+)(,?)(\d*)\})\??|./gsu
/** Look-arounds and back references. */
const BACKTRACKING = /\(\?<?[=!]|\\[k1-9]/
/** Escapes of letters that mean something else without flag `u`, or to RE2. */
const LEGACY = /\\(?![bBdDfnrsStvwW])[a-z]/i
/** More work per character than this is not called linear. */
const MAX_COST = 10_000

/** Whether an expression has nothing that only a backtracking engine can do, and nothing that other engines would read otherwise. */
export function isRegular({ source, unicode }: RegExp): boolean {
  return !BACKTRACKING.test(source) && (unicode || !LEGACY.test(source))
}

/**
 * The most work that a backtracking engine does per character of the text, or `undefined` when this look at a regular expression does not
 * bound it. All ways through bounded choices count as tried. There may be one endless loop, of one character or class, behind a `^`: what it
 * may give back is as much as the text. A loop that ends the whole expression is none: it has matched when its least number has.
 */
export function linearCost(source: string): number | undefined {
  let [ways, size, depth, alternatives, before, mayLoop] = [1, 1, 0, 1, '', source.startsWith('^')]
  for (const match of source.matchAll(TOKEN)) {
    const [token, quantifier, least, comma, most] = match
    if (quantifier) {
      const min = Number(least ?? quantifier === '+')
      const last = match.index + token.length === source.length
      const max = last || (least && !comma) ? min : quantifier === '?' ? 1 : Number(most || Infinity)
      if ((before === ')' && max > 1) || (max === Infinity && !mayLoop)) return undefined
      if (max === Infinity) mayLoop = false
      else ways *= max - min + 1
      size += max === Infinity ? min : max
    } else if (token === '|') {
      alternatives++
      mayLoop &&= depth > 0
    } else if (/^[()]/.test(token)) {
      // Nested groups multiply what they would add: that is never too little.
      depth += token === ')' ? -1 : 1
      ways *= alternatives
      alternatives = 1
    } else size++
    before = token
  }
  const cost = size * ways * alternatives
  return cost <= MAX_COST ? cost : undefined
}
