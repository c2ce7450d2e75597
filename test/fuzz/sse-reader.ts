import { createParser } from 'eventsource-parser'
import { SseReader } from '../../src/transport/http/sse-reader.ts'
import { cuts, type FuzzTarget, must, same, text } from './target.ts'

interface Stream {
  readonly stream: string
  readonly maxMessageBytes: number
}

const FRAGMENTS = [
  ...[
    '\n',
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    '\r\r',
    'data: {"a":1}',
    'data:x',
    'data',
    'data: ',
    'event: message',
    'event: endpoint',
    'event',
    'id: 7',
  ],
  ...['id:', 'id: \0', 'retry: 50', 'retry: x', ': comment', '\ufeff', 'é', '🙂', 'foo: bar', ':'],
] as unknown as readonly [string, ...string[]]
const MAX_EVENT_ID_CHARS = 10

export const sseReader: FuzzTarget<Stream> = {
  name: 'sse-reader',
  // What comes of bytes holds no lone surrogates.
  input: (dice) => ({ stream: Buffer.from(text(dice, FRAGMENTS, 40)).toString(), maxMessageBytes: dice.pick([1, 8, 20, 1_000_000]) }),
  check({ stream, maxMessageBytes }, dice) {
    const whole = read([stream], maxMessageBytes)
    const at = cuts(dice, stream.length)
    const parts = at.slice(1).map((end, index) => stream.slice(at[index], end))
    // What is not finished when a chunk ends is measured with its field names and comments, so near the limit the chunks matter.
    const roomy = longestBlock(stream) <= maxMessageBytes
    if (roomy) {
      same(read(parts, maxMessageBytes), whole, 'other chunks, other events')
      same(read([...stream], maxMessageBytes), whole, 'character by character there are other events')
      must(whole.tooLong === 0, 'too long although it is not')
    } else if (whole.tooLong > 0) {
      must(read(parts, maxMessageBytes).tooLong > 0, 'in other chunks it is not too long')
    }
    for (const { data } of whole.events) must(Buffer.byteLength(data) <= maxMessageBytes, 'an event exceeds the limit', data)
    must((whole.id?.length ?? 0) <= MAX_EVENT_ID_CHARS, 'an id exceeds the limit', whole.id)
    // That parser takes CR for a line's end only with the next character, and a byte order mark only as bytes.
    if (roomy && !stream.includes('\r') && !stream.startsWith('\ufeff'))
      same(complete(stream, maxMessageBytes), referee(stream), 'a well-known parser reads other events')
  },
  growing: {
    'one long event in small chunks': (size) => chunked(`data: ${'x'.repeat(size)}\n\n`, 64),
    'many lines of data': (size) => chunked('data:x\n'.repeat(size / 7), 4_096),
    'many comments around one CR': (size) => chunked(`${':\n'.repeat(size / 2)}\r`, size),
    'carriage returns': (size) => chunked('\r'.repeat(size), 1),
  },
}

/** The bytes between two blank lines, at most. */
function longestBlock(stream: string): number {
  let longest = 0
  let block = 0
  for (const line of stream.split(/\r\n|\n|\r/)) {
    block = line === '' ? 0 : block + Buffer.byteLength(line) + 1
    longest = Math.max(longest, block)
  }
  return longest
}

interface Seen {
  events: { type: string; data: string }[]
  tooLong: number
  id: string | undefined
  retryMs: number | undefined
}

function read(chunks: readonly string[], maxMessageBytes: number, ends = true): Seen {
  const seen: Seen = { events: [], tooLong: 0, id: undefined, retryMs: undefined }
  const sink = {
    message: (data: string) => void seen.events.push({ type: 'message', data }),
    event: (type: string, data: string) => void seen.events.push({ type, data }),
    tooLong: () => void seen.tooLong++,
  }
  const reader = new SseReader(sink, { maxMessageBytes, maxEventIdChars: MAX_EVENT_ID_CHARS })
  for (const chunk of chunks) reader.push(chunk)
  if (ends) reader.end()
  seen.id = reader.lastEventId
  seen.retryMs = reader.retryMs
  return seen
}

function complete(stream: string, maxMessageBytes: number): Seen['events'] {
  return read([stream], maxMessageBytes, false).events
}

/** Events without data are said by neither. */
function referee(stream: string): Seen['events'] {
  const events: Seen['events'] = []
  const parser = createParser({
    onEvent({ event = '', data }) {
      if (data !== '') events.push({ type: event === '' ? 'message' : event, data })
    },
  })
  parser.feed(stream)
  return events
}

function chunked(stream: string, chunk: number): () => void {
  const chunks: string[] = []
  for (let at = 0; at < stream.length; at += chunk) chunks.push(stream.slice(at, at + chunk))
  return () => void read(chunks, 1e9)
}
