import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { glob } from '../../../src/policy/glob.ts'

describe('a pattern', () => {
  it.each([
    ['read_file', 'read_file', true],
    ['read_file', 'read_files', false],
    ['read_*', 'read_file', true],
    ['read_*', 'read_', true],
    ['read_*', 'read_a/b.c\nd', true],
    ['*', '', true],
    ['*', '.hidden/with/slashes', true],
    ['*_file', 'read_file', true],
    ['*_file', 'read_file_now', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['r?ad', 'read', true],
    ['r?ad', 'rad', false],
    ['?', '😀', true],
    ['{read,write}_*', 'write_x', true],
    ['{read,write}_*', 'delete_x', false],
    ['x{,y}', 'x', true],
    ['x{,y}', 'xy', true],
    ['{a,{b,c}d}', 'cd', true],
    ['{a,{b,c}d}', 'c', false],
    ['{one}', '{one}', true],
    ['{a,b', '{a,b', true],
    ['a\\*b', 'a*b', true],
    ['a\\*b', 'axb', false],
    ['{a\\,b,c}', 'a,b', true],
    ['[ab]', '[ab]', true],
    ['[ab]', 'a', false],
    ['!a', 'b', false],
    ['(a|b)+', '(a|b)+', true],
    ['file:///home/**', 'file:///home/a/b', true],
    ['READ_*', 'read_x', false],
    ['\\', '\\', true],
  ])('%s and %j: %s', (pattern, text, expected) => {
    expect(glob(pattern)(text)).toBe(expected)
  })

  it('fits what an expression of the same meaning fits', () => {
    const letter = fc.constantFrom('a', 'b', '.', '/')
    const pattern = fc.string({ unit: fc.oneof(letter, fc.constantFrom('*', '?')), maxLength: 8 })
    fc.assert(
      fc.property(pattern, fc.string({ unit: letter, maxLength: 8 }), (written, text) => {
        const source = written.replace(/[./]/g, '\\$&').replaceAll('*', '[^]*').replaceAll('?', '[^]')
        expect(glob(written)(text)).toBe(new RegExp(`^${source}$`).test(text))
      }),
      { numRuns: 2_000 },
    )
  })

  it('takes as many steps as pattern and text are long, whatever they hold', () => {
    const fits = glob(`${'*a'.repeat(200)}*b`)
    expect(fits('a'.repeat(8_000))).toBe(false)
    expect(fits(`${'a'.repeat(8_000)}b`)).toBe(true)
  })

  it('that stands for too many is refused', () => {
    expect(() => glob('{a,b}'.repeat(9))).not.toThrow()
    expect(() => glob('{a,b}'.repeat(10))).toThrow(/MAX_ALTERNATIVES/)
  })
})
