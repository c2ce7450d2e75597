import { headerValue } from '../../src/era/modern/header-value.ts'
import { headerFault, mirroredArguments } from '../../src/era/modern/tool-headers.ts'
import type { Tool } from '../../src/protocol/types.ts'
import { type FuzzTarget, json, must, text } from './target.ts'

const FRAGMENTS = ['a', ' ', '\t', '=?base64?', '?=', 'YQ==', '\r\n', 'é', '🙂', '\0', '\x7f', ':', ','] as const
const CARRIED = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/

export const headerValues: FuzzTarget<string> = {
  name: 'header-value',
  input: (dice) => text(dice, FRAGMENTS),
  check(value) {
    const header = headerValue(value)
    must(CARRIED.test(header), 'no header value', header)
    // Lone surrogates have no bytes.
    must(decoded(header) === Buffer.from(value).toString(), 'read back it is another text', value, header)
  },
  growing: {
    'plain text': (size) => working('a'.repeat(size), headerValue),
    'what looks encoded': (size) => working(`=?base64?${'?='.repeat(size / 2)}`, headerValue),
    'text beyond ASCII': (size) => working('é'.repeat(size), headerValue),
    blanks: (size) => working(`a${' '.repeat(size)}`, headerValue),
  },
}

function decoded(header: string): string {
  const inner = /^=\?base64\?(.*)\?=$/.exec(header)?.[1]
  return inner === undefined ? header : Buffer.from(inner, 'base64').toString()
}

const KEYS = [
  'properties',
  'x-mcp-header',
  'type',
  'items',
  'allOf',
  '$defs',
  'default',
  'enum',
  'a',
  'b',
  '__proto__',
  'Region',
  'string',
  'integer',
] as const

interface Call {
  readonly tool: Tool
  readonly args: unknown
}

export const toolHeaders: FuzzTarget<Call> = {
  name: 'tool-headers',
  input(dice) {
    const properties: Record<string, unknown> = {}
    for (let left = dice.int(4); left > 0; left--) {
      const property = {
        type: dice.pick(['string', 'integer', 'boolean', 'number']),
        'x-mcp-header': text(dice, ['Region', 'a', '-', ' ', '\r\n', 'é'], 3),
      }
      properties[dice.pick(['a', 'b', 'c', '__proto__'])] = dice.chance(0.6) ? property : json(dice, KEYS)
    }
    const inputSchema = { type: 'object' as const, properties, ...(dice.chance(0.3) && { [dice.pick(KEYS)]: json(dice, KEYS) }) }
    // What a server sends has been parsed, so `__proto__` is a member like others.
    const args = { a: dice.pick([1, 'x\r\nSet-Cookie: y', true, null, 1.5, {}]), b: json(dice, KEYS), c: text(dice, FRAGMENTS, 5) }
    return JSON.parse(JSON.stringify({ tool: { name: 't', inputSchema }, args }))
  },
  check({ tool, args }) {
    const fault = headerFault(tool)
    let found: Record<string, string> | undefined
    try {
      found = mirroredArguments(tool, args)
    } catch (error) {
      must(error instanceof TypeError, 'an error that is not documented', String(error))
      return
    }
    must(fault === undefined || found === undefined, 'a faulty tool has headers', fault, found)
    for (const [name, value] of Object.entries(found ?? {})) {
      must(/^mcp-param-[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name), 'no header name', name)
      must(CARRIED.test(value), 'no header value', name, value)
    }
  },
  growing: {
    'a wide schema': (size) =>
      fresh(() => ({ properties: Object.fromEntries(Array.from({ length: size / 32 }, (_, key) => [`k${key}`, { type: 'string' }])) })),
    'a deep schema': (size) =>
      fresh(() => {
        let schema: Record<string, unknown> = {}
        for (let depth = 0; depth < size / 32; depth++) schema = { properties: { a: schema } }
        return schema
      }),
    'many annotations': (size) =>
      fresh(() => ({
        properties: Object.fromEntries(
          Array.from({ length: size / 32 }, (_, key) => [`k${key}`, { type: 'string', 'x-mcp-header': `H${key}` }]),
        ),
      })),
  },
}

/** What is known of a schema is kept with its outermost object, so each run has a new one. */
function fresh(make: () => object): () => void {
  const schema = make()
  return () => void headerFault({ name: 't', inputSchema: { type: 'object', ...schema } })
}

function working<T>(value: T, run: (value: T) => unknown): () => void {
  return () => void run(value)
}
