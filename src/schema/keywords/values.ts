import { FORMATS } from '../formats.ts'
import { canonical, isMultiple, isObject, own } from '../json.ts'
import type { Maker, Makers } from '../node.ts'
import type { Patterns } from '../pattern/pattern.ts'
import type { Check, Run } from '../run.ts'

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
}

/** The test for a type name or a list of them; `undefined` when one is no type. */
export function typeTest(expected: unknown): ((value: unknown) => boolean) | undefined {
  const names: unknown[] = Array.isArray(expected) ? expected : [expected]
  const tests = Object.keys(TYPES).flatMap((name) => (names.includes(name) ? (TYPES[name] ?? []) : []))
  const [first, second] = tests
  if (first === undefined || !names.every((name) => typeof name === 'string' && Object.hasOwn(TYPES, name))) return undefined
  return second === undefined ? first : (value) => tests.some((test) => test(value))
}

function among(allowed: readonly unknown[]): Check {
  const simple = new Set(allowed.filter((value) => !(value instanceof Object)))
  let texts: Set<string> | undefined
  return (value, run) => {
    if (!(value instanceof Object)) return simple.has(value)
    texts ??= new Set(allowed.filter((item) => item instanceof Object).map((item) => canonical(item, run)))
    return texts.size > 0 && texts.has(canonical(value, run))
  }
}

/** Keywords for every kind of value. */
export const VALUES: Makers<unknown> = {
  type: typeTest,
  enum: (expected) => (Array.isArray(expected) ? among(expected) : undefined),
  const: (expected) => among([expected]),
}

const compared =
  <T>(holds: (value: T, limit: number, run: Run) => boolean, fits: (limit: number) => boolean): Maker<T> =>
  (limit) =>
    typeof limit === 'number' && fits(limit) ? (value, run) => holds(value, limit, run) : undefined

/** A keyword whose bound is a number that must not be negative. */
export const counted = <T>(holds: (value: T, limit: number, run: Run) => boolean): Maker<T> => compared(holds, isCount)

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0
}

/** Keywords for numbers. */
export const NUMBERS: Makers<number> = {
  minimum: compared((value, limit) => value >= limit, Number.isFinite),
  maximum: compared((value, limit) => value <= limit, Number.isFinite),
  exclusiveMinimum: compared((value, limit) => value > limit, Number.isFinite),
  exclusiveMaximum: compared((value, limit) => value < limit, Number.isFinite),
  multipleOf: compared(isMultiple, (of) => of > 0),
}

/** Characters, not code units: a pair of surrogates is one. */
function lengthOf(text: string, run: Run): number {
  run.spend(1 + (text.length >> 5))
  let length = text.length
  for (let i = 1; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) length--
  }
  return length
}

/** Keywords for strings. Formats are annotations unless they are among the asserted ones. */
export function strings(patterns: Patterns, formats: ReadonlySet<string>): Makers<string> {
  return {
    minLength: counted((text, min, run) => text.length >= min && (text.length >= 2 * min || lengthOf(text, run) >= min)),
    maxLength: counted((text, max, run) => text.length <= max || (text.length <= 2 * max && lengthOf(text, run) <= max)),
    pattern: (source, node) => {
      const place = (): string => `${node.pointer}/pattern`
      return typeof source === 'string' ? (text, run) => patterns.match(source, text, run, place) !== false : undefined
    },
    format: (name) => {
      const fits = typeof name === 'string' && formats.has(name) ? own(FORMATS, name) : undefined
      if (typeof fits !== 'function') return () => true
      return (text, run) => {
        run.spend(1 + (text.length >> 4))
        return fits(text) === true
      }
    },
  }
}
