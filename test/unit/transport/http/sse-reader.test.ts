import { createParser } from 'eventsource-parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SseReader } from '../../../../src/transport/http/sse-reader.ts'

const LIMITS = { maxMessageBytes: 1_000_000, maxEventIdChars: 20 }

function read(chunks: readonly string[], limits = LIMITS): { reader: SseReader; messages: string[]; tooLong: number } {
  const state = { messages: [] as string[], tooLong: 0 }
  const reader = new SseReader(
    {
      message: (data) => void state.messages.push(data),
      tooLong: () => void state.tooLong++,
    },
    limits,
  )
  for (const chunk of chunks) reader.push(chunk)
  return { reader, ...state }
}

const EVENT = '{"a":1}'

describe('an event stream', () => {
  it.each([
    ['LF', `event: message\ndata: ${EVENT}\n\n`],
    ['CRLF', `event: message\r\ndata: ${EVENT}\r\n\r\n`],
    ['CR', `event: message\rdata: ${EVENT}\r\r`],
    ['mixed', `event: message\r\ndata: ${EVENT}\n\r\n`],
    ['no event line', `data: ${EVENT}\n\n`],
    ['no space behind the colon', `data:${EVENT}\n\n`],
    ['an empty type', `event:\ndata: ${EVENT}\n\n`],
    ['a byte order mark', `\ufeffdata: ${EVENT}\n\n`],
    ['comments', `: hello\n\n:\ndata: ${EVENT}\n: x\n\n`],
    ['unknown fields', `foo: bar\nfoo\ndata: ${EVENT}\n\n`],
  ])('is read with %s, however it is cut', (_name, text) => {
    expect(read([text]).messages).toEqual([EVENT])
    expect(read([...text]).messages).toEqual([EVENT])
    for (let cut = 1; cut < text.length; cut++) expect(read([text.slice(0, cut), text.slice(cut)]).messages).toEqual([EVENT])
  })

  it('gives an event that ends in CR without waiting for the next chunk', () => {
    expect(read(['data: 1\r\r']).messages).toEqual(['1'])
  })

  it('joins several data lines with a line feed', () => {
    expect(read(['data: {"a":\ndata:  1\ndata: }\n\n']).messages).toEqual(['{"a":\n 1\n}'])
  })

  it('ignores events of other types', () => {
    expect(read(['event: ping\ndata: 1\n\nevent: Message\ndata: 2\n\ndata: 3\n\n']).messages).toEqual(['3'])
  })

  it('notes the id of a priming event and gives nothing', () => {
    const { reader, messages } = read(['id: 1\ndata: \n\n'])
    expect(messages).toEqual([])
    expect(reader.lastEventId).toBe('1')
    expect(read(['id: 2\n\n']).reader.lastEventId).toBe('2')
  })

  it('keeps the id of complete events only', () => {
    const { reader } = read(['id: 1\ndata: x\n\nid: 2\ndata: y\n'])
    expect(reader.lastEventId).toBe('1')
  })

  it('ignores an id that is too long or holds control characters, and keeps the last good one', () => {
    const { reader } = read([`id: good\n\nid: ${'x'.repeat(21)}\ndata: 1\n\nid: a\u0000b\n\nid: a\u0007b\n\nid: a\tb\n\n`])
    expect(reader.lastEventId).toBe('good')
    expect(read([`id: ${'x'.repeat(20)}\n\n`]).reader.lastEventId).toBe('x'.repeat(20))
  })

  it('forgets the id when the server empties it', () => {
    expect(read(['id: 1\n\nid\n\n']).reader.lastEventId).toBeUndefined()
  })

  it('takes retry times of digits only, at most 30 seconds', () => {
    expect(read(['retry: 250\n\n']).reader.retryMs).toBe(250)
    expect(read(['retry: 250\nretry: -1\nretry: 1.5\nretry: 1e3\nretry:\n\n']).reader.retryMs).toBe(250)
    expect(read(['retry: 99999999999999999999999\n\n']).reader.retryMs).toBe(30_000)
  })

  it('takes a last event that lacks only its blank line when the stream ends in order', () => {
    const { reader, messages } = read(['data: 1\n\ndata: {"b":2}'])
    reader.end()
    expect(messages).toEqual(['1', '{"b":2}'])
  })

  it('keeps id and retry over a new connection, and nothing of an unfinished event', () => {
    const { reader, messages } = read(['id: 7\nretry: 20\ndata: 1\n\ndata: hal'])
    reader.restart()
    reader.push('\ufeffdata: 2\n\n')
    expect(messages).toEqual(['1', '2'])
    expect(reader.lastEventId).toBe('7')
    expect(reader.retryMs).toBe(20)
  })

  it('stops when it is told to, in the middle of a chunk too', () => {
    const messages: string[] = []
    const reader: SseReader = new SseReader(
      {
        message(data) {
          messages.push(data)
          reader.stop()
        },
        tooLong() {},
      },
      LIMITS,
    )
    reader.push('data: 1\n\ndata: 2\n\n')
    expect(messages).toEqual(['1'])
  })

  it.each([
    ['one line without end', ['data: ', 'x'.repeat(60), 'x'.repeat(60)]],
    ['many data lines', Array.from({ length: 40 }, () => 'data: xxx\n')],
    ['a line of another field', ['foo: ', 'x'.repeat(200)]],
    ['a complete event', [`data: ${'x'.repeat(101)}\n\n`]],
    ['an event that is too long in bytes alone', [`data: ${'é'.repeat(51)}\n\n`]],
    ['surrogate pairs', [`data: ${'😀'.repeat(26)}\n\n`]],
  ])('refuses %s beyond the limit, once', (_name, chunks) => {
    const { messages, tooLong } = read([...chunks, 'data: 1\n\n'], { ...LIMITS, maxMessageBytes: 100 })
    expect(tooLong).toBe(1)
    expect(messages).toEqual([])
  })

  it('takes an event of exactly the limit', () => {
    const data = 'é'.repeat(25) + '😀'.repeat(10) + 'x'.repeat(10)
    expect(Buffer.byteLength(data)).toBe(100)
    expect(read([`data: ${data}\n\n`], { ...LIMITS, maxMessageBytes: 100 }).messages).toEqual([data])
  })

  it('reads one long event in small chunks, and many short lines around one CR, in linear time', () => {
    const time = (run: () => void): number => {
      const start = performance.now()
      run()
      return performance.now() - start
    }
    const chunk = 'x'.repeat(100)
    const slow = time(() => read(['data: ', ...Array.from({ length: 100_000 }, () => chunk), '\n\n'], { ...LIMITS, maxMessageBytes: 1e9 }))
    expect(slow).toBeLessThan(2_000)
    const mixed = `${':\n'.repeat(500_000)}\r`
    expect(time(() => read([mixed]))).toBeLessThan(2_000)
  })

  it('agrees with a well-known parser on any stream, however it is cut', () => {
    const line = fc.constantFrom(
      'data: a',
      'data:b',
      'data:  c',
      'data',
      'event: message',
      'event: x',
      'event',
      ':c',
      'id: 1',
      'retry: 5',
      'foo',
      '',
      '',
    )
    const ending = fc.constantFrom('\n', '\r\n')
    fc.assert(
      fc.property(fc.array(fc.tuple(line, ending), { maxLength: 30 }), fc.array(fc.nat(200), { maxLength: 6 }), (lines, cuts) => {
        const text = `${lines.map(([content, end]) => content + end).join('')}\n\n`
        const expected: string[] = []
        const parser = createParser({
          onEvent: (event) => {
            if (event.data !== '' && (event.event === undefined || event.event === 'message')) expected.push(event.data)
          },
        })
        parser.feed(text)
        const at = [0, ...cuts.map((cut) => cut % text.length).sort((a, b) => a - b), text.length]
        const chunks = at.slice(1).map((end, index) => text.slice(at[index], end))
        expect(read(chunks).messages).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })
})
