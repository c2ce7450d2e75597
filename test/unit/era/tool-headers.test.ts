import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headerValue } from '../../../src/era/modern/header-value.ts'
import { headers } from '../../../src/era/modern/headers.ts'
import { headerFault, mirroredArguments } from '../../../src/era/modern/tool-headers.ts'
import { Extensions } from '../../../src/features/extensions.ts'
import type { Tool } from '../../../src/protocol/types.ts'

const tool = (properties: unknown, more = {}): Tool => ({ name: 't', inputSchema: { type: 'object', properties, ...more } }) as Tool
const marked = (header: unknown, more: object = { type: 'string' }): object => ({ ...more, 'x-mcp-header': header })
const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`

describe('a header value', () => {
  it.each([
    ['', ''],
    ['plain', 'plain'],
    ['us-west1', 'us-west1'],
    ['with  internal   spaces', 'with  internal   spaces'],
    ['!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'],
    [' ', base64(' ')],
    [' leading', base64(' leading')],
    ['trailing ', base64('trailing ')],
    ['\tleading tab', base64('\tleading tab')],
    ['a\tb', base64('a\tb')],
    ['line1\nline2', base64('line1\nline2')],
    ['line1\r\nline2', base64('line1\r\nline2')],
    ['\u0000', base64('\u0000')],
    ['\u007f', base64('\u007f')],
    ['Grüße', base64('Grüße')],
    ['日本語 🙂', base64('日本語 🙂')],
    ['=?base64?SGVsbG8=?=', base64('=?base64?SGVsbG8=?=')],
    ['=?base64??=', base64('=?base64??=')],
    ['=?base64?', '=?base64?'],
    ['x=?base64?SGVsbG8=?=', 'x=?base64?SGVsbG8=?='],
  ])('of %j is %j', (text, expected) => {
    expect(headerValue(text)).toBe(expected)
  })

  it('of known texts is as the specification writes it', () => {
    expect(headerValue('Hello, 世界')).toBe('=?base64?SGVsbG8sIOS4lueVjA==?=')
    expect(headerValue(' padded ')).toBe('=?base64?IHBhZGRlZCA=?=')
  })

  it('can be read back, whatever the text', () => {
    const decode = (value: string): string => {
      const [, inner] = /^=\?base64\?(.*)\?=$/.exec(value) ?? []
      return inner === undefined ? value : Buffer.from(inner, 'base64').toString('utf8')
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const value = headerValue(text)
        expect(value).toMatch(/^[\x20-\x7e]*$/)
        expect(value).toBe(value.trim())
        expect(decode(value)).toBe((text as string & { toWellFormed(): string }).toWellFormed())
      }),
    )
  })
})

describe('the annotations of a tool', () => {
  const FAULTY: readonly (readonly [string, Tool])[] = [
    ['an empty name', tool({ a: marked('') })],
    ['a name with a blank', tool({ a: marked('My Region') })],
    ['a name with a colon', tool({ a: marked('Region:') })],
    ['a name with a line break', tool({ a: marked('Re\ngion') })],
    ['a name that ends with a line break', tool({ a: marked('Region\n') })],
    ['a name with a control character', tool({ a: marked('Re\u0001gion') })],
    ['a name that is not ASCII', tool({ a: marked('Région') })],
    ['a name that is no text', tool({ a: marked(5) })],
    ['a name that is null', tool({ a: marked(null) })],
    ['a name that is true', tool({ a: marked(true) })],
    ['one name twice', tool({ a: marked('Region'), b: marked('Region') })],
    ['one name twice in other cases', tool({ a: marked('Region'), b: marked('REGION') })],
    ['one name twice at other depths', tool({ a: marked('Region'), o: { type: 'object', properties: { b: marked('region') } } })],
    ['type number', tool({ a: marked('A', { type: 'number' }) })],
    ['type object', tool({ a: marked('A', { type: 'object' }) })],
    ['type array', tool({ a: marked('A', { type: 'array' }) })],
    ['type null', tool({ a: marked('A', { type: 'null' }) })],
    ['no type', tool({ a: marked('A', {}) })],
    ['a list of types', tool({ a: marked('A', { type: ['string', 'null'] }) })],
    ['an enum without a type', tool({ a: marked('A', { enum: ['x'] }) })],
    ['the root', tool({}, { 'x-mcp-header': 'A' })],
    ['items', tool({ a: { type: 'array', items: marked('A') } })],
    ['properties below items', tool({ a: { type: 'array', items: { type: 'object', properties: { b: marked('B') } } } })],
    ['prefixItems', tool({ a: { type: 'array', prefixItems: [marked('A')] } })],
    ['oneOf', tool({ a: { oneOf: [marked('A')] } })],
    ['anyOf', tool({}, { anyOf: [{ properties: { a: marked('A') } }] })],
    ['allOf', tool({}, { allOf: [{ properties: { a: marked('A') } }] })],
    ['not', tool({ a: { not: marked('A') } })],
    ['if', tool({}, { if: { properties: { a: marked('A') } } })],
    // biome-ignore lint/suspicious/noThenProperty: it is the keyword of JSON Schema
    ['then', tool({}, { then: { properties: { a: marked('A') } } })],
    ['else', tool({}, { else: { properties: { a: marked('A') } } })],
    ['$defs, even unused', tool({}, { $defs: { a: marked('A') } })],
    ['definitions', tool({}, { definitions: { a: marked('A') } })],
    ['patternProperties', tool({}, { patternProperties: { '^a': marked('A') } })],
    ['additionalProperties', tool({}, { additionalProperties: marked('A') })],
    ['a reference', tool({ a: { $ref: '#/$defs/x' } }, { $defs: { x: marked('A') } })],
    ['dependentSchemas', tool({}, { dependentSchemas: { a: marked('A') } })],
    ['one good beside one bad', tool({ a: marked('A'), b: marked('') })],
  ]
  it.each(FAULTY)('forbid it over HTTP: %s', (_what, each) => {
    expect(headerFault(each)).toEqual(expect.any(String))
    expect(mirroredArguments(each, { a: 'x', b: 'y' })).toBeUndefined()
  })

  it.each<[string, Tool, unknown, Record<string, string> | undefined]>([
    ['no annotation', tool({ a: { type: 'string' } }), { a: 'x' }, undefined],
    ['no properties', { name: 't', inputSchema: { type: 'object' } }, { a: 'x' }, undefined],
    ['a text', tool({ a: marked('Region') }), { a: 'eu' }, { 'mcp-param-region': 'eu' }],
    ['an empty text', tool({ a: marked('A') }), { a: '' }, { 'mcp-param-a': '' }],
    ['a text that needs the sentinel', tool({ a: marked('A') }), { a: 'ä\n' }, { 'mcp-param-a': base64('ä\n') }],
    ['true', tool({ a: marked('A', { type: 'boolean' }) }), { a: true }, { 'mcp-param-a': 'true' }],
    ['false', tool({ a: marked('A', { type: 'boolean' }) }), { a: false }, { 'mcp-param-a': 'false' }],
    ['an integer', tool({ a: marked('A', { type: 'integer' }) }), { a: 42 }, { 'mcp-param-a': '42' }],
    ['a negative integer', tool({ a: marked('A', { type: 'integer' }) }), { a: -7 }, { 'mcp-param-a': '-7' }],
    ['an integer written 42.0', tool({ a: marked('A', { type: 'integer' }) }), JSON.parse('{"a":42.0}'), { 'mcp-param-a': '42' }],
    ['an integer written 1e3', tool({ a: marked('A', { type: 'integer' }) }), JSON.parse('{"a":1e3}'), { 'mcp-param-a': '1000' }],
    ['zero', tool({ a: marked('A', { type: 'integer' }) }), { a: 0 }, { 'mcp-param-a': '0' }],
    ['minus zero', tool({ a: marked('A', { type: 'integer' }) }), { a: -0 }, { 'mcp-param-a': '0' }],
    ['the largest integer', tool({ a: marked('A', { type: 'integer' }) }), { a: 2 ** 53 - 1 }, { 'mcp-param-a': '9007199254740991' }],
    ['null', tool({ a: marked('A') }), { a: null }, {}],
    ['absence', tool({ a: marked('A') }), {}, {}],
    ['absent arguments', tool({ a: marked('A') }), undefined, {}],
    [
      'a nested property',
      tool({ o: { type: 'object', properties: { p: { type: 'object', properties: { q: marked('Deep') } } } } }),
      { o: { p: { q: 'x' } } },
      { 'mcp-param-deep': 'x' },
    ],
    ['a nested property that is absent', tool({ o: { type: 'object', properties: { q: marked('Deep') } } }), { o: null }, {}],
    ['a property that objects have', tool({ constructor: marked('A'), toString: marked('B') }), {}, {}],
    ['a property called properties', tool({ properties: marked('A') }), { properties: 'x' }, { 'mcp-param-a': 'x' }],
    ['a property called x-mcp-header', tool({ 'x-mcp-header': marked('A') }), { 'x-mcp-header': 'x' }, { 'mcp-param-a': 'x' }],
    ['a name that a protocol header has', tool({ a: marked('Method') }), { a: 'x' }, { 'mcp-param-method': 'x' }],
    ['every character of a token', tool({ a: marked("!#$%&'*+-.^_`|~09azAZ") }), { a: 'x' }, { "mcp-param-!#$%&'*+-.^_`|~09azaz": 'x' }],
    [
      'data that only looks like an annotation',
      tool({ a: { type: 'object', default: marked(''), enum: [marked('')], const: marked(''), examples: [marked('')] } }),
      {},
      undefined,
    ],
  ])('mirror %s', (_what, each, args, expected) => {
    expect(headerFault(each)).toBeUndefined()
    expect(mirroredArguments(each, args)).toEqual(expected)
  })

  it.each([[2 ** 53], [-(2 ** 53)], [1e21], [1.5], [Number.POSITIVE_INFINITY]])(
    'refuse the number %d, which no header can carry exactly',
    (a) => {
      expect(() => mirroredArguments(tool({ a: marked('A', { type: 'integer' }) }), { a })).toThrow(TypeError)
      expect(() =>
        mirroredArguments(tool({ o: { type: 'object', properties: { a: marked('A', { type: 'integer' }) } } }), { o: { a } }),
      ).toThrow(/o\.a/)
    },
  )

  it('of a very deep or wide schema are found in bounded time', () => {
    let deep: object = { type: 'string' }
    for (let i = 0; i < 5_000; i++) deep = { type: 'object', properties: { a: deep } }
    expect(headerFault(tool({ deep }))).toBeUndefined()
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`p${i}`, { type: 'string' }]))
    expect(mirroredArguments(tool({ ...wide, a: marked('A') }), { a: 'x' })).toEqual({ 'mcp-param-a': 'x' })
  })
})

