import type { InputSchema } from './input-schema.ts'
import { UsageError } from './usage-error.ts'

/**
 * The value that a text means for an argument. Where the schema says string, or says nothing, the text stays as it is; a value that it
 * lists wins; of several types the narrowest that fits is taken, a string last.
 * @throws UsageError when the text means nothing of what the schema allows.
 */
export function coerce(text: string, name: string, schema: InputSchema): unknown {
  const alternatives = schema.alternatives(schema.argument(name))
  const listed = alternatives.flatMap(listedValues).find((value) => meant(value) === text)
  if (listed !== undefined) return listed
  const types = new Set(alternatives.flatMap(typesOf))
  if (types.size === 0) return text
  for (const [type, read] of READERS) {
    const value = types.has(type) ? read(text.trim()) : undefined
    if (value !== undefined) return value
  }
  if (types.has('string')) return text
  const [type = ''] = types
  throw new UsageError(
    `${name} must be ${[...types].map((each) => NOUNS[each] ?? each).join(' or ')}, not "${short(text)}"`,
    hintFor(type, name),
  )
}

type Reader = (text: string) => unknown

const number: Reader = (text) =>
  /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined
const json =
  (fits: (value: unknown) => boolean): Reader =>
  (text) => {
    try {
      const value: unknown = JSON.parse(text)
      return fits(value) ? value : undefined
    } catch {
      return undefined
    }
  }

/** The narrowest first. */
const READERS: readonly (readonly [string, Reader])[] = [
  ['null', json((value) => value === null)],
  ['boolean', json((value) => typeof value === 'boolean')],
  ['integer', (text) => [number(text)].find(Number.isSafeInteger)],
  ['number', number],
  ['array', json(Array.isArray)],
  ['object', json((value) => typeof value === 'object' && value !== null && !Array.isArray(value))],
]

const NOUNS: Readonly<Record<string, string>> = {
  null: 'null',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  array: 'a JSON array',
  object: 'a JSON object',
}

function hintFor(type: string, name: string): string | undefined {
  if (type === 'array') return `write ${name}='["a", "b"]'`
  if (type === 'object') return `write ${name}='{"key": "value"}'`
  return `${name}:=json sends JSON whatever the schema says`
}

function listedValues(schema: Readonly<Record<string, unknown>>): unknown[] {
  const values: unknown[] = Array.isArray(schema.enum) ? schema.enum : []
  return 'const' in schema ? [...values, schema.const] : values
}

/** What a person writes for a value that the schema lists. */
function meant(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function typesOf(schema: Readonly<Record<string, unknown>>): string[] {
  const types: unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type]
  const named = types.filter((type): type is string => typeof type === 'string')
  if (named.length > 0) return named
  // A list of values without a type: what it does not list is a string, or is refused by the server.
  return 'enum' in schema || 'const' in schema ? ['string'] : 'properties' in schema ? ['object'] : 'items' in schema ? ['array'] : []
}

function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
