import { describe, expect, it } from 'vitest'
import { Parser } from 'yaml'
import { isYamlTooDeep } from '../../src/yaml-depth.ts'

const flow = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

describe('the depth of YAML', () => {
  it.each([
    ['lists', flow],
    ['lists without an end', (levels: number) => '['.repeat(levels)],
    ['maps', (levels: number) => `${'{a: '.repeat(levels)}1${'}'.repeat(levels)}`],
    ['blocks', (levels: number) => `${'- '.repeat(levels)}1`],
    ['keys', (levels: number) => `${'? '.repeat(levels)}1`],
  ])('is counted in %s', (_what, nested) => {
    const tooDeep = (levels: number): boolean => isYamlTooDeep(new Parser().parse(nested(levels)), 20)
    expect([19, 20, 21, 8_000].map(tooDeep)).toEqual([false, false, true, true])
  })

  it('is not that of siblings', () => {
    expect(isYamlTooDeep(new Parser().parse('- [[1], {a: [2]}]\n'.repeat(500)), 4)).toBe(false)
  })
})
