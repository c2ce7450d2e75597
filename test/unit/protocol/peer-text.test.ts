import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOf, isText } from '../../../src/protocol/content.ts'
import { peerText } from '../../../src/protocol/peer-text.ts'

describe('text of a peer', () => {
  it.each([
    ['plain text, also of other scripts', 'Grüße, 日本, 🙂', 'Grüße, 日本, 🙂'],
    ['line breaks and tabs', 'a\nb\r\tc', 'a\\nb\\r\\tc'],
    ['an escape sequence of terminals', '\u001b[31mred', '\\u001b[31mred'],
    ['a bell and a NUL', '\u0007\u0000', '\\u0007\\u0000'],
    ['C1 controls', '\u0085\u009b', '\\u0085\\u009b'],
    ['line and paragraph separators', '\u2028\u2029', '\\u2028\\u2029'],
    ['marks and overrides of direction', '\u200e\u202e\u2066\u2069', '\\u200e\\u202e\\u2066\\u2069'],
    ['a byte order mark', '\ufeff', '\\ufeff'],
    ['lone halves of a pair', '\ud83d x \ude00', '\\ud83d x \\ude00'],
  ])('stands safely in a line: %s', (_what, text, expected) => {
    expect(peerText(text, 1_000)).toBe(expected)
  })

  it('is cut with a note of what is missing', () => {
    expect(peerText('abcdef', 6)).toBe('abcdef')
    expect(peerText('abcdefg', 6)).toBe('abcdef… (1 more characters)')
    expect(peerText('x'.repeat(1_000_000), 10)).toBe(`${'x'.repeat(10)}… (999990 more characters)`)
  })

  it('is bounded, one line and well-formed, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 }), (text, max) => {
        const safe = peerText(text, max)
        expect(safe.length).toBeLessThanOrEqual(max * 6 + 40)
        expect(safe).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u)
      }),
    )
  })
})

describe('content', () => {
  it.each([
    ['AAEC/w==', [0, 1, 2, 255]],
    ['', []],
    ['aGk', [104, 105]],
  ])('gives the bytes of base64 %j', (data, bytes) => {
    expect([...bytesOf({ type: 'image', data, mimeType: 'image/png' })]).toEqual(bytes)
    expect([...bytesOf({ type: 'audio', data, mimeType: 'audio/wav' })]).toEqual(bytes)
    expect([...bytesOf({ uri: 'a:b', blob: data })]).toEqual(bytes)
  })

  it('that is no base64 is a TypeError', () => {
    expect(() => bytesOf({ type: 'image', data: 'no base64!', mimeType: 'image/png' })).toThrow(TypeError)
  })

  it.each([
    [{ type: 'text', text: 'a' }, true],
    [{ type: 'text', text: '', annotations: null, _meta: null }, true],
    [{ type: 'text' }, false],
    [{ type: 'text', text: 5 }, false],
    [{ type: 'image', data: '', mimeType: '' }, false],
    [{ type: 'future', text: 'a' }, false],
    [{}, false],
    [null, false],
    ['text', false],
  ])('is text or not: %j', (block, expected) => {
    expect(isText(block as never)).toBe(expected)
  })
})
