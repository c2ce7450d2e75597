import { describe, expect, it } from 'vitest'
import { schemaValidator } from '../../../src/schema/engine.ts'
import { checkWhole } from '../../../src/schema/validator.ts'
import { type SuiteGroup, suiteDocuments, suiteGroups, suiteIsThere, suitePath } from './official-suite.ts'

/** Every case that the engine decides otherwise, or not in full. */
async function misses(groups: readonly SuiteGroup[], wrap: (schema: unknown) => unknown, assertFormats = false): Promise<string[]> {
  const validator = schemaValidator({ schemas: suiteDocuments(), assertFormats })
  const wrong: string[] = []
  for (const group of groups) {
    for (const test of group.tests) {
      const result = await checkWhole(validator.compile(wrap(group.schema)), test.data)
      if (result.ok !== test.valid || result.unchecked) wrong.push(`${group.file}: ${group.description}: ${test.description}`)
    }
  }
  return wrong
}

const count = (groups: readonly SuiteGroup[]): number => groups.reduce((sum, { tests }) => sum + tests.length, 0)
const asIs = (schema: unknown): unknown => schema
/** The suite's draft 7 files do not name their draft: their folder does. */
const asDraft7 = (schema: unknown): unknown =>
  typeof schema === 'object' ? { $schema: 'http://json-schema.org/draft-07/schema#', ...schema } : schema

describe.skipIf(!suiteIsThere)('the official JSON Schema suite', () => {
  it('passes all required cases of draft 2020-12', async () => {
    const groups = suiteGroups('draft2020-12')
    expect(await misses(groups, asIs)).toEqual([])
    expect(count(groups)).toBe(1_299)
  })

  it('passes all required cases of draft 7', async () => {
    const groups = suiteGroups('draft7')
    expect(await misses(groups, asDraft7)).toEqual([])
    expect(count(groups)).toBe(927)
  })

  it.each(['email', 'uri', 'date', 'date-time'])(
    'decides the optional cases of the format %s when formats are asserted',
    async (format) => {
      const groups = suiteGroups('draft2020-12', 'optional/format').filter(({ file }) => file === `${format}.json`)
      expect(count(groups)).toBeGreaterThan(0)
      expect(await misses(groups, asIs, true)).toEqual([])
    },
  )
})

it.runIf(!suiteIsThere)('is told when the official suite is not there', (context) => {
  console.log(`skip: official JSON Schema suite (${suitePath} not found)`)
  context.skip()
})
