// Looks for schemas, values and patterns that the engine takes badly: `tsx test/fuzz/schema-fuzz.ts [seconds] [seed]`, 10 seconds by default.
// Ends with code 1 and the case when a check throws anything but a limit, or holds the event loop for longer than 250 ms.
import fc from 'fast-check'
import { ValidationError } from '../../src/errors.ts'
import { schemaValidator } from '../../src/schema/engine.ts'
import { loadRe2 } from '../../src/schema/pattern/re2.ts'
import { value, whole } from '../unit/schema/random.ts'

const seconds = Number(process.argv[2] ?? 10)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000)
const MOST_MS = 250

/** Patterns of all shapes, few of them sensible. */
const expression = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom(
      'a',
      'b',
      'ab',
      '.',
      '[ab]',
      '[^a]',
      '\\w',
      '\\s',
      '\\d',
      '\\b',
      '^',
      '$',
      'a*',
      '.*',
      '.+',
      '(?=a)',
      '\\p{L}',
      '[^]',
      '\\1',
      '(',
    ),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => a + b),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(?:${a}|${b})`),
    fc.tuple(tie('expression'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '{0,50}')).map(([a, q]) => `(${a})${q}`),
    fc.tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('expression')).map(([a, b]) => `${a}${b})`),
    tie('expression').map((a) => `^${a}$`),
  ),
})).expression
const text = fc
  .tuple(
    fc.constantFrom('a', 'b', 'ab', 'aab', ' ', '1', 'é', 'aaaa b', '\n'),
    fc.constantFrom(1, 20, 500, 30_000),
    fc.constantFrom('', '!', 'b', '\n'),
  )
  .map(([unit, times, end]) => unit.repeat(times) + end)

/** Wild schemas: any keyword with any value, and references that circle. */
const keyword = fc.constantFrom(
  ...'type enum const minimum multipleOf minLength pattern items prefixItems contains minContains required properties patternProperties'.split(
    ' ',
  ),
  ...'additionalProperties propertyNames dependentSchemas unevaluatedProperties unevaluatedItems allOf anyOf oneOf not if then else'.split(
    ' ',
  ),
  ...'$ref $dynamicRef $id $anchor $dynamicAnchor $schema $defs format uniqueItems dependencies additionalItems'.split(' '),
)
const leaf = fc.constantFrom<unknown>(
  '#',
  '#a',
  '#/$defs/a',
  'a',
  'http://x.example/',
  'http://json-schema.org/draft-07/schema#',
  '(a+)+$',
  0,
  -1,
  1e308,
  5e-324,
  true,
  false,
  null,
)
const wild = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'medium' },
    leaf,
    fc.array(tie('any'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.oneof(keyword, fc.constantFrom('a', 'b', '__proto__', 'constructor')), tie('any')), { maxLength: 5 })
      .map((pairs) => JSON.parse(`{${pairs.map(([key, item]) => `${JSON.stringify(key)}:${JSON.stringify(item)}`).join()}}`)),
  ),
})).any

const cases = fc.oneof(
  fc.record({ schema: wild, value: fc.oneof(value, wild) }),
  fc.record({ schema: whole, value }),
  fc.record({ schema: fc.record({ pattern: expression }), value: text }),
)

await loadRe2()
// The first uses of every part are paid before the clock counts.
for (const { schema, value: data } of fc.sample(cases, { numRuns: 200, seed: 1 })) attempt(schema, data)

function attempt(schema: unknown, data: unknown): string {
  try {
    const result = schemaValidator().compile(schema).check(data)
    if (!result.ok && result.issues.length === 0) throw new Error('a failure without an issue')
    return String(result.ok)
  } catch (error) {
    if (error instanceof ValidationError && (error.reason === 'schema' || error.limit !== undefined)) return error.limit ?? error.reason
    throw error
  }
}

const ends = new Map<string, number>()
const until = performance.now() + seconds * 1_000
let slowest = 0
for (let round = 0; performance.now() < until; round++) {
  for (const each of fc.sample(cases, { numRuns: 200, seed: seed + round })) {
    const [wall, cpu] = [performance.now(), process.cpuUsage()]
    let end: string
    try {
      end = attempt(each.schema, each.value)
    } catch (error) {
      fail(`threw ${error instanceof Error ? error.stack : String(error)}`, each, round)
    }
    ends.set(end, (ends.get(end) ?? 0) + 1)
    const used = process.cpuUsage(cpu)
    // Both clocks: another process may have had the processor, and another thread of this one, such as a collector, is not the event loop.
    const held = Math.min(performance.now() - wall, (used.user + used.system) / 1_000)
    slowest = Math.max(slowest, held)
    if (held > MOST_MS) fail(`took ${held.toFixed(0)} ms`, each, round)
  }
}
console.log(`seed ${seed}: ${JSON.stringify(Object.fromEntries(ends))}, slowest ${slowest.toFixed(1)} ms`)

function fail(what: string, found: { schema: unknown; value: unknown }, round: number): never {
  console.log(`seed ${seed}, round ${round}: ${what}\n${JSON.stringify(found).slice(0, 2_000)}`)
  process.exit(1)
}
