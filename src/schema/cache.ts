import { ValidationError } from '../errors.ts'
import type { CompiledSchema } from './validator.ts'

const MAX_ENTRIES = 1_000
const MAX_CHARS = 4_194_304

/**
 * Compiled schemas, found by the schema object and by its content, so that a new list with equal schemas compiles nothing. The content
 * itself is the key: with a hash one server could craft a schema that another's would be taken for. When there are too many, all are
 * forgotten but those whose objects live.
 */
export function cached(compile: (schema: object) => CompiledSchema): typeof compile {
  const byIdentity = new WeakMap<object, CompiledSchema>()
  const byContent = new Map<string, CompiledSchema>()
  let chars = 0
  return (schema) => {
    const known = byIdentity.get(schema)
    if (known) return known
    const key = content(schema)
    const compiled = byContent.get(key) ?? compile(schema)
    chars += byContent.has(key) ? 0 : key.length
    if (byContent.size >= MAX_ENTRIES || chars > MAX_CHARS) {
      byContent.clear()
      chars = key.length
    }
    byIdentity.set(schema, compiled)
    byContent.set(key, compiled)
    return compiled
  }
}

function content(schema: object): string {
  try {
    return JSON.stringify(schema)
  } catch (cause) {
    if (cause instanceof RangeError) throw cause
    throw new ValidationError('a schema must be JSON, without a cycle', { reason: 'schema' }, { cause })
  }
}
