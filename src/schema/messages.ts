import { isObject, own } from './json.ts'

// Controls, line separators and direction marks of the peer must not rearrange the line that quotes them.
const UNSAFE = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu
const MAX_CHARS = 60

/** Text of a peer on one line, and not much of it. */
export function safe(text: string, max: number = MAX_CHARS): string {
  const cut = text.length > max ? `${text.slice(0, max)}…` : text
  return cut.replace(UNSAFE, (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
}

/** A value as a reader recognises it: the start of a text, the size of a list. */
function show(value: unknown): string {
  if (typeof value === 'string') return safe(JSON.stringify(value.slice(0, MAX_CHARS + 1)))
  if (Array.isArray(value)) return `an array of length ${value.length}`
  return isObject(value) ? 'an object' : safe(String(value))
}

function few(values: unknown, joint: string, one: (value: unknown) => string = show): string {
  const all: readonly unknown[] = Array.isArray(values) ? values : [values]
  return all.slice(0, 8).map(one).join(joint) + (all.length > 8 ? ` … (${all.length} in all)` : '')
}

export function typeNames(types: unknown): string {
  return few(types, ' or ', (type) => (type === 'null' ? 'null' : `${/^[aio]/.test(String(type)) ? 'an' : 'a'} ${safe(String(type))}`))
}

/** What a keyword demands; `%` stands for its value in the schema. */
const DEMANDS: Readonly<Record<string, string>> = {
  const: 'be %',
  minimum: 'be at least %',
  maximum: 'be at most %',
  exclusiveMinimum: 'be more than %',
  exclusiveMaximum: 'be less than %',
  multipleOf: 'be a multiple of %',
  minLength: 'have a length of at least %',
  maxLength: 'have a length of at most %',
  minItems: 'have at least % items',
  maxItems: 'have at most % items',
  pattern: 'match %',
  format: 'have the format %',
}

const OTHERS: Readonly<Record<string, string>> = {
  minProperties: 'has too few properties',
  maxProperties: 'has too many properties',
  propertyNames: 'has a property whose name is not allowed',
  uniqueItems: 'must not have two equal items',
  contains: 'has too few or too many items of the kind under "contains"',
  not: 'must not fit the schema under "not"',
  oneOf: 'fits more than one schema of "oneOf"',
}

/** What is wrong with a value, as the end of a sentence that starts with its place. */
export function sentence(keyword: string, expected: unknown, value: unknown): string {
  if (keyword === 'required' && isObject(value) && Array.isArray(expected)) {
    const missing = expected.filter((name) => own(value, String(name)) === undefined)
    return `must have the ${missing.length === 1 ? 'property' : 'properties'} ${few(missing, ' and ')}`
  }
  const demand =
    keyword === 'type' ? `be ${typeNames(expected)}` : keyword === 'enum' ? `be one of ${few(expected, ', ')}` : own(DEMANDS, keyword)
  if (demand !== undefined) return `must ${demand.replace('%', () => show(expected))}, not ${show(value)}`
  return own(OTHERS, keyword) ?? `does not fit "${safe(keyword)}"`
}
