import { cached } from './cache.ts'
import { documents } from './documents.ts'
import { explain } from './explain.ts'
import { FORMATS } from './formats.ts'
import { isCompound } from './json.ts'
import { SCHEMA_LIMITS, type SchemaLimits } from './limits.ts'
import { patternsReady } from './pattern/re2.ts'
import { limitReached, Run } from './run.ts'
import type { CompiledSchema, SchemaValidator } from './validator.ts'

/** How schemas are checked. */
export interface SchemaValidatorOptions {
  /** Bounds on schemas and checks; those left out keep their defaults. */
  limits?: Partial<SchemaLimits> | undefined
  /** Formats that a value must have: `true` for `email`, `uri`, `date` and `date-time`, or some of them by name. Default false: formats are annotations. */
  assertFormats?: boolean | readonly string[] | undefined
  /** Further schemas that a `$ref` may name, by their absolute URI without fragment. Default none: nothing is ever fetched. */
  schemas?: Readonly<Record<string, unknown>> | undefined
}

/**
 * The built-in JSON Schema engine: draft 2020-12, and draft 7 for schemas that say so, compiled to closures by the first check that needs
 * them. Equal schemas share their compiled form.
 */
export function schemaValidator({ limits: given = {}, assertFormats = false, schemas = {} }: SchemaValidatorOptions = {}): SchemaValidator {
  const limits: SchemaLimits = { ...SCHEMA_LIMITS, ...Object.fromEntries(Object.entries(given).filter(([, limit]) => limit !== undefined)) }
  const known = Object.keys(FORMATS)
  const formats = new Set(assertFormats === true ? known : assertFormats || [])
  for (const name of formats) if (!known.includes(name)) throw new TypeError(`assertFormats names "${name}"; known are ${known.join(', ')}`)
  const others = new Map(Object.entries(schemas))

  /** A stack that ends before `maxDepth` is reached, because the caller has used most of it, is that limit too. */
  const guarded = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      if (error instanceof RangeError) limitReached('maxDepth', limits, error)
      throw error
    }
  }

  const make = (schema: unknown): CompiledSchema => {
    const { root, strange } = documents(schema, { limits, formats, others })
    const check: CompiledSchema['check'] = (value) => {
      const run = new Run(limits)
      if (strange !== undefined) run.unknown('/$schema', strange)
      const ok = value !== undefined && root.check(value, run)
      const unchecked = run.unchecked && { unchecked: [...run.unchecked] }
      return ok ? { ok, ...unchecked } : { ok, issues: explain(root, value, limits), ...unchecked }
    }
    return { check: (value) => guarded(() => check(value)), ready: patternsReady }
  }

  const compile = cached(make)
  return { compile: (schema) => guarded(() => (isCompound(schema) ? compile(schema) : make(schema))) }
}
