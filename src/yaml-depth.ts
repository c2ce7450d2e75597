import { isObject } from './jsonrpc/codec.ts'

/**
 * Whether more than `levels` collections of YAML stand inside each other. To be asked of the tokens of documents, which come from a loop,
 * before values are made of them by a recursion: one that is too deep would end the process, not throw.
 */
export function isYamlTooDeep(tokens: Iterable<object>, levels: number): boolean {
  let inside: readonly unknown[] = [...tokens].filter(isObject).map(({ value }) => value)
  for (let depth = 0; ; depth++) {
    const items = inside.filter(isObject).flatMap((each) => (Array.isArray(each.items) ? [each.items] : []))
    if (items.length === 0) return false
    if (depth === levels) return true
    inside = items
      .flat()
      .filter(isObject)
      .flatMap(({ key, value }) => [key, value])
  }
}