describe('the headers of a request', () => {
  const none = new Extensions()

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('of %s name the task, with the extension', (method) => {
    const tasks = new Extensions(['io.modelcontextprotocol/tasks'])
    expect(headers(method, { taskId: 't1' }, undefined, tasks)).toEqual({ 'mcp-method': method, 'mcp-name': 't1' })
    expect(headers(method, { taskId: 'ä' }, undefined, tasks)).toEqual({ 'mcp-method': method, 'mcp-name': base64('ä') })
  })

  it.each<[string, Record<string, unknown> | undefined, Record<string, string>]>([
    ['tools/list', undefined, { 'mcp-method': 'tools/list' }],
    ['tools/call', { name: 'echo' }, { 'mcp-method': 'tools/call', 'mcp-name': 'echo' }],
    ['tools/call', { name: 'ä' }, { 'mcp-method': 'tools/call', 'mcp-name': base64('ä') }],
    ['prompts/get', { name: 'p' }, { 'mcp-method': 'prompts/get', 'mcp-name': 'p' }],
    ['resources/read', { uri: 'file:///a%20b' }, { 'mcp-method': 'resources/read', 'mcp-name': 'file:///a%20b' }],
    ['resources/read', { uri: 'file:///ü' }, { 'mcp-method': 'resources/read', 'mcp-name': base64('file:///ü') }],
    ['tasks/get', { taskId: 't1' }, { 'mcp-method': 'tasks/get' }],
    ['server/discover', {}, { 'mcp-method': 'server/discover' }],
    ['completion/complete', { name: 'x' }, { 'mcp-method': 'completion/complete' }],
    ['prompts/get', { name: 5 }, { 'mcp-method': 'prompts/get' }],
    ['toString', { name: 'x' }, { 'mcp-method': 'toString' }],
  ])('%s %j', (method, params, expected) => {
    expect(headers(method, params, undefined, none)).toEqual(expected)
  })

  it('carry the arguments of a tool that is known, on calls only', () => {
    const definition = tool({ a: marked('A') })
    expect(headers('tools/call', { name: 't', arguments: { a: 'x' } }, definition, none)).toEqual({
      'mcp-method': 'tools/call',
      'mcp-name': 't',
      'mcp-param-a': 'x',
    })
    expect(headers('prompts/get', { name: 't', arguments: { a: 'x' } }, definition, none)).toEqual({
      'mcp-method': 'prompts/get',
      'mcp-name': 't',
    })
  })
})
