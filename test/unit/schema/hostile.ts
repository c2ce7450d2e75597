/** Schemas and values that a server could send to stop its client. Each must end in a verdict or in a named limit. */
export interface HostileCase {
  name: string
  schema: unknown
  value: unknown
  /** The verdict, or the limit that ends the work. */
  ends: boolean | string | undefined
}

const nested = (levels: number, wrap: (inner: unknown) => unknown, core: unknown): unknown => {
  let built = core
  for (let i = 0; i < levels; i++) built = wrap(built)
  return built
}

/** `$defs` in which each one refers twice to the next. */
function doubled(levels: number, keyword: string): unknown {
  const $defs: Record<string, unknown> = { [`d${levels}`]: { type: 'string' } }
  for (let i = 0; i < levels; i++) $defs[`d${i}`] = { [keyword]: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] }
  return { $defs, $ref: '#/$defs/d0' }
}

const MIB = 1_048_576
const as = `${'a'.repeat(40)}!`
const long = `${'a'.repeat(MIB)}!`
const pattern = (source: string, value: string, ends: HostileCase['ends']): HostileCase => ({
  name: `the pattern ${source.slice(0, 40)} on ${value.length} characters`,
  schema: { type: 'string', pattern: source },
  value,
  ends,
})
const ofNested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

