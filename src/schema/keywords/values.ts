import { FORMATS } from '../formats.ts'
import { canonical, isMultiple } from '../json.ts'
import type { Maker, Rule } from '../node.ts'
import type { Patterns } from '../pattern/pattern.ts'
import type { Check, Run } from '../run.ts'

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

/** The test for a type name or a list of them; `undefined` when one is no type. */
export function typeTest(expected: unknown): ((value: unknown) => boolean) | undefined {
  const names: unknown[] = Array.isArray(expected) ? expected : [expected]
  const tests = names.flatMap((name) => (typeof name === 'string' && Object.hasOwn(TYPES, name) ? (TYPES[name] ?? []) : []))
  const [first, second] = tests
  if (first === undefined || tests.length < names.length) return undefined
  return second === undefined ? first : (value) => tests.some((test) => test(value))
}

function oneOf(allowed: readonly unknown[]): Check {
  const simple = new Set(allowed.filter((value) => typeof value !== 'object' || value === null))
  let texts: Set<string> | undefined
  return (value, run) => {
    if (typeof value !== 'object' || value === null) return simple.has(value)
    if (simple.size === allowed.length) return false
    texts ??= new Set(allowed.filter((item) => !simple.has(item)).map((item) => canonical(item, run)))
    return texts.has(canonical(value, run))
  }
}

/** Keywords for every kind of value. */
export const VALUES: ReadonlyMap<string, Maker<unknown>> = new Map<string, Maker<unknown>>([
  ['type', typeTest],
  ['enum', (expected) => (Array.isArray(expected) ? oneOf(expected) : undefined)],
  ['const', (expected) => oneOf([expected])],
])

const compared =
  (holds: (value: number, limit: number) => boolean): Maker<number> =>
  (limit) =>
    typeof limit === 'number' ? (value) => holds(value, limit) : undefined

/** Keywords for numbers. */
export const NUMBERS: ReadonlyMap<string, Maker<number>> = new Map([
  ['minimum', compared((value, limit) => value >= limit)],
  ['maximum', compared((value, limit) => value <= limit)],
  ['exclusiveMinimum', compared((value, limit) => value > limit)],
  ['exclusiveMaximum', compared((value, limit) => value < limit)],
  ['multipleOf', (of) => (typeof of === 'number' && of > 0 ? (value): boolean => isMultiple(value, of) : undefined)],
])

/** A length, count or other bound that must not be negative. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0
}

/** Characters, not code units: a pair of surrogates is one. */
function lengthOf(text: string, run: Run): number {
  run.spend(1 + (text.length >> 5))
  let length = text.length
  for (let i = text.length - 1; i > 0; i--) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) {
      length--
      i--
    }
  }
  return length
}

/** Keywords for strings. Formats are annotations unless they are among the asserted ones. */
export function strings(patterns: Patterns, formats: ReadonlySet<string>): ReadonlyMap<string, Maker<string>> {
  return new Map<string, Maker<string>>([
    [
      'minLength',
      (min) => (isCount(min) ? (text, run) => text.length >= min && (text.length >= 2 * min || lengthOf(text, run) >= min) : undefined),
    ],
    [
      'maxLength',
      (max) => (isCount(max) ? (text, run) => text.length <= max || (text.length <= 2 * max && lengthOf(text, run) <= max) : undefined),
    ],
    [
      'pattern',
      (source, node): Rule<string> | undefined => {
        const place = (): string => `${node.pointer}/pattern`
        return typeof source === 'string' ? { check: (text, run) => patterns.match(source, text, run, place) !== false } : undefined
      },
    ],
    [
      'format',
      (name) => {
        const fits = typeof name === 'string' && formats.has(name) ? FORMATS.get(name) : undefined
        return (text, run) => {
          if (fits === undefined) return true
          run.spend(1 + (text.length >> 4))
          return fits(text)
        }
      },
    ],
  ])
}
