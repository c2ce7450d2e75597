import { describe, expect, it } from 'vitest'
import { readArguments, readWord } from '../../src/cli/arguments.ts'
import { InputSchema } from '../../src/cli/input-schema.ts'

const PROPERTIES = {
  name: { type: 'string' },
  count: { type: 'integer' },
  ratio: { type: 'number' },
  on: { type: 'boolean' },
  nothing: { type: 'null' },
  tags: { type: 'array', items: { type: 'string' } },
  filter: { type: 'object' },
  anything: {},
  either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  listed: { type: ['string', 'null', 'boolean'] },
  color: { type: 'string', enum: ['red', '1'] },
  level: { enum: [1, 2, 'high', null] },
  kind: { const: 7 },
  mode: { oneOf: [{ const: 'fast' }, { const: 3 }] },
  referred: { $ref: '#/$defs/amount' },
  circular: { $ref: '#/properties/circular' },
  all: { allOf: [{ type: 'number' }, { minimum: 3 }] },
  shape: { properties: { a: { type: 'string' } } },
}
const SCHEMA = { type: 'object', properties: PROPERTIES, $defs: { amount: { type: 'integer' } } }

async function read(words: readonly string[], options: { schema?: object; args?: string; stdin?: string } = {}) {
  const warnings: string[] = []
  const values = await readArguments({
    words,
    args: options.args,
    schema: new InputSchema({ ...(options.schema ?? SCHEMA) }),
    sources: { file: async (path) => `text of ${path}`, stdin: async () => options.stdin ?? '' },
    warn: (message) => warnings.push(message),
  })
  return { values, warnings }
}

describe('a word of the command line', () => {
  it.each([
    ['a=b', { kind: 'text', name: 'a', value: 'b' }],
    ['a=', { kind: 'text', name: 'a', value: '' }],
    ['a=b=c', { kind: 'text', name: 'a', value: 'b=c' }],
    ['a:b=c', { kind: 'text', name: 'a:b', value: 'c' }],
    ['a:=1', { kind: 'json', name: 'a', value: '1' }],
    ['a=:=1', { kind: 'text', name: 'a', value: ':=1' }],
    ['a=@f', { kind: 'file', name: 'a', value: 'f' }],
    ['a:="@f"', { kind: 'json', name: 'a', value: '"@f"' }],
    ['a=-', { kind: 'stdin', name: 'a' }],
    ['a=-1', { kind: 'text', name: 'a', value: '-1' }],
    ['-', { kind: 'all' }],
  ])('%s is read', (word, expected) => {
    expect(readWord(word)).toEqual(expected)
  })

  it.each(['a', '=b', ':=1', ''])('"%s" is no argument', (word) => {
    expect(() => readWord(word)).toThrow('is no argument')
  })
})

