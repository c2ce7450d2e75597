import type { ValidationIssue } from '../errors.ts'
import { isArray, isObject, isText, own } from './json.ts'
import type { Failure } from './run.ts'

// Controls, format marks, lone surrogates and line separators of the peer must not rearrange the line that quotes them.
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}]/gu

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
  const all = [values].flat()
  return all.slice(0, 8).map(one).join(joint) + (all.length > 8 ? ` … (${all.length} in all)` : '')
}

const withArticle = (type: unknown): string => (type === 'null' ? 'null' : `${/^[aio]/.test(String(type)) ? 'an' : 'a'} ${type}`)

/** What is wrong when a keyword fails; `%` stands for its value in the schema. */
const SENTENCES: Readonly<Record<string, string>> = {
  '': 'is not allowed',
  type: 'must be %',
  enum: 'must be one of %',
  const: 'must be %',
  minimum: 'must be at least %',
  maximum: 'must be at most %',
  exclusiveMinimum: 'must be more than %',
  exclusiveMaximum: 'must be less than %',
  minLength: 'must have a length of at least %',
  maxLength: 'must have a length of at most %',
  minItems: 'must have at least % items',
  maxItems: 'must have at most % items',
  pattern: 'must match %',
  oneOf: 'fits more than one schema of "oneOf"',
  not: 'must not fit the schema under "not"',
}

function sentence({ keyword, expected, value }: Failure): string {
  if (keyword === 'required' && isObject(value) && isArray(expected)) {
    const missing = expected.filter((name) => own(value, String(name)) === undefined)
    return `must have the ${missing.length === 1 ? 'property' : 'properties'} ${few(missing, ' and ')}`
  }
  const shown = keyword === 'type' ? few(expected, ' or ', withArticle) : keyword === 'enum' ? few(expected, ', ') : show(expected)
  const words = own(SENTENCES, keyword) ?? `must fit "${keyword}": %`
  return words.includes('%') ? `${words.replace('%', () => shown)}, not ${show(value)}` : words
}

/** A failure as a reader gets it. */
export function issueOf(failure: Failure): ValidationIssue {
  const { path, place } = failure
  return { path, schemaPath: place, message: `${safe(path, 200) || 'the value'} ${sentence(failure)}` }
}
