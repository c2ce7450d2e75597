import { describe, expect, it, vi } from 'vitest'
import { ValidationError } from '../../../src/errors.ts'
import { schemaValidator } from '../../../src/schema/engine.ts'
import type { SchemaLimits } from '../../../src/schema/limits.ts'
import { checkWhole } from '../../../src/schema/validator.ts'

const check = (schema: unknown, value: unknown) => schemaValidator().compile(schema).check(value)
const messages = (schema: unknown, value: unknown): string[] => {
  const result = check(schema, value)
  return result.ok ? [] : result.issues.map(({ message }) => message)
}
const schemaIf = (condition: unknown, then: unknown): unknown =>
  JSON.parse(JSON.stringify({ if: condition, '~': then }).replace('"~"', '"then"'))

describe('a failure', () => {
  it.each([
    [{ properties: { unit: { enum: ['C', 'F'] } } }, { unit: 'K' }, '/unit must be one of "C", "F", not "K"'],
    [{ type: ['string', 'null'] }, 5, 'the value must be a string or null, not 5'],
    [{ required: ['a', 'b', 'c'] }, { b: 1 }, 'the value must have the properties "a" and "c"'],
    [{ properties: { a: true }, additionalProperties: false }, { 'x/y': 1 }, '/x~1y is not allowed'],
    [{ items: { minimum: 3 } }, [5, 2], '/1 must be at least 3, not 2'],
    [{ properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'integer' } } }, { a: 1.5 }, '/a must be an integer, not 1.5'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 5, 'the value must be a string or null, not 5'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'the value must have the property "b"'],
    [{ not: {} }, 1, 'the value must not fit the schema under "not"'],
    [{ oneOf: [true, true] }, 1, 'the value fits more than one schema of "oneOf"'],
    [schemaIf({ type: 'string' }, { minLength: 3 }), 'ab', 'the value must have a length of at least 3, not "ab"'],
    [{ type: 'object', properties: { a: true }, unevaluatedProperties: false }, { a: 1, b: 2 }, '/b is not allowed'],
  ])('of %j is one sentence', (schema, value, message) => {
    expect(messages(schema, value)).toEqual([message])
  })

  it('says where the value and the schema disagree, as JSON Pointers', () => {
    const result = check({ properties: { a: { items: { $ref: '#/$defs/n~1m' } } }, $defs: { 'n/m': { type: 'number' } } }, { a: [1, 'x'] })
    expect(result).toMatchObject({ ok: false, issues: [{ path: '/a/1', schemaPath: '/$defs/n~1m/type' }] })
  })

  it('reports the branch that the value comes nearest to', () => {
    const shape = (kind: string, type: string) => ({
      type: 'object',
      properties: { kind: { const: kind }, size: { type } },
      required: ['size'],
    })
    expect(messages({ oneOf: [shape('a', 'number'), shape('b', 'string'), { type: 'array' }] }, { kind: 'b', size: 1 })).toEqual([
      '/size must be a string, not 1',
    ])
  })

  it('tells the first failures only, and cuts and escapes what the peer wrote', () => {
    const many = messages({ items: { type: 'number' } }, Array(100).fill('x'))
    expect(many).toHaveLength(8)
    const [message = ''] = messages({ const: 1 }, `\u202e\u0000${'y'.repeat(1_000)}`)
    expect(message).toMatch(/\\u202e/)
    expect(message.length).toBeLessThan(120)
  })

  it('explains the same failure as the same check found, when a reference is dynamic', () => {
    const schema = {
      $id: 'https://x.example/strict',
      $dynamicAnchor: 'node',
      $ref: 'tree',
      unevaluatedProperties: false,
      $defs: { tree: { $id: 'tree', $dynamicAnchor: 'node', properties: { next: { $dynamicRef: '#node' } } } },
    }
    expect(messages(schema, { next: { nxt: 1 } })).toEqual(['/next/nxt is not allowed'])
  })
})

