import type { CompiledSchema } from './validator.ts'

const MAX_ENTRIES = 1_000
const MAX_CHARS = 4_194_304

/**
 * Compiled schemas, found by the schema object and by its content, so that a new list with equal schemas compiles nothing. The content
 * itself is the key: with a hash one server could craft a schema that another server's would be taken for. The least recently used go first.
 */
export class SchemaCache {
  private readonly byIdentity = new WeakMap<object, CompiledSchema>()
  private readonly byContent = new Map<string, CompiledSchema>()
  private chars = 0

  get(schema: object, content: () => string, compile: () => CompiledSchema): CompiledSchema {
    const known = this.byIdentity.get(schema)
    if (known) return known
    const key = content()
    const compiled = this.byContent.get(key) ?? compile()
    this.forget(key)
    this.byIdentity.set(schema, compiled)
    this.byContent.set(key, compiled)
    this.chars += key.length
    for (const [oldest] of this.byContent) {
      if (this.byContent.size <= MAX_ENTRIES && this.chars <= MAX_CHARS) break
      this.forget(oldest)
    }
    return compiled
  }

  private forget(key: string): void {
    if (this.byContent.delete(key)) this.chars -= key.length
  }
}
