import fc from 'fast-check'

const name = fc.constantFrom('a', 'b', 'c', 'constructor', '__proto__')
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object')
const small = fc.integer({ min: 0, max: 3 })
/** Patterns that both sides read alike, some of them cleared to run natively and some not. */
export const pattern: fc.Arbitrary<string> = fc.constantFrom('a', '^a', 'b$', '^[a-c]+$', '^a*b', 'a.b', '^(a|b)+$', '(a+)+b', '[^a]c')

const plain = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, -1, 1.5, 2, 10, '', 'a', 'b', 'ab', 'abc', '😀'),
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '😀'), maxLength: 4 }),
)

/** JSON values in which the schemas below find something to say. */
export const value: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    plain,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map(fromPairs),
  ),
})).value

/** As `JSON.parse` makes objects: every name is an own property. */
function fromPairs(pairs: readonly (readonly [string, unknown])[]): unknown {
  return JSON.parse(`{${pairs.map(([key, item]) => `${JSON.stringify(key)}:${JSON.stringify(item)}`).join()}}`)
}

/** Schemas of draft 2020-12 whose keywords have values that they may have. */
export const schema: fc.Arbitrary<unknown> = fc.letrec<{ schema: unknown }>((tie) => {
  const sub = tie('schema')
  const list = fc.array(sub, { minLength: 1, maxLength: 3 })
  const named = fc.array(fc.tuple(name, sub), { maxLength: 3 }).map(fromPairs)
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    enum: fc.array(value, { minLength: 1, maxLength: 4 }),
    const: value,
    minimum: fc.integer({ min: -2, max: 3 }),
    maximum: fc.integer({ min: -2, max: 3 }),
    exclusiveMinimum: fc.integer({ min: -2, max: 3 }),
    exclusiveMaximum: fc.integer({ min: -2, max: 3 }),
    multipleOf: fc.constantFrom(1, 2, 3, 0.5),
    minLength: small,
    maxLength: small,
    pattern,
    minItems: small,
    maxItems: small,
    uniqueItems: fc.boolean(),
    items: sub,
    prefixItems: list,
    contains: sub,
    minContains: small,
    maxContains: small,
    required: fc.uniqueArray(name, { maxLength: 2 }),
    minProperties: small,
    maxProperties: small,
    properties: named,
    patternProperties: fc.array(fc.tuple(pattern, sub), { maxLength: 2 }).map(fromPairs),
    additionalProperties: sub,
    propertyNames: sub,
    dependentRequired: fc.array(fc.tuple(name, fc.uniqueArray(name, { maxLength: 2 })), { maxLength: 2 }).map(fromPairs),
    dependentSchemas: named,
    unevaluatedProperties: sub,
    unevaluatedItems: sub,
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: sub,
    if: sub,
    // biome-ignore lint/suspicious/noThenProperty: the keyword is called so.
    then: sub,
    else: sub,
    $ref: fc.constantFrom('#/$defs/a', '#/$defs/b'),
  }
  const some = fc.uniqueArray(fc.constantFrom(...Object.keys(keywords)), { minLength: 1, maxLength: 4 })
  const object = some.chain((keys) =>
    fc.tuple(...keys.map((key) => keywords[key] ?? fc.constant(true))).map((values) => fromPairs(keys.map((key, i) => [key, values[i]]))),
  )
  return { schema: fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.boolean(), fc.constant({}), object, object, object) }
}).schema

/** A schema object with the definitions that its references name. Those refer to nothing, so that none circles. */
export const whole: fc.Arbitrary<unknown> = schema.map((root) =>
  typeof root === 'object' && root !== null
    ? { ...root, $defs: { a: { type: ['string', 'object'] }, b: { maxItems: 2, minimum: 1 } } }
    : root,
)
