import { isObject } from '../../jsonrpc/codec.ts'
import { isYamlTooDeep } from '../../yaml-depth.ts'

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
    if (isYamlTooDeep(new Parser().parse(yaml), MAX_DEPTH)) return undefined
    const value: unknown = parse(yaml, { stringKeys: true, prettyErrors: false, logLevel: 'error' })
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether two values are the same JSON. */
export function same(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true
  if (depth > MAX_DEPTH || typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [ours, theirs] = [new Map(Object.entries(a)), new Map(Object.entries(b))]
  return ours.size === theirs.size && [...ours].every(([key, value]) => theirs.has(key) && same(value, theirs.get(key), depth + 1))
}
