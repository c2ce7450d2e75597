/** The most patterns that the braces of one may stand for. */
const MAX_ALTERNATIVES = 1_000

/** A character that must stand there, any one, or any number. */
type Token = { readonly char: string } | 'one' | 'many'

/**
 * A pattern for names and URIs: `*` is any number of characters, slashes and dots too; `?` is one; `{a,b}` is either; a backslash takes the next
 * character as it is. Everything else stands for itself. The time is bounded by the lengths of pattern and text multiplied, whatever they hold.
 */
export function glob(pattern: string): (text: string) => boolean {
  const all = alternatives(pattern)
  return (text) => {
    const chars = [...text]
    return all.some((tokens) => matches(tokens, chars))
  }
}

/** Greedy: only the last `*` is ever tried again, one character further on. */
function matches(tokens: readonly Token[], chars: readonly string[]): boolean {
  let at = 0
  let token = 0
  let star = -1
  let starAt = 0
  while (at < chars.length) {
    const now = tokens[token]
    if (now === 'many') {
      star = token++
      starAt = at
    } else if (now !== undefined && (now === 'one' || now.char === chars[at])) {
      token++
      at++
    } else if (star >= 0) {
      token = star + 1
      at = ++starAt
    } else return false
  }
  while (tokens[token] === 'many') token++
  return token === tokens.length
}

/** The pattern with its braces spelled out. A brace without its partner, or without a comma, stands for itself. */
function alternatives(pattern: string): (readonly Token[])[] {
  let all: Token[][] = [[]]
  const chars = [...pattern]
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? ''
    const group = char === '{' ? groupAt(chars, at) : undefined
    if (group !== undefined) {
      const inner = group.parts.flatMap((part) => alternatives(part))
      all = all.flatMap((before) => inner.map((after) => [...before, ...after]))
      if (all.length > MAX_ALTERNATIVES)
        throw new TypeError(`the pattern "${pattern}" stands for more than ${MAX_ALTERNATIVES} (MAX_ALTERNATIVES)`)
      at = group.end
      continue
    }
    const escaped = char === '\\' ? chars[++at] : undefined
    const token: Token =
      escaped === undefined && char === '*' ? 'many' : escaped === undefined && char === '?' ? 'one' : { char: escaped ?? char }
    for (const tokens of all) tokens.push(token)
  }
  return all
}

/** The parts between a brace and its partner. */
function groupAt(chars: readonly string[], start: number): { readonly parts: string[]; readonly end: number } | undefined {
  const parts: string[] = []
  let part = ''
  let depth = 0
  for (let at = start + 1; at < chars.length; at++) {
    const char = chars[at] ?? ''
    if (char === '\\') {
      part += char + (chars[++at] ?? '')
      continue
    }
    if (char === '}' && depth === 0) return parts.length === 0 ? undefined : { parts: [...parts, part], end: at }
    if (char === ',' && depth === 0) {
      parts.push(part)
      part = ''
      continue
    }
    if (char === '{') depth++
    if (char === '}') depth--
    part += char
  }
  return undefined
}
