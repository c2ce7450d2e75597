import fc from 'fast-check'
import { Compile } from 'typebox/schema'
import { expect, it } from 'vitest'
import { schemaValidator } from '../../../src/schema/engine.ts'
import { loadRe2 } from '../../../src/schema/pattern/re2.ts'
import { value, whole } from './random.ts'

/** `SCHEMA_REFEREE_CASES=100000` for the whole comparison. */
const cases = Number(process.env.SCHEMA_REFEREE_CASES ?? 5_000)
const seed = Number(process.env.SCHEMA_REFEREE_SEED ?? 20_201_2)

/** Where TypeBox differs from the specification. Each is shown by one case below; a difference without one of them is a failure. */
const KNOWN: Readonly<Record<string, (schema: string, value: string) => boolean>> = {
  'it applies unevaluatedProperties to arrays': (schema, data) => schema.includes('"unevaluatedProperties"') && data.includes('['),
  'it keeps what a contains evaluated that failed or that looked at an inner array': (schema) =>
    schema.includes('"unevaluatedItems"') && schema.includes('"contains"'),
  'it calls two objects equal of which one has a property named constructor': (schema, data) =>
    schema.includes('"uniqueItems"') && data.includes('"constructor"'),
}

const theirs = (schema: unknown, data: unknown): boolean => Compile(schema as Parameters<typeof Compile>[0]).Check(data)

it(`agrees with TypeBox on ${cases} random schemas and values`, { timeout: 600_000 }, async () => {
  await loadRe2()
  const validator = schemaValidator()
  const counts = { agreed: 0, rejected: 0, explained: 0 }
  fc.assert(
    fc.property(whole, value, (schema, data) => {
      const ours = validator.compile(schema).check(data)
      expect(ours.unchecked).toBeUndefined()
      if (!ours.ok) counts.rejected++
      if (ours.ok === theirs(schema, data)) {
        counts.agreed++
        return
      }
      const [schemaText, dataText] = [JSON.stringify(schema), JSON.stringify(data)]
      expect(Object.values(KNOWN).some((explains) => explains(schemaText, dataText))).toBe(true)
      counts.explained++
    }),
    { numRuns: cases, seed },
  )
  console.log(`TypeBox: ${JSON.stringify(counts)}`)
  // Both verdicts occur, and hardly any case needs an explanation.
  expect(counts.rejected).toBeGreaterThan(cases / 10)
  expect(counts.explained).toBeLessThan(cases / 50)
})

it.each<[string, unknown, unknown, boolean]>([
  ['unevaluatedProperties on an array', { unevaluatedProperties: false }, ['x'], true],
  ['items of a condition that fails', { if: { not: {}, contains: true }, unevaluatedItems: false }, [1], false],
  ['items of an inner array', { contains: { contains: { const: 1 } }, unevaluatedItems: false }, [[2], [1]], false],
  ['an object with a property named constructor', { uniqueItems: true }, [{}, { constructor: '' }], true],
])('decides %s as the specification does, and TypeBox otherwise', (_name, schema, data, ok) => {
  expect(schemaValidator().compile(schema).check(data).ok).toBe(ok)
  expect(theirs(schema, data)).toBe(!ok)
})
