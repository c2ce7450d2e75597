import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idAtEdge } from '../../../src/transport/id-at-edge.ts'
import { LineFraming } from '../../../src/transport/stdio/line-framing.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

type Event = string | { readonly tooLong: true; readonly head: string; readonly tail: string }

function framing(maxBytes = 1_000_000): { events: Event[]; lines: LineFraming } {
  const events: Event[] = []
  const sink = {
    line: (text: string) => void events.push(text),
    tooLong: (head: string, tail: string) => void events.push({ tooLong: true, head, tail }),
  }
  return { events, lines: new LineFraming(sink, maxBytes) }
}

function feed(chunks: readonly Buffer[], maxBytes?: number): Event[] {
  const { events, lines } = framing(maxBytes)
  for (const chunk of chunks) lines.push(chunk)
  lines.end()
  return events
}

function split(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const edges = [0, ...[...cuts].sort((a, b) => a - b), bytes.length]
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
}

/** What a reader of whole texts makes of it; empty lines say nothing. */
function expected(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

const MIXED = 'a\r\n\n{"ä":"€"}\n\r\n𝄞 and 日本語\r\nno end 🙂'

describe('line framing', () => {
  it('gives the same lines wherever the stream of bytes is cut in two', () => {
    const bytes = Buffer.from(MIXED)
    const whole = feed([bytes])
    expect(whole).toEqual(['a\r', '{"ä":"€"}', '\r', '𝄞 and 日本語\r', 'no end 🙂'])
    for (let cut = 0; cut <= bytes.length; cut++) expect(feed(split(bytes, [cut])), `cut at ${cut}`).toEqual(whole)
  })

  it('gives the same lines when every byte comes alone', () => {
    const bytes = Buffer.from(MIXED)
    expect(feed(Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(feed([bytes]))
  })

  it('gives the same lines for any lines and any cuts', () => {
    const line = fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll('\n', ''))
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), fc.array(fc.nat(2_000), { maxLength: 30 }), fc.boolean(), (lines, cuts, ended) => {
        const text = lines.join('\n') + (ended ? '\n' : '')
        const bytes = Buffer.from(text)
        const within = cuts.map((cut) => (bytes.length === 0 ? 0 : cut % (bytes.length + 1)))
        expect(feed(split(bytes, within))).toEqual(expected(bytes.toString('utf8')))
      }),
    )
  })

  it('judges the length of a line in bytes, the same wherever the stream is cut', () => {
    const line = fc.string({ unit: fc.constantFrom('x', 'é', '€', '🙂'), maxLength: 14 })
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), fc.array(fc.nat(400), { maxLength: 12 }), (lines, cuts) => {
        const max = 16
        const bytes = Buffer.from(`${lines.join('\n')}\n`)
        const events = feed(
          split(
            bytes,
            cuts.map((cut) => cut % (bytes.length + 1)),
          ),
          max,
        )
        const kinds = events.map((event) => (typeof event === 'string' ? event : 'too long'))
        expect(kinds).toEqual(lines.filter((text) => text !== '').map((text) => (Buffer.byteLength(text) > max ? 'too long' : text)))
      }),
    )
  })

  const LONG = 300 * 1024
  const CASES: readonly (readonly [string, string])[] = [
    ['one long line', `${'x'.repeat(LONG)}\n`],
    ['a long line of three-byte characters', `${'€'.repeat(LONG / 3)}\n`],
    ['a long line of four-byte characters, between short ones', `before\n${'🙂'.repeat(LONG / 4)}\nafter\n`],
    ['two long lines and a short one', `${'a'.repeat(LONG)}\n${'é'.repeat(LONG)}\nshort\n`],
    ['a line exactly as long as is kept decoded', `${'y'.repeat(262_144)}\nz\n`],
    ['a line of one byte more', `${'y'.repeat(262_145)}\nz\n`],
    ['a long line without an end', `${'q'.repeat(LONG)}`],
    ['a long line that ends with CRLF and an empty one', `${'q'.repeat(LONG)}\r\n\nlast\n`],
  ]
  it.each(CASES)('keeps %s whole in chunks of any size', (_what, text) => {
    const bytes = Buffer.from(text)
    const lines = expected(text)
    for (const size of [1_000, 65_536, 65_537, 262_143, 262_144, 262_145, bytes.length]) {
      const chunks: Buffer[] = []
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
      // Compared as a boolean: a diff of 300 KiB helps nobody.
      expect(JSON.stringify(feed(chunks)) === JSON.stringify(lines), `chunks of ${size}`).toBe(true)
    }
  })

  it('cuts a long line at every place around the switch to bytes without damage', () => {
    const text = `${'🙂'.repeat(65_600)}\n{"ok":1}\n`
    const bytes = Buffer.from(text)
    const lines = expected(text)
    for (let cut = 262_138; cut <= 262_154; cut++) {
      expect(JSON.stringify(feed(split(bytes, [cut, cut + 3, cut + 5]))) === JSON.stringify(lines), `cut at ${cut}`).toBe(true)
    }
  })

  it.each([
    ['in one chunk', [] as number[]],
    ['cut inside the long line', [10]],
    ['cut at its end', [120]],
    ['cut after its line break', [121]],
    ['in many chunks', [3, 50, 60, 99, 100, 101, 119, 122]],
  ])('skips only the line that is too long, %s', (_how, cuts) => {
    const bytes = Buffer.from(`${'x'.repeat(120)}\n{"next":1}\n`)
    const events = feed(split(bytes, cuts), 100)
    expect(events.map((event) => (typeof event === 'string' ? event : 'too long'))).toEqual(['too long', '{"next":1}'])
  })

  it('takes a line of exactly the limit and skips one of a byte more', () => {
    expect(feed([Buffer.from(`${'x'.repeat(100)}\n`)], 100)).toHaveLength(1)
    expect(feed([Buffer.from(`${'x'.repeat(100)}\n`)], 100)[0]).toBe('x'.repeat(100))
    expect(feed([Buffer.from(`${'x'.repeat(101)}\n`)], 100)[0]).toMatchObject({ tooLong: true })
    expect(feed([Buffer.from('x'.repeat(50)), Buffer.from(`${'x'.repeat(50)}\n`)], 100)[0]).toBe('x'.repeat(100))
  })

  it.each([[1_000], [65_536], [10_000_000]])('keeps the edges of a skipped line in chunks of %i', (size) => {
    const line = `{"jsonrpc":"2.0","id":7,"result":"${'x'.repeat(600_000)}","z":"end"}`
    const bytes = Buffer.from(`${line}\n{"after":1}\n`)
    const chunks: Buffer[] = []
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
    const [skipped, after] = feed(chunks, 500_000)
    if (typeof skipped !== 'object') throw new Error('the line was not skipped')
    expect(skipped.head.startsWith('{"jsonrpc":"2.0","id":7,')).toBe(true)
    expect(skipped.tail.endsWith('x","z":"end"}')).toBe(true)
    expect(skipped.head.length).toBeLessThanOrEqual(512)
    expect(skipped.tail.length).toBeLessThanOrEqual(512)
    expect(after).toBe('{"after":1}')
  })

  it('skips a line beyond the limit that comes whole in one large chunk and ends with the stream', () => {
    const events = feed([Buffer.alloc(300_000, 'x')], 1_000)
    expect(events).toEqual([{ tooLong: true, head: 'x'.repeat(512), tail: 'x'.repeat(512) }])
  })

  it('holds no more than a few chunks of a line that never ends', () => {
    const { events, lines } = framing(10_000)
    const chunk = Buffer.alloc(65_536, 120)
    for (let i = 0; i < 200; i++) lines.push(chunk)
    collectGarbage()
    collectGarbage()
    const before = process.memoryUsage().arrayBuffers
    for (let i = 0; i < 1_000; i++) lines.push(Buffer.alloc(65_536, 120))
    collectGarbage()
    collectGarbage()
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 1024 * 1024)
    expect(events).toEqual([])
    lines.end()
    expect(events).toHaveLength(1)
  })

  it('costs linear time for a long line in small chunks', { retry: 2 }, () => {
    const time = (bytes: number): number => {
      const chunk = Buffer.alloc(1_024, 120)
      const { lines } = framing(1_000_000_000)
      const start = performance.now()
      for (let sent = 0; sent < bytes; sent += chunk.length) lines.push(chunk)
      lines.push(Buffer.from('\n'))
      return performance.now() - start
    }
    time(1_000_000)
    const small = Math.max(time(4_000_000), 2)
    expect(time(32_000_000) / small).toBeLessThan(40)
  })
})

