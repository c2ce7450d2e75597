import { canonical } from '../canonical.ts'
import { FORMATS } from '../formats.ts'
import { isArray, isCompound, isNumber, isObject, isText, type JsonObject, names, own, reader } from '../json.ts'
import { keywordsFor, type Maker, type Makers } from '../node.ts'
import { patternOf } from '../pattern/pattern.ts'
import type { Check, Run } from '../run.ts'

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: isText,
  number: isNumber,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: isArray,
  object: isObject,
}

const type: Maker = (expected) => {
  const listed: unknown[] = Array.isArray(expected) ? expected : [expected]
  const tests = listed.map((name) => own(TYPES, String(name)))
  const [first, ...others] = tests
  if (first === undefined || tests.includes(undefined)) return undefined
  return others.length === 0 ? first : (value) => tests.some((test) => test?.(value))
}

function among(allowed: readonly unknown[]): Check {
  const simple = new Set(allowed.filter((value) => !isCompound(value)))
  let texts: Set<string> | undefined
  return (value, run) => {
    if (!isCompound(value)) return simple.has(value)
    texts ??= new Set(allowed.filter(isCompound).map((item) => canonical(item, run)))
    return texts.size > 0 && texts.has(canonical(value, run))
  }
}

const compared =
  <T>(holds: (value: T, limit: number, run: Run) => boolean, least = -Infinity): Maker<T> =>
  (limit) =>
    isNumber(limit) && limit >= least ? (value, run) => holds(value, limit, run) : undefined

/** Doubles round decimals: 0.0075 is a multiple of 0.0001, though the quotient is not quite 75. */
function isMultiple(value: number, of: number): boolean {
  if (value % of === 0 || (Number.isSafeInteger(value) && Number.isSafeInteger(of))) return value % of === 0
  const quotient = Math.abs(value / of)
  return Math.abs(quotient - Math.round(quotient)) <= quotient * 2 * Number.EPSILON
}

/** Characters, not code units: a pair of surrogates is one. */
function lengthOf(text: string, run: Run): number {
  run.spend(text.length >> 5)
  let length = 0
  for (const _char of text) length++
  return length
}

const required: Maker<JsonObject> = (expected) => {
  if (!isArray(expected)) return undefined
  const readers = expected.map((name) => reader(String(name)))
  return (object, run) => run.all(readers, (read) => read(object) !== undefined)
}

function unique(items: readonly unknown[], run: Run): boolean {
  run.spend(items.length)
  const texts = items.some(isCompound) ? items.map((item) => canonical(item, run)) : items
  return new Set(texts).size === items.length
}

/** Keywords that look at a value without subschemas: what a metaschema without the validation vocabulary takes away. */
export const ASSERTIONS: Makers = {
  type,
  enum: (expected) => (isArray(expected) ? among(expected) : undefined),
  const: (expected) => among([expected]),
  ...keywordsFor(isNumber, {
    minimum: compared((value, limit) => value >= limit),
    maximum: compared((value, limit) => value <= limit),
    exclusiveMinimum: compared((value, limit) => value > limit),
    exclusiveMaximum: compared((value, limit) => value < limit),
    multipleOf: compared(isMultiple, Number.MIN_VALUE),
  }),
  ...keywordsFor(isText, {
    minLength: compared((text, min, run) => text.length >= min && (text.length >= 2 * min || lengthOf(text, run) >= min), 0),
    maxLength: compared((text, max, run) => text.length <= max || (text.length <= 2 * max && lengthOf(text, run) <= max), 0),
    pattern: (source, node) => {
      const matches = isText(source) ? patternOf(source, `${node.pointer}/pattern`) : undefined
      return matches && ((text, run) => matches(text, run) !== false)
    },
    format: (name, node) => {
      const fits = isText(name) && node.formats.has(name) ? own(FORMATS, name) : undefined
      return (text, run) => {
        if (fits) run.spend(text.length >> 4)
        return fits?.(text) ?? true
      }
    },
  }),
  ...keywordsFor(isArray, {
    minItems: compared((items, min) => items.length >= min, 0),
    maxItems: compared((items, max) => items.length <= max, 0),
    uniqueItems: (expected) => (items, run) => expected !== true || unique(items, run),
  }),
  ...keywordsFor(isObject, {
    required,
    minProperties: compared((object, min) => names(object).length >= min, 0),
    maxProperties: compared((object, max) => names(object).length <= max, 0),
  }),
}
