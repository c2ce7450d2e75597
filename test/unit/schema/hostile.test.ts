import { describe, expect, it } from 'vitest'
import { ValidationError } from '../../../src/errors.ts'
import { schemaValidator } from '../../../src/schema/engine.ts'
import { checkWhole } from '../../../src/schema/validator.ts'
import { HOSTILE } from './hostile.ts'

/** Longer than this no check may hold the event loop; the slack is for a machine that does other work as well. */
const MOST_MS = 250 * 4

describe('a schema or a value that is meant to stop the client', () => {
  it.each(HOSTILE)('ends with a verdict or a named limit: $name', async ({ schema, value, ends }) => {
    const validator = schemaValidator()
    const began = performance.now()
    const end = await (async () => (await checkWhole(validator.compile(schema), value)).ok)().catch((error: unknown) => {
      if (!(error instanceof ValidationError)) throw error
      expect(error.reason).toBe('limit')
      expect(error.message).toContain(error.limit)
      return error.limit
    })
    expect(performance.now() - began).toBeLessThan(MOST_MS)
    if (ends !== undefined) expect(end).toBe(ends)
    else expect(['boolean', 'string']).toContain(typeof end)
  })
})