describe('the text of an argument becomes what its schema says', () => {
  it.each([
    ['name=5', '5'],
    ['name=true', 'true'],
    ['name={"a":1}', '{"a":1}'],
    ['name=', ''],
    ['name:=5', 5],
    ['count=5', 5],
    ['count=-5', -5],
    ['count= 5 ', 5],
    ['count=5.0', 5],
    ['count=1e3', 1000],
    ['ratio=.5', 0.5],
    ['ratio=+2', 2],
    ['on=true', true],
    ['nothing=null', null],
    ['tags=["a"]', ['a']],
    ['filter={"a":{"b":1}}', { a: { b: 1 } }],
    ['anything=5', '5'],
    ['anything:=5', 5],
    ['either=5', 5],
    ['either=five', 'five'],
    ['maybe=null', null],
    ['maybe=nul', 'nul'],
    ['maybe:="null"', 'null'],
    ['listed=true', true],
    ['listed=truth', 'truth'],
    ['color=1', '1'],
    ['level=1', 1],
    ['level=high', 'high'],
    ['level=null', null],
    ['level=low', 'low'],
    ['kind=7', 7],
    ['mode=3', 3],
    ['mode=fast', 'fast'],
    ['referred=12', 12],
    ['circular=x', 'x'],
    ['all=3', 3],
    ['shape={"a":"b"}', { a: 'b' }],
    ['name=@file', 'text of file'],
  ])('%s', async (word, expected) => {
    const { values, warnings } = await read([word])
    expect(Object.values(values)).toEqual([expected])
    expect(warnings).toEqual([])
  })

  it.each([
    ['count=five', 'count must be a whole number, not "five"'],
    ['count=5.5', 'count must be a whole number'],
    ['count=12345678901234567890', 'count must be a whole number'],
    ['count=0x10', 'count must be a whole number'],
    ['count=', 'count must be a whole number'],
    ['ratio=NaN', 'ratio must be a number'],
    ['ratio=1e999', 'ratio must be a number'],
    ['on=yes', 'on must be true or false'],
    ['tags=a,b', 'tags must be a JSON array'],
    ['filter=[1]', 'filter must be a JSON object'],
    ['filter=null', 'filter must be a JSON object'],
    ['filter=@file', 'filter must be a JSON object, not "text of file"'],
    ['name:=five', 'name: no valid JSON'],
  ])('%s is refused', async (word, message) => {
    await expect(read([word])).rejects.toThrow(message)
  })
})

describe('all arguments together', () => {
  it('words win over --args, and --args over stdin', async () => {
    const { values } = await read(['-', 'name=word'], { stdin: '{"name":"stdin","count":1,"on":true}', args: '{"name":"args","count":2}' })
    expect(values).toEqual({ name: 'word', count: 2, on: true })
  })

  it.each([
    [['name=a', 'name=b'], {}, 'name is given twice'],
    [['-', 'name=-'], {}, 'stdin can be read for one argument only'],
    [['-'], { stdin: '[1]' }, 'must be a JSON object'],
    [[], { args: '{' }, 'the arguments: no valid JSON'],
  ])('%j with %j is refused', async (words, options, message) => {
    await expect(read(words, options)).rejects.toThrow(message)
  })

  it('an unknown name is passed on as a string, with a warning that names the closest', async () => {
    const { values, warnings } = await read(['coun=5'])
    expect(values).toEqual({ coun: '5' })
    expect(warnings).toEqual(['the tool names no argument coun; it is sent all the same; did you mean count?'])
  })

  it('an unknown name is refused where the schema forbids it', async () => {
    const closed = { type: 'object', properties: { path: {} }, additionalProperties: false }
    await expect(read(['x=1'], { schema: closed })).rejects.toMatchObject({ message: 'the tool has no argument x', hint: 'it takes path' })
    await expect(read(['pat=1'], { schema: closed })).rejects.toMatchObject({ hint: 'did you mean path?' })
    await expect(read([], { schema: closed, args: '{"x":1}' })).rejects.toThrow('no argument x')
  })

  it('names that a schema for all others covers are read by it, without a warning', async () => {
    const schema = { type: 'object', additionalProperties: { type: 'number' } }
    expect(await read(['x=1'], { schema })).toEqual({ values: { x: 1 }, warnings: [] })
  })

  it('a name of the language is a name like others', async () => {
    const { values } = await read(['__proto__=x', 'constructor=y'], { schema: { type: 'object', additionalProperties: true } })
    expect(Object.entries(values)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ])
  })

  it('names stand in branches and references too, the required ones first', () => {
    const schema = {
      $ref: '#/$defs/base',
      allOf: [{ properties: { b: {} }, required: ['b'] }],
      properties: { c: {} },
      $defs: { base: { properties: { a: {} } } },
    }
    expect(new InputSchema(schema).names.map(({ name }) => name)).toEqual(['b', 'c', 'a'])
  })

  it('a schema that doubles at every step costs no time', async () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`d${i}`, { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] }]),
    )
    expect(await read(['x=1'], { schema: { properties: { x: { $ref: '#/$defs/d0' } }, $defs } })).toMatchObject({ values: { x: '1' } })
  })
})