describe('what nobody can check', () => {
  it.each([
    [{ $ref: 'https://nowhere.example/x' }, /^\/\$ref was not checked: it refers to nothing/],
    [{ type: 'any' }, /^\/type was not checked: its value/],
    [{ anyOf: [] }, /^\/anyOf was not checked: its value/],
    [{ properties: { a: 5 } }, /^\/properties\/a was not checked: it is no schema/],
    [{ $schema: 'https://json-schema.org/draft/2031/schema' }, /dialect .* is not known/],
    [{ properties: { a: { pattern: '(' } } }, /^\/properties\/a\/pattern was not checked: the pattern is not a regular expression/],
  ])('of %j passes and is named', (schema, sentence) => {
    const result = check(schema, { a: 'x' })
    expect(result).toEqual({ ok: true, unchecked: [expect.stringMatching(sentence)] })
  })

  const broken = { $ref: '#/nowhere' }
  it.each([
    ['not', { not: broken }],
    ['oneOf', { oneOf: [broken, true] }],
    ['if', { if: broken, else: false }],
    ['maxContains', { contains: broken, maxContains: 0, minContains: 0 }],
    ['unevaluatedItems', { allOf: [broken], unevaluatedItems: false }],
    ['additionalProperties', { patternProperties: { '(': true }, additionalProperties: false }],
  ])('never turns into a failure under %s', (_keyword, schema) => {
    expect(check(schema, [1])).toMatchObject({ ok: true })
    expect(check(schema, { a: 1 })).toMatchObject({ ok: true })
  })

  it('does not hide a failure beside it', () => {
    expect(check({ type: 'string', $ref: '#/nowhere' }, 1).ok).toBe(false)
    expect(check({ anyOf: [{ type: 'string' }, { allOf: [broken, false] }] }, 1).ok).toBe(false)
  })
})

describe('a pattern', () => {
  it.each([
    ['^https\\:\\/\\/', 'https://x.example', true],
    ['^\\@[\\w\\-]+$', '@a-b', true],
    ['^😀{2}$', '😀😀', true],
    ['^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', 'a@b.c', true],
    ['^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', 'a@b', false],
    ['(a+)+\\s$', 'aa\u00a0', true],
    ['(a+)+.$', 'aa\u2028', false],
    ['^(\\p{L}+\\s?)+$', 'Grüße aus Łódź', true],
    ['^(?=.*[A-Z])(?=.*\\d).{8,}$', 'abcdefG1', true],
    ['^(?=.*[A-Z])(?=.*\\d).{8,}$', 'abcdefg1', false],
    ['(a*)*\\u00e9', 'é', true],
    ['^(\\w+)\\s\\1$', 'hey hey', true],
    ['^(\\w+)\\s\\1$', 'hey you', false],
    ['^(a|aa)+[]$', 'a', false],
    ['^(?:a|ab)+[^]$', 'ab\n', true],
    ['^{a}$', '{a}', true],
    ['(x+)+\\-\\a$', 'xx-a', true],
    ['^[\\w-\\.]+$', 'a-b.c', true],
  ])('%s on %j', async (pattern, value, ok) => {
    // The verdict is the question here: a busy machine must not run into the clock of patterns that are timed.
    const compiled = schemaValidator({ limits: { maxPatternMs: 10_000 } }).compile({ pattern })
    expect(await checkWhole(compiled, value)).toEqual(ok ? { ok } : { ok, issues: [expect.anything()] })
  })
})

it('waits for the engine that a pattern needs in every one of several checks at once', async () => {
  const compiled = schemaValidator().compile({ pattern: '(a+)+b$' })
  const results = await Promise.all(Array.from({ length: 3 }, () => checkWhole(compiled, 'aab')))
  expect(results).toEqual([{ ok: true }, { ok: true }, { ok: true }])
})

it.each([
  ['^[a-z]{2}-[0-9]{4}$', 'ab-1234'],
  ['^[A-Za-z0-9_-]+$', 'a_b-c'],
  ['^https?://', 'https://x.example'],
  ['^#(?:[0-9a-f]{3}|[0-9a-f]{6})$', '#a0b1c2'],
  ['^\\d{4}-\\d{2}-\\d{2}(?:T.*)?$', '2026-01-31T10:00'],
  ['(red|green|blue)$', 'dark green'],
])('runs %s at once, with no engine to load', async (pattern, value) => {
  vi.resetModules()
  const { schemaValidator: fresh } = await import('../../../src/schema/engine.ts')
  expect(fresh().compile({ pattern }).check(value)).toEqual({ ok: true })
  expect(fresh().compile({ pattern }).check('?')).toEqual({ ok: false, issues: [expect.anything()] })
})

