import { isObject } from '../jsonrpc/codec.ts'

/** One line of a transcript. */
export type Step = { readonly line: number } & (
  | { readonly kind: 'expect'; readonly value: unknown }
  | { readonly kind: 'send'; readonly value: unknown }
  | { readonly kind: 'raw'; readonly text: string }
  | { readonly kind: 'exit' }
)

/** What the placeholders stand for, by their names without the `$`. */
export type Bindings = Map<string, unknown>

/** Reads a transcript; a line that is none of its forms is a `SyntaxError` that names it. */
export function parseTranscript(text: string): Step[] {
  const steps: Step[] = []
  for (const [index, whole] of text.split(/\r?\n/).entries()) {
    const line = index + 1
    const trimmed = whole.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    const [, mark, rest = ''] = /^(->|<-|<~|<!) ?(.*)$/.exec(whole.trimStart()) ?? []
    if (mark === '<~') steps.push({ line, kind: 'raw', text: rest })
    else if (mark === '<!' && rest.trim() === 'exit') steps.push({ line, kind: 'exit' })
    else if (mark === '->' || mark === '<-') steps.push({ line, kind: mark === '->' ? 'expect' : 'send', value: parse(rest, line) })
    else throw new SyntaxError(`line ${line} of the transcript must begin with "-> {", "<- {", "<~ " or "#", or be "<! exit": ${trimmed}`)
  }
  return steps
}

function parse(text: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new SyntaxError(`line ${line} of the transcript holds no JSON`, { cause })
  }
}

/**
 * Where `got` differs from `expected`, as the path of the first difference; undefined when it does not. Names that `expected` sees for
 * the first time are bound.
 */
export function difference(expected: unknown, got: unknown, bindings: Bindings, path = ''): string | undefined {
  if (typeof expected === 'string' && expected.startsWith('$') && !expected.startsWith('$$')) {
    const name = expected.slice(1)
    if (name === 'any') return got === undefined ? path : undefined
    if (bindings.has(name)) return difference(escaped(bindings.get(name)), got, bindings, path)
    if (got === undefined) return path
    bindings.set(name, got)
    return undefined
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(got) || got.length !== expected.length) return path
    return first(
      expected.map((_, index) => String(index)),
      (key) => difference(expected[Number(key)], got[Number(key)], bindings, `${path}/${key}`),
    )
  }
  if (isObject(expected)) {
    if (!isObject(got)) return path
    const { '...': open, ...members } = expected
    const more = open === undefined ? Object.keys(got).find((key) => !Object.hasOwn(members, key)) : undefined
    if (more !== undefined) return `${path}/${more}`
    return first(Object.keys(members), (key) => difference(members[key], got[key], bindings, `${path}/${key}`))
  }
  return (typeof expected === 'string' ? expected.replace(/^\$\$/, '$') : expected) === got ? undefined : path
}

function first(keys: readonly string[], look: (key: string) => string | undefined): string | undefined {
  for (const key of keys) {
    const found = look(key)
    if (found !== undefined) return found
  }
  return undefined
}

/** A value of the wire, written as a transcript would have it. */
function escaped(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('$') ? `$${value}` : value
}

/** The value with every bound name replaced. A name that is not bound is an error. */
export function filled(value: unknown, bindings: Bindings): unknown {
  if (typeof value === 'string') {
    if (!value.startsWith('$')) return value
    if (value.startsWith('$$')) return value.slice(1)
    if (!bindings.has(value.slice(1))) throw new SyntaxError(`"${value}" is not bound by an earlier line of the transcript`)
    return bindings.get(value.slice(1))
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, bindings))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filled(member, bindings)]))
}
