// One process, one engine: prints its times as JSON.
const engine = process.argv[2]

const small = {
  type: 'object',
  properties: { city: { type: 'string' }, celsius: { type: 'number' }, sunny: { type: 'boolean' } },
  required: ['city', 'celsius', 'sunny'],
}
const smallValue = { city: 'Oslo', celsius: -3.5, sunny: false }
const rowSchema = (salt) => ({
  type: 'object',
  properties: { rows: { type: 'array', items: { $ref: '#/$defs/row' } }, [salt]: { type: 'null' } },
  required: ['rows'],
  $defs: {
    row: {
      type: 'object',
      properties: {
        id: { type: 'string', pattern: '^[a-z]{2}-[0-9]{4}$' },
        name: { type: 'string', minLength: 1, maxLength: 100 },
        count: { type: 'integer', minimum: 0 },
        price: { anyOf: [{ type: 'number' }, { type: 'null' }] },
        unit: { enum: ['kg', 'm', 's'] },
        tags: { type: 'array', items: { type: 'string' } },
        active: { type: 'boolean' },
        place: { $ref: '#/$defs/place' },
      },
      required: ['id', 'name', 'count'],
      additionalProperties: false,
    },
    place: { type: 'object', properties: { lat: { type: 'number' }, lon: { type: 'number' } }, required: ['lat', 'lon'] },
  },
})
const row = (i) => ({
  id: `ab-${1000 + i}`,
  name: `Row ${i}`,
  count: i,
  price: i % 3 ? i * 1.5 : null,
  unit: 'kg',
  tags: ['x', 'y'],
  active: true,
  place: { lat: 1.5, lon: 2.5 },
})
const rowsValue = { rows: Array.from({ length: 20 }, (_, i) => row(i)) }

const compile = await {
  switchboard: async () => {
    const validator = (await import('./dist/engine.mjs')).schemaValidator()
    return (schema) => {
      const compiled = validator.compile(schema)
      return (value) => compiled.check(value).ok
    }
  },
  typebox: async () => {
    const { Compile } = await import('typebox/schema')
    return (schema) => {
      const compiled = Compile(schema)
      return (value) => compiled.Check(value)
    }
  },
  'json-schema-library': async () => {
    const { compileSchema } = await import('json-schema-library')
    return (schema) => {
      const node = compileSchema({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema })
      return (value) => node.validate(value).valid
    }
  },
  cfworker: async () => {
    const { Validator } = await import('@cfworker/json-schema')
    return (schema) => {
      const validator = new Validator(schema, '2020-12')
      return (value) => validator.validate(value).valid
    }
  },
  'ajv (eval)': async () => {
    const { default: Ajv } = await import('ajv/dist/2020.js')
    const ajv = new Ajv()
    return (schema) => ajv.compile(schema)
  },
}[engine]()

const time = (work) => {
  const began = performance.now()
  work()
  return performance.now() - began
}

const oneRow = { rows: [row(1)] }
const first = time(() => expectOk(compile(rowSchema('a'))(oneRow)))
// Schemas that differ from all before, so that no cache answers.
const laterTimes = Array.from({ length: 101 }, (_, i) => time(() => expectOk(compile(rowSchema(`later${i}`))(oneRow))))
const later = laterTimes.sort((a, b) => a - b)[50]

function expectOk(ok) {
  if (!ok) throw new Error(`${engine} refused a valid value`)
}

/** Microseconds of one check, the best of several rounds. */
function perCheck(check, value) {
  expectOk(check(value))
  let best = Infinity
  for (let round = 0; round < 8; round++) {
    let times = 0
    const began = performance.now()
    do {
      for (let i = 0; i < 50; i++) check(value)
      times += 50
    } while (performance.now() - began < 60)
    best = Math.min(best, ((performance.now() - began) / times) * 1_000)
  }
  return best
}
const bad = structuredClone(rowsValue)
bad.rows[19].id = 'wrong'
const checkRows = compile(rowSchema('b'))
if (checkRows(bad)) throw new Error(`${engine} passed an invalid value`)
console.log(JSON.stringify({ first, later, small: perCheck(compile(small), smallValue), rows: perCheck(checkRows, rowsValue) }))
