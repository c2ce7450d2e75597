import { describe, expect, it } from 'vitest'
import { mayMatch } from '../../../src/group/template-match.ts'

describe('whether a URI may come from a template', () => {
  it.each([
    ['file:///{path}', 'file:///a/b', true],
    ['file:///{+path}', 'file:///', true],
    ['file:///{path}', 'http://a', false],
    ['repo://{owner}/{name}', 'repo://a/b', true],
    ['repo://{owner}/{name}', 'repo://ab', false],
    ['doc://{id}/page', 'doc://1/page', true],
    ['doc://{id}/page', 'doc://1/pages', false],
    ['doc://a', 'doc://a', true],
    ['doc://a', 'doc://ab', false],
    ['{all}', 'anything', true],
    ['a{x}ba', 'aba', true],
    ['ab{x}ba', 'aba', false],
    ['a{x}b{y}c', 'a1c2b', false],
    ['a{x}b{y}c', 'axbyc', true],
    ['a{broken', 'a{broken', true],
    ['a{broken', 'axbroken', false],
  ])('%s, %s: %s', (template, uri, expected) => {
    expect(mayMatch(template, uri)).toBe(expected)
  })

  it('is no for what is longer than anybody writes', () => {
    expect(mayMatch(`x:${'{a}'.repeat(2_000)}`, 'x:')).toBe(false)
    expect(mayMatch('x:{a}', `x:${'y'.repeat(4_095)}`)).toBe(false)
    expect(mayMatch('x:{a}', `x:${'y'.repeat(4_094)}`)).toBe(true)
  })
})
