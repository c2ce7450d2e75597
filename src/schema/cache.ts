import type { CompiledSchema } from './validator.ts'

const MAX_ENTRIES = 1_000
const MAX_CHARS = 4_194_304

/**
 * Compiled schemas, found by the schema object and by its content, so that a new list with equal schemas compiles nothing. The content
 * itself is the key: with a hash one server could craft a schema that another server's would be taken for. The least recently used go first.
 */
export function cached(content: (schema: object) => string, compile: (schema: object) => CompiledSchema): typeof compile {
  const byIdentity = new WeakMap<object, CompiledSchema>()
  const byContent = new Map<string, CompiledSchema>()
  let chars = 0
  const forget = (key: string): void => {
    if (byContent.delete(key)) chars -= key.length
  }
  return (schema) => {
    const known = byIdentity.get(schema)
    if (known) return known
    const key = content(schema)
    const compiled = byContent.get(key) ?? compile(schema)
    forget(key)
    byIdentity.set(schema, compiled)
    byContent.set(key, compiled)
    chars += key.length
    for (const [oldest] of byContent) {
      if (byContent.size <= MAX_ENTRIES && chars <= MAX_CHARS) break
      forget(oldest)
    }
    return compiled
  }
}
