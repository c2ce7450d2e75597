import { isArray, isObject, isText, own } from './json.ts'

// Controls, line separators and direction marks of the peer must not rearrange the line that quotes them.
const UNSAFE = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** Text of a peer on one line, and not much of it. */
export function safe(text: string, max = 60): string {
  const cut = text.length > max ? `${text.slice(0, max)}…` : text
  return cut.replace(UNSAFE, (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
}

/** A value as a reader recognises it: the start of a text, the size of a list. */
function show(value: unknown): string {
  if (isText(value)) return safe(JSON.stringify(value.slice(0, 61)))
  if (isArray(value)) return `an array of length ${value.length}`
  return isObject(value) ? 'an object' : safe(String(value))
}

function few(values: unknown, joint: string, one: (value: unknown) => string = show): string {
  const all = isArray(values) ? values : [values]
  return all.slice(0, 8).map(one).join(joint) + (all.length > 8 ? ` … (${all.length} in all)` : '')
}

const withArticle = (type: unknown): string => (type === 'null' ? 'null' : `${/^[aio]/.test(String(type)) ? 'an' : 'a'} ${type}`)

/** What a keyword demands of a value; `%` stands for its value in the schema. */
const DEMANDS: Readonly<Record<string, string>> = {
  type: 'be %',
  enum: 'be one of %',
  const: 'be %',
  minimum: 'be at least %',
  maximum: 'be at most %',
  exclusiveMinimum: 'be more than %',
  exclusiveMaximum: 'be less than %',
  minLength: 'have a length of at least %',
  maxLength: 'have a length of at most %',
  minItems: 'have at least % items',
  maxItems: 'have at most % items',
  pattern: 'match %',
}

/** What is wrong with a value, as the end of a sentence that starts with its place. */
export function sentence(keyword: string, expected: unknown, value: unknown): string {
  if (keyword === 'oneOf') return 'fits more than one schema of "oneOf"'
  if (keyword === 'not') return 'must not fit the schema under "not"'
  if (keyword === 'required' && isObject(value) && isArray(expected)) {
    const missing = expected.filter((name) => own(value, String(name)) === undefined)
    return `must have the ${missing.length === 1 ? 'property' : 'properties'} ${few(missing, ' and ')}`
  }
  const demanded = keyword === 'type' ? few(expected, ' or ', withArticle) : keyword === 'enum' ? few(expected, ', ') : show(expected)
  const demand = own(DEMANDS, keyword) ?? `fit "${keyword}": %`
  return `must ${demand.replace('%', () => demanded)}, not ${show(value)}`
}
