import { expect, it } from 'vitest'
import { Settleable } from '../../../src/transport/settleable.ts'

it.each(['before', 'after'])('a value is the same for all who begin to wait %s it comes, and the first stands', async (when) => {
  const settleable = new Settleable<string>()
  expect(settleable.value).toBeUndefined()
  const early = when === 'before' ? settleable.promise : undefined
  settleable.settle('first')
  settleable.settle('second')
  expect(settleable.value).toBe('first')
  expect(await (early ?? settleable.promise)).toBe('first')
  expect(await settleable.promise).toBe('first')
})
