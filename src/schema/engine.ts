import { ValidationError } from '../errors.ts'
import { SchemaCache } from './cache.ts'
import { compiler } from './compile.ts'
import { Documents } from './documents.ts'
import { explain } from './explain.ts'
import { FORMATS } from './formats.ts'
import { SCHEMA_LIMITS, type SchemaLimits } from './limits.ts'
import { safe } from './messages.ts'
import { Patterns } from './pattern/pattern.ts'
import { limitReached, Run } from './run.ts'
import type { CheckResult, CompiledSchema, SchemaValidator } from './validator.ts'

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
export function schemaValidator(options: SchemaValidatorOptions = {}): SchemaValidator {
  const given = Object.entries(options.limits ?? {}).filter(([, value]) => value !== undefined)
  const limits: SchemaLimits = { ...SCHEMA_LIMITS, ...Object.fromEntries(given) }
  const formats = formatsOf(options.assertFormats ?? false)
  const others = new Map(Object.entries(options.schemas ?? {}))
  const cache = new SchemaCache()
  const make = (schema: unknown): CompiledSchema => {
    const patterns = new Patterns()
    const documents = guarded(limits, () => new Documents(schema, limits, others, compiler(patterns, formats)))
    return {
      check: (value) => guarded(limits, () => checked(documents, value, limits)),
      ready: () => patterns.ready(),
    }
  }
  return {
    compile: (schema) =>
      typeof schema === 'object' && schema !== null
        ? cache.get(
            schema,
            () => guarded(limits, () => content(schema)),
            () => make(schema),
          )
        : make(schema),
  }
}

function formatsOf(asserted: boolean | readonly string[]): ReadonlySet<string> {
  const known = Object.keys(FORMATS)
  const names = asserted === true ? known : asserted || []
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new TypeError(`assertFormats names "${unknown}"; known are ${known.join(', ')}`)
  return new Set(names)
}

function content(schema: object): string {
  try {
    return JSON.stringify(schema) ?? ''
  } catch (cause) {
    if (cause instanceof RangeError) throw cause
    throw new ValidationError(
      'a schema must be JSON: this one contains itself or something that JSON does not have',
      { reason: 'schema' },
      { cause },
    )
  }
}

function checked(documents: Documents, value: unknown, limits: SchemaLimits): CheckResult {
  const { root, strange } = documents
  const run = new Run(limits)
  if (strange !== undefined)
    run.unknown(`the schema's dialect ${safe(strange)} is not known; it was read as draft ${root.resource.draft7 ? '7' : '2020-12'}`)
  const ok = value !== undefined && root.check(value, run)
  const unchecked = run.unchecked.size > 0 ? { unchecked: [...run.unchecked] } : {}
  if (ok) return { ok, ...unchecked }
  if (value === undefined) return { ok, issues: [{ path: '', schemaPath: '', message: 'the value is missing' }], ...unchecked }
  return { ok, issues: explain(root, value, new Run(limits, limits.maxSchemaSteps >> 2)), ...unchecked }
}

/** A stack that ends before `maxDepth` is reached, because the caller has used most of it, is that limit too. */
function guarded<T>(limits: SchemaLimits, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) limitReached('maxDepth', limits, error)
    throw error
  }
}
