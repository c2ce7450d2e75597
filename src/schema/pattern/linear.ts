const TOKEN = /\\(?:[upP]\{[^}]*\}|u.{4}|x..|c.|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?::|<[^>]*>))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|./gsu
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??$/
/** More work per character than this is not called linear. */
const MAX_COST = 10_000

/**
 * The most work that a backtracking engine does per character of the text, or `undefined` when this look at an expression with flag `u`,
 * without look-arounds and back references, does not bound it. All ways through bounded choices count as tried. There may be one endless loop, of one character or class, behind a
 * `^`: what it may give back is as much as the text. A loop that ends the whole expression is none: it has matched when its least number has.
 */
export function linearCost(source: string): number | undefined {
  const tokens = source.match(TOKEN) ?? []
  let [ways, size, depth, alternatives, loops, mayLoop] = [1, 1, 0, 1, 0, tokens[0] === '^']
  for (const [i, token] of tokens.entries()) {
    const [quantifier, least, comma, most] = QUANTIFIER.exec(token) ?? []
    if (quantifier) {
      const min = least ? Number(least) : token.startsWith('+') ? 1 : 0
      const max = i === tokens.length - 1 || (least && !comma) ? min : token.startsWith('?') ? 1 : Number(most || Infinity)
      if (tokens[i - 1] === ')' && max > 1) return undefined
      if (max === Infinity && (!mayLoop || loops++ > 0)) return undefined
      ways *= max === Infinity ? 1 : max - min + 1
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
  }
  const cost = size * ways * alternatives
  return cost <= MAX_COST ? cost : undefined
}
