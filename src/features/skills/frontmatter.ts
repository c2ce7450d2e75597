import { isObject } from '../../jsonrpc/codec.ts'

/** Characters up to the end of the frontmatter: the parser takes quadratic time to complain. */
const MAX_CHARS = 16_384
/** Nesting, of YAML that is parsed and of values that are compared. */
const MAX_DEPTH = 64

/** The YAML between the lines of dashes with which a SKILL.md begins, as the object it stands for; undefined when there is none. */
export async function frontmatterOf(text: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const [, yaml] = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(text.slice(0, MAX_CHARS)) ?? []
  if (yaml === undefined) return undefined
  const { parse, Parser } = await import('yaml')
  try {
    // Tokens come from a loop, values from a recursion: too deep a one would end the process, not throw.
    if (isTooDeep([...new Parser().parse(yaml)])) return undefined
    const value: unknown = parse(yaml, { stringKeys: true, prettyErrors: false, logLevel: 'error' })
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isTooDeep(tokens: readonly object[]): boolean {
  let level: readonly unknown[] = tokens
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true
    level = level.filter(isObject).flatMap(({ key, value, items }) => [key, value, ...(Array.isArray(items) ? items : [])])
  }
  return false
}

/** Whether two values are the same JSON. */
export function same(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true
  if (depth > MAX_DEPTH || typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [ours, theirs] = [new Map(Object.entries(a)), new Map(Object.entries(b))]
  return ours.size === theirs.size && [...ours].every(([key, value]) => theirs.has(key) && same(value, theirs.get(key), depth + 1))
}