export const HOSTILE: readonly HostileCase[] = [
  pattern('^(a+)+$', as, false),
  pattern('^(a+)+$', long, false),
  pattern('^(a|a)*$', as, false),
  pattern('^(a|aa)+$', as, false),
  pattern('(x+x+)+y', 'x'.repeat(50_000), false),
  pattern('^(.*a){20}$', `${'a'.repeat(5_000)}!`, false),
  pattern('a.*b.*c.*d.*e', 'a'.repeat(100_000), false),
  pattern('\\s+$', `${' '.repeat(100_000)}x`, false),
  pattern('^a*$', long, false),
  pattern('^[a-z]*$', long, false),
  pattern('^(?:a|b)*$', long, false),
  pattern('a', 'b'.repeat(MIB), false),
  pattern('[a-z]{3}-', 'b'.repeat(MIB), false),
  pattern('^(a+)+(?=b)', as, 'maxPatternMs'),
  pattern('(a+)\\1+$', `${'a'.repeat(20_000)}!`, 'maxSchemaSteps'),
  pattern('((?=([^a])*).)+', ' '.repeat(30_000), 'maxSchemaSteps'),
  pattern('^(?=(a+)+$)', as, 'maxPatternMs'),
  pattern('(?<!(a+)+)b(a*)*c', `${'a'.repeat(3_000)}b`, undefined),
  pattern(`^${'a?'.repeat(30)}${'a'.repeat(30)}$`, 'a'.repeat(29), false),
  pattern(`${'(?:'.repeat(90)}a${')*'.repeat(90)}b`, 'a'.repeat(5_000), undefined),
  pattern('((a{100}){100}){100}', 'a'.repeat(1_000), undefined),
  pattern(`(?:${'(?:a?|b?)'.repeat(400)})*c`, 'ab'.repeat(500), undefined),
  // Without flag `u` these hide a loop: `\c` and `\u{…}` are then not what they look like.
  pattern('^\\-\\c+c*x', `-\\${'c'.repeat(100_000)}`, 'maxSchemaSteps'),
  pattern('\\-?\\u{60000}', 'u'.repeat(100_000), 'maxSchemaSteps'),
  pattern('('.repeat(2_000), 'a', true),
  pattern('[', 'a', true),
  pattern('a'.repeat(5_000), 'a', 'maxPatternChars'),
  {
    name: 'a thousand property names against a backtracking look-ahead',
    schema: { patternProperties: { '^(?=(a+)+$)b': true } },
    value: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`a${i}`, 1])),
    ends: undefined,
  },
  { name: '28 doubled $refs in allOf', schema: doubled(28, 'allOf'), value: 'x', ends: 'maxSchemaSteps' },
  { name: '28 doubled $refs in anyOf', schema: doubled(28, 'anyOf'), value: 1, ends: 'maxSchemaSteps' },
  { name: '28 doubled $refs in oneOf', schema: doubled(28, 'oneOf'), value: 1, ends: 'maxSchemaSteps' },
  { name: '14 doubled $refs in anyOf, whose explanation doubles again', schema: doubled(14, 'anyOf'), value: 1, ends: false },
  { name: 'a $ref to itself', schema: { $ref: '#' }, value: 1, ends: 'maxDepth' },
  {
    name: 'two $refs to each other',
    schema: { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
    value: 1,
    ends: 'maxDepth',
  },
  { name: 'a $dynamicRef to itself', schema: { $dynamicAnchor: 'a', $dynamicRef: '#a' }, value: 1, ends: 'maxDepth' },
  { name: 'a circular not', schema: { not: { $ref: '#' } }, value: 1, ends: 'maxDepth' },
  { name: 'a circular if', schema: JSON.parse('{"if":{"$ref":"#"},"then":{"$ref":"#"}}'), value: 1, ends: 'maxDepth' },
  {
    name: '10,001 subschemas in one anyOf',
    schema: { anyOf: Array.from({ length: 10_001 }, () => ({ type: 'number' })) },
    value: 'x',
    ends: 'maxSubschemas',
  },
  {
    name: '9,998 subschemas in one anyOf',
    schema: { anyOf: Array.from({ length: 9_998 }, (_, i) => ({ const: i })) },
    value: 'x',
    ends: false,
  },
  {
    name: '10,000 properties',
    schema: { properties: Object.fromEntries(Array.from({ length: 9_999 }, (_, i) => [`p${i}`, { type: 'number' }])) },
    value: { p9000: 'x' },
    ends: false,
  },
  { name: '2,000 nested levels of allOf', schema: nested(2_000, (inner) => ({ allOf: [inner] }), {}), value: 1, ends: 'maxDepth' },
  {
    name: '2,000 nested levels of properties',
    schema: nested(2_000, (inner) => ({ properties: { a: inner } }), {}),
    value: 1,
    ends: 'maxDepth',
  },
  { name: '500 nested levels of not', schema: nested(500, (inner) => ({ not: inner }), {}), value: 1, ends: true },
  { name: '100,000 nested levels', schema: nested(100_000, (inner) => ({ items: inner }), {}), value: 1, ends: 'maxDepth' },
  {
    name: '500 nested anyOf that all fail',
    schema: nested(500, (inner) => ({ anyOf: [inner, { type: 'null' }] }), { type: 'boolean' }),
    value: 1,
    ends: false,
  },
  { name: 'deep data and a schema that follows it', schema: { items: { $ref: '#' } }, value: ofNested(2_000), ends: 'maxDepth' },
  { name: 'deep data and a schema that does not', schema: { type: 'array' }, value: ofNested(100_000), ends: true },
  { name: 'deep data in uniqueItems', schema: { uniqueItems: true }, value: [ofNested(2_000)], ends: 'maxDepth' },
  { name: 'deep data in const', schema: { const: ofNested(2_000) }, value: ofNested(2_000), ends: 'maxDepth' },
  {
    name: 'deep data in a circular anyOf',
    schema: { anyOf: [{ type: 'null' }, { items: { $ref: '#' } }] },
    value: ofNested(300),
    ends: true,
  },
  {
    name: 'uniqueItems on 20,000 objects',
    schema: { uniqueItems: true },
    value: Array.from({ length: 20_000 }, (_, i) => ({ i, name: `n${i}` })),
    ends: true,
  },
  {
    name: 'uniqueItems on 20,000 objects, the last two equal',
    schema: { uniqueItems: true },
    value: [...Array.from({ length: 19_999 }, (_, i) => ({ i })), { i: 0 }],
    ends: false,
  },
  {
    name: 'uniqueItems on 500,000 numbers',
    schema: { uniqueItems: true },
    value: Array.from({ length: 500_000 }, (_, i) => i),
    ends: true,
  },
  {
    name: 'items on 500,000 numbers',
    schema: { items: { type: 'number', minimum: 0 } },
    value: Array.from({ length: 500_000 }, (_, i) => i),
    ends: true,
  },
  {
    name: 'unevaluatedItems on 200,000 numbers',
    schema: { contains: { minimum: 1 }, unevaluatedItems: { const: 0 } },
    value: Array.from({ length: 200_000 }, (_, i) => i),
    ends: true,
  },
  {
    name: 'many branches that each evaluate many items',
    schema: { anyOf: Array.from({ length: 200 }, () => ({ contains: true })), unevaluatedItems: false },
    value: Array.from({ length: 100_000 }, () => 1),
    ends: 'maxSchemaSteps',
  },
  { name: 'huge numbers', schema: { multipleOf: 0.123456789 }, value: 1e308, ends: false },
  { name: 'tiny divisors', schema: { multipleOf: 5e-324 }, value: 1.7976931348623157e308, ends: true },
  {
    name: '20,000 huge numbers',
    schema: { items: { multipleOf: 5e-324 } },
    value: Array.from({ length: 20_000 }, () => 1.7976931348623157e308),
    ends: undefined,
  },
  { name: 'an infinite length', schema: { minLength: Number.POSITIVE_INFINITY, maxLength: -1 }, value: 'x', ends: undefined },
  { name: 'an enum of 200,000 texts', schema: { enum: Array.from({ length: 200_000 }, (_, i) => `v${i}`) }, value: 'v199999', ends: true },
  {
    name: 'a required list of 200,000 names',
    schema: { required: Array.from({ length: 200_000 }, (_, i) => `v${i}`) },
    value: {},
    ends: false,
  },
  { name: '1 MiB of text with a length', schema: { minLength: 900_000, maxLength: 1_000_000 }, value: '😀'.repeat(MIB / 4), ends: false },
  { name: 'names that every object inherits', schema: { required: ['__proto__', 'constructor', 'toString'] }, value: {}, ends: false },
  {
    name: 'own properties with such names',
    schema: { required: ['__proto__', 'constructor'] },
    value: JSON.parse('{"__proto__":1,"constructor":2}'),
    ends: true,
  },
  {
    name: 'a property schema under __proto__',
    schema: JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'),
    value: JSON.parse('{"__proto__":1}'),
    ends: false,
  },
  {
    name: 'a broken branch that nothing reaches',
    schema: { anyOf: [true, { $ref: 'http://nowhere.example/x', pattern: '(' }] },
    value: 1,
    ends: true,
  },
  { name: 'a network $ref', schema: { $ref: 'http://nowhere.example/schema.json' }, value: 1, ends: true },
]
