import { isObject } from './json.ts'

const ARTICLES: Readonly<Record<string, string>> = { integer: 'an integer', array: 'an array', object: 'an object', null: 'null' }
// Controls, line separators and direction marks of the peer must not rearrange the line that quotes them.
const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]/gu
const MAX_CHARS = 60

/** Text of a peer on one line, and not much of it. */
export function safe(text: string, max: number = MAX_CHARS): string {
  const cut = text.length > max ? `${text.slice(0, max)}…` : text
  return cut.replace(UNSAFE, (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
}

/** A value as a reader recognises it: the start of a text, the size of a list. */
function show(value: unknown): string {
  if (typeof value === 'string') return safe(JSON.stringify(value.slice(0, MAX_CHARS + 1)), MAX_CHARS)
  if (Array.isArray(value)) return `an array of ${count(value.length, 'item')}`
  return isObject(value) ? 'an object' : safe(String(value))
}

function count(many: unknown, what: string): string {
  return `${show(many)} ${what}${many === 1 ? '' : what === 'property' ? '' : 's'}`
}

function few(values: readonly unknown[], joint: string, one: (value: unknown) => string = show): string {
  const shown = values.slice(0, 8).map(one)
  return values.length > 8 ? `${shown.join(', ')} … (${values.length} in all)` : shown.join(joint)
}

export function typeNames(types: readonly unknown[]): string {
  return few([...new Set(types)], ' or ', (type) => ARTICLES[String(type)] ?? `a ${safe(String(type))}`)
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const SENTENCES: Readonly<Record<string, (expected: unknown, value: unknown) => string>> = {
  type: (types, value) => `must be ${typeNames(listed(types))}, not ${show(value)}`,
  enum: (values, value) => `must be one of ${few(listed(values), ', ')}, not ${show(value)}`,
  const: (wanted, value) => `must be ${show(wanted)}, not ${show(value)}`,
  minimum: (limit, value) => `must be at least ${show(limit)}, not ${show(value)}`,
  maximum: (limit, value) => `must be at most ${show(limit)}, not ${show(value)}`,
  exclusiveMinimum: (limit, value) => `must be more than ${show(limit)}, not ${show(value)}`,
  exclusiveMaximum: (limit, value) => `must be less than ${show(limit)}, not ${show(value)}`,
  multipleOf: (of, value) => `must be a multiple of ${show(of)}, not ${show(value)}`,
  minLength: (min, value) => `must have at least ${count(min, 'character')}, not ${show(value)}`,
  maxLength: (max) => `must have at most ${count(max, 'character')}`,
  pattern: (source, value) => `must match ${safe(String(source))}, not ${show(value)}`,
  format: (name, value) => `must be a valid ${safe(String(name))}, not ${show(value)}`,
  required: (names, value) => {
    const missing = listed(names).filter(
      (name) => !isObject(value) || !Object.hasOwn(value, String(name)) || value[String(name)] === undefined,
    )
    return `must have the ${missing.length === 1 ? 'property' : 'properties'} ${few(missing, ' and ')}`
  },
  minProperties: (min) => `must have at least ${show(min)} properties`,
  maxProperties: (max) => `must have at most ${show(max)} properties`,
  propertyNames: () => 'has a property whose name is not allowed',
  dependentRequired: () => 'lacks a property that another of its properties needs',
  dependencies: () => 'lacks a property that another of its properties needs',
  minItems: (min, value) => `must have at least ${count(min, 'item')}, not ${listed(value).length}`,
  maxItems: (max, value) => `must have at most ${count(max, 'item')}, not ${listed(value).length}`,
  uniqueItems: () => 'must not have two equal items',
  contains: () => 'must have as many items of a certain kind as its schema says',
  not: () => 'must not fit the schema under "not"',
  oneOf: () => 'fits more than one schema of "oneOf"',
}

/** What is wrong with a value, as the end of a sentence that starts with its place. */
export function sentence(keyword: string, expected: unknown, value: unknown): string {
  return SENTENCES[keyword]?.(expected, value) ?? `does not fit "${safe(keyword)}"`
}