describe('the id of a message of which only the edges are known', () => {
  const big = 'x'.repeat(2_000)
  const whole = (text: string): [string, string] => [text.slice(0, 512), text.slice(-512)]

  it.each([
    ['behind jsonrpc', `{"jsonrpc":"2.0","id":7,"result":"${big}"}`, 7],
    ['first', `{"id":7,"jsonrpc":"2.0","result":"${big}"}`, 7],
    ['first, with blanks', `{ "id" : 7 , "jsonrpc":"2.0","result":"${big}"}`, 7],
    ['last', `{"jsonrpc":"2.0","result":"${big}","id":7}`, 7],
    ['last, before jsonrpc', `{"result":"${big}","id":7,"jsonrpc":"2.0"}`, 7],
    ['last, with CR', `{"result":"${big}","id":7}\r`, 7],
    ['a text', `{"jsonrpc":"2.0","id":"a-7","result":"${big}"}`, 'a-7'],
    ['a text that is a number', `{"jsonrpc":"2.0","id":"7","result":"${big}"}`, '7'],
    ['an object inside', `{"jsonrpc":"2.0","result":{"id":7,"x":"${big}"}}`, undefined],
    ['an object at the end inside', `{"jsonrpc":"2.0","result":{"x":"${big}","id":7}}`, undefined],
    ['none', `{"jsonrpc":"2.0","method":"m","params":{"x":"${big}"}}`, undefined],
    ['null', `{"jsonrpc":"2.0","id":null,"error":{"message":"${big}"}}`, undefined],
    ['an array', `[{"jsonrpc":"2.0","id":7,"result":"${big}"}]`, undefined],
  ])('is read where serialisers put it: %s', (_where, text, id) => {
    expect(idAtEdge(...whole(text))).toBe(id)
  })
})
