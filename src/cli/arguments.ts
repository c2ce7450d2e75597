import { closest } from 'mcp-switchboard/config'
import { coerce } from './coerce.ts'
import type { InputSchema } from './input-schema.ts'
import { UsageError } from './usage-error.ts'

/** Where the text of an argument comes from besides the command line. */
export interface Sources {
  file(path: string): Promise<string>
  stdin(): Promise<string>
}

/** A word of the command line read as an argument. `all` is the whole object, from stdin. */
export type Word =
  | { readonly kind: 'all' }
  | { readonly kind: 'text' | 'json' | 'file'; readonly name: string; readonly value: string }
  | { readonly kind: 'stdin'; readonly name: string }

/** Reads one word: `key=value`, `key:=json`, `key=@file`, `key=-` or `-`. */
export function readWord(word: string): Word {
  if (word === '-') return { kind: 'all' }
  const equals = word.indexOf('=')
  const name = word.slice(0, word[equals - 1] === ':' ? equals - 1 : equals)
  if (equals < 1 || name === '') {
    throw new UsageError(
      `"${word}" is no argument: arguments are written key=value`,
      'for all of them at once there is --args \'{"key": "value"}\'',
    )
  }
  const value = word.slice(equals + 1)
  if (name.length < equals) return { kind: 'json', name, value }
  if (value === '-') return { kind: 'stdin', name }
  return value.startsWith('@') ? { kind: 'file', name, value: value.slice(1) } : { kind: 'text', name, value }
}

export interface ArgumentInput {
  readonly words: readonly string[]
  /** The text of `--args`. */
  readonly args: string | undefined
  readonly schema: InputSchema
  readonly sources: Sources
  /** Gets one sentence for each argument that the schema does not name but allows. */
  readonly warn: (message: string) => void
}

/** The arguments of a call. The words win over `--args`, and both over an object from stdin. */
export async function readArguments({ words, args, schema, sources, warn }: ArgumentInput): Promise<Record<string, unknown>> {
  const read = words.map(readWord)
  const fromStdin = read.filter(({ kind }) => kind === 'all' || kind === 'stdin').length
  if (fromStdin > 1) throw new UsageError('stdin can be read for one argument only')
  const given = new Map<string, unknown>()
  const whole = read.some(({ kind }) => kind === 'all') ? [await sources.stdin()] : []
  for (const text of [...whole, ...(args === undefined ? [] : [args])]) {
    for (const [name, value] of Object.entries(objectOf(text))) given.set(name, value)
  }
  const seen = new Set<string>()
  for (const word of read) {
    if (word.kind === 'all') continue
    if (seen.has(word.name)) throw new UsageError(`${word.name} is given twice`, `for a list write ${word.name}:='["a", "b"]'`)
    seen.add(word.name)
    given.set(word.name, await valueFor(word, schema, sources))
  }
  checkNames(given.keys(), schema, warn)
  return Object.fromEntries(given)
}

async function valueFor(word: Exclude<Word, { kind: 'all' }>, schema: InputSchema, sources: Sources): Promise<unknown> {
  if (word.kind === 'json') return parsed(word.value, word.name)
  if (word.kind === 'text') return coerce(word.value, word.name, schema)
  return coerce(word.kind === 'file' ? await sources.file(word.value) : await sources.stdin(), word.name, schema)
}

function checkNames(names: Iterable<string>, schema: InputSchema, warn: (message: string) => void): void {
  const known = schema.names.map(({ name }) => name)
  for (const name of names) {
    if (known.includes(name) || schema.argument(name) !== undefined) continue
    const near = closest(name, known, 1).map((candidate) => `did you mean ${candidate}?`)
    const allowed = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`
    if (schema.closed) throw new UsageError(`the tool has no argument ${name}`, near[0] ?? allowed)
    warn([`the tool names no argument ${name}; it is sent all the same`, ...near].join('; '))
  }
}

function objectOf(text: string): object {
  const value = parsed(text, 'the arguments')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new UsageError('the arguments must be a JSON object')
  return value
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`${what}: no valid JSON (${cause instanceof Error ? cause.message : String(cause)})`)
  }
}
