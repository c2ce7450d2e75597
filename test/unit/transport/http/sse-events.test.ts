import { describe, expect, it } from 'vitest'
import { SseReader } from '../../../../src/transport/http/sse-reader.ts'

interface Heard {
  messages: string[]
  events: [string, string][]
  tooLong: [string, string][]
}

function read(text: string, size: number, maxMessageBytes = 10_000, skips = true): Heard {
  const heard: Heard = { messages: [], events: [], tooLong: [] }
  const sink = {
    message: (data: string) => void heard.messages.push(data),
    event: (type: string, data: string) => void heard.events.push([type, data]),
    tooLong: (head: string, tail: string) => void heard.tooLong.push([head, tail]),
  }
  const reader = new SseReader(sink, { maxMessageBytes, maxEventIdChars: 100 }, skips)
  for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size))
  reader.end()
  return heard
}

const SIZES = [1, 2, 3, 7, 64, 1_000, 100_000]

describe('events of other types', () => {
  it.each(SIZES)('are told with their type, in chunks of %i', (size) => {
    const heard = read(
      'event: endpoint\ndata: /m\n\nevent: message\ndata: a\n\nevent\ndata: b\n\nevent:x\ndata: 1\ndata: 2\n\nevent: y\n\ndata: c\n\n',
      size,
    )
    expect(heard).toEqual({
      messages: ['a', 'b', 'c'],
      events: [
        ['endpoint', '/m'],
        ['x', '1\n2'],
      ],
      tooLong: [],
    })
  })
})

describe('an event beyond the limit', () => {
  const long = 'x'.repeat(3_000)

  it.each(SIZES)('is skipped with its edges told, and the next one is read, in chunks of %i', (size) => {
    const text = `data: A${long}Z\n\ndata: 1\n\ndata: B\ndata: ${long}\ndata: Y\n\ndata: 2\n\n: ${long}\ndata: 3\n\nevent: other\ndata: C${long}X\n\ndata: 4\n\n`
    const heard = read(text, size, 1_000)
    expect(heard.messages.filter((each) => each.length === 1)).toEqual(expect.arrayContaining(['1', '2', '4']))
    expect(heard.events).toEqual([])
    const [first, second] = heard.tooLong
    expect(first?.[0].startsWith('A')).toBe(true)
    expect(first?.[1].endsWith('Z')).toBe(true)
    expect(second?.[0].startsWith('B')).toBe(true)
    expect(second?.[1].endsWith('Y')).toBe(true)
    expect(heard.tooLong.at(-1)?.[1].endsWith('X')).toBe(true)
    for (const [head, tail] of heard.tooLong) expect(head.length + tail.length).toBeLessThanOrEqual(1_024)
  })

  it.each(['\n', '\r\n', '\r'])('is skipped whatever ends its lines: %j', (eol) => {
    for (const size of SIZES) {
      expect(read(`data: ${long}${eol}${eol}data: 1${eol}${eol}`, size, 1_000)).toMatchObject({
        messages: ['1'],
        tooLong: [[expect.any(String), expect.any(String)]],
      })
    }
  })

  it('is measured in bytes', () => {
    const heard = read(`data: ${'日'.repeat(400)}\n\ndata: 1\n\n`, 64, 1_000)
    expect(heard.messages).toEqual(['1'])
    expect(heard.tooLong).toHaveLength(1)
  })

  it('ends the reading where that is wanted', () => {
    expect(read(`data: ${long}\n\ndata: 1\n\n`, 64, 1_000, false)).toMatchObject({ messages: [], tooLong: [[expect.any(String), '']] })
  })

  it('costs time in proportion to its length, and no memory', () => {
    const heard: Heard = { messages: [], events: [], tooLong: [] }
    const sink = {
      message: (data: string) => void heard.messages.push(data),
      tooLong: (...edges: [string, string]) => void heard.tooLong.push(edges),
    }
    const reader = new SseReader(sink, { maxMessageBytes: 1_000_000, maxEventIdChars: 100 }, true)
    reader.push('data: ')
    const chunk = 'x'.repeat(1_000)
    const since = performance.now()
    for (let count = 0; count < 100_000; count++) reader.push(chunk)
    reader.push('\n\ndata: 1\n\n')
    expect(performance.now() - since).toBeLessThan(5_000)
    expect(heard.messages).toEqual(['1'])
    expect(heard.tooLong).toHaveLength(1)
  })
})