it('names a pattern as unchecked until the engine that it needs is loaded', async () => {
  vi.resetModules()
  const { schemaValidator: fresh } = await import('../../../src/schema/engine.ts')
  const compiled = fresh().compile({ properties: { a: { pattern: '(a+)+b$' } } })
  expect(compiled.check({ a: 'c' })).toEqual({ ok: true, unchecked: [expect.stringMatching(/^\/properties\/a\/pattern was not checked/)] })
  expect(await compiled.ready?.()).toBe(true)
  expect(compiled.check({ a: 'c' })).toMatchObject({ ok: false })
  expect(await compiled.ready?.()).toBe(false)
})

describe('a limit', () => {
  it.each<[keyof SchemaLimits, number, unknown, unknown]>([
    ['maxDepth', 3, { items: { items: { items: { items: {} } } } }, 1],
    ['maxDepth', 3, { items: { $ref: '#' } }, [[[[[]]]]]],
    ['maxSchemaSteps', 10, { items: { type: 'number' } }, Array(20).fill(1)],
    ['maxSchemaSteps', 10, Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`x${i}`, 1])), 1],
    ['maxSubschemas', 3, { allOf: [true, {}, {}, {}] }, 1],
    ['maxPatternChars', 3, { pattern: 'abcd' }, 'abcd'],
    ['maxPatternMs', 1, { pattern: '^(a+)+\\1$' }, `${'a'.repeat(40)}!`],
  ])('%s ends the work with an error that names it', (limit, max, schema, value) => {
    const run = () =>
      schemaValidator({ limits: { [limit]: max } })
        .compile(schema)
        .check(value)
    expect(run).toThrow(ValidationError)
    expect(run).toThrow(expect.objectContaining({ reason: 'limit', limit, message: expect.stringContaining(limit) }))
  })
})

describe('a schema', () => {
  it.each([5, null, 'x', [], undefined])('that is %j is refused', (schema) => {
    expect(() => schemaValidator().compile(schema)).toThrow(expect.objectContaining({ reason: 'schema' }))
  })

  it('that contains itself is refused', () => {
    const schema: Record<string, unknown> = {}
    schema.not = schema
    expect(() => schemaValidator().compile(schema)).toThrow(expect.objectContaining({ reason: 'schema' }))
  })

  it('is compiled once for the same object and for equal content, within one validator', () => {
    const { compile } = schemaValidator()
    const schema = { type: 'string' }
    expect(compile(schema)).toBe(compile(schema))
    expect(compile({ type: 'string' })).toBe(compile(schema))
    expect(schemaValidator().compile(schema)).not.toBe(compile(schema))
  })

  it('is forgotten by content when a thousand others have been compiled since', () => {
    const { compile } = schemaValidator()
    const first = compile({ const: 'first' })
    for (let i = 0; i < 1_000; i++) compile({ const: i })
    expect(compile({ const: 'first' })).not.toBe(first)
  })

  it('of type object with nothing else takes every object', () => {
    expect(check({ type: 'object' }, { a: 1 })).toEqual({ ok: true })
  })
})

describe('a value', () => {
  it('that is missing does not fit any schema', () => {
    expect(check(true, undefined)).toMatchObject({ ok: false, issues: [{ message: 'the value is missing' }] })
  })

  it('has no property whose value is undefined, as when it is sent', () => {
    expect(
      check({ properties: { a: { type: 'number' } }, additionalProperties: false, maxProperties: 0 }, { a: undefined, b: undefined }).ok,
    ).toBe(true)
    expect(check({ required: ['a'] }, { a: undefined }).ok).toBe(false)
  })

  it('is equal to another by content, whatever the order of its properties', () => {
    expect(check({ const: { a: [1, '2'], b: null } }, { b: null, a: [1, '2'] }).ok).toBe(true)
    expect(check({ uniqueItems: true }, [{ a: 'b=1' }, { 'a=b': 1 }, ['1', '2'], ['1,"1:2'], [[1], 2], [1, [2]]]).ok).toBe(true)
  })
})

it('asserts formats only when it is asked to, and refuses the name of one it cannot assert', () => {
  expect(check({ format: 'email' }, 'no').ok).toBe(true)
  expect(
    schemaValidator({ assertFormats: ['email'] })
      .compile({ format: 'email' })
      .check('no').ok,
  ).toBe(false)
  expect(
    schemaValidator({ assertFormats: ['email'] })
      .compile({ format: 'uri' })
      .check('no').ok,
  ).toBe(true)
  expect(() => schemaValidator({ assertFormats: ['colour'] })).toThrow(TypeError)
})
