/** Gets what a stream says, in order. Ids and retry times are the reader's own state. */
export interface SseSink {
  /** The data of one `message` event, never empty. */
  message(data: string): void
  /** The data of an event of another type, never empty. */
  event?(type: string, data: string): void
  /** An event or a line exceeds the limit; the reader has stopped, or it skips that event, of which these are the first and last characters. */
  tooLong(head: string, tail: string): void
}

export interface SseLimits {
  readonly maxMessageBytes: number
  readonly maxEventIdChars: number
}

/** The longest pause that a server may ask for with `retry`. */
const MAX_RETRY_MS = 30_000

const LF = 10
const SPACE = 32
const BOM = 0xfeff
const CONTROL = /\p{Cc}/u

/**
 * Reads one event stream from decoded text. Linear in its length, whatever the chunks and line endings.
 *
 * Written here although `eventsource-parser` is good and as fast (it is the referee in the tests), for three things that it does not do:
 * it drops the id of an event without data, which is how some servers prime a stream; a stream of bare CRs stays one event behind, as
 * a CR at the end of a chunk waits for the next one; and one CR at the end of a chunk of many short lines costs quadratic time.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export class SseReader {
  /** The id to resume from: of the last complete event that had a usable one. */
  lastEventId: string | undefined
  /** What the server asked to wait before reconnecting, at most 30,000 ms; floors are the reconnecting side's. */
  retryMs: number | undefined

  readonly #sink: SseSink
  readonly #limits: SseLimits
  readonly #skips: boolean
  /** The line that the last chunk left unfinished. */
  #rest = ''
  #skipLf = false
  #begun = false
  #stopped = false
  #data: string | undefined
  #type = 'message'
  /** The first characters of the event that is being skipped. */
  #head: string | undefined
  #id: string | undefined

  /** @param skips An event that exceeds the limit is skipped, instead of ending the reading. */
  constructor(sink: SseSink, limits: SseLimits, skips = false) {
    this.#sink = sink
    this.#limits = limits
    this.#skips = skips
  }

  /** A new connection continues the stream: what the old one left unfinished is void, the id and the retry time stay. */
  restart(): void {
    this.#stopped = false
    this.#rest = ''
    this.#skipLf = false
    this.#begun = false
    this.#data = undefined
    this.#type = 'message'
    this.#head = undefined
    this.#id = undefined
  }

  /** Ignores all that follows. */
  stop(): void {
    this.#stopped = true
    this.#rest = ''
    this.#data = undefined
  }

  /** The stream ended in order: an event that lacks only its closing blank line counts, as its JSON shows whether it is whole. */
  end(): void {
    this.push(this.#rest === '' ? '\n' : '\n\n')
  }

  push(text: string): void {
    if (this.#stopped || text === '') return
    let start = 0
    if (!this.#begun) {
      this.#begun = true
      if (text.charCodeAt(0) === BOM) start = 1
    }
    if (this.#skipLf) {
      this.#skipLf = false
      if (text.charCodeAt(start) === LF) start++
    }
    // Each position is found once and kept until it is passed: searching both at every line would be quadratic.
    let lf = text.indexOf('\n', start)
    let cr = text.indexOf('\r', start)
    while (lf !== -1 || cr !== -1) {
      const end = cr !== -1 && (lf === -1 || cr < lf) ? cr : lf
      if (this.#rest === '') {
        this.#line(text, start, end)
      } else {
        const line = this.#rest + text.slice(start, end)
        this.#rest = ''
        this.#line(line, 0, line.length)
      }
      if (this.#stopped) return
      start = end + 1
      if (end === cr) {
        if (text.charCodeAt(start) === LF) start++
        else if (start === text.length) this.#skipLf = true
        cr = text.indexOf('\r', start)
      }
      if (lf !== -1 && lf < start) lf = text.indexOf('\n', start)
    }
    if (start < text.length) {
      this.#rest += start === 0 ? text : text.slice(start)
      this.#measure(this.#rest.length)
    }
  }

  #line(text: string, start: number, end: number): void {
    if (start === end) this.#dispatch()
    else if (text.startsWith('data:', start)) this.#addData(valueAt(text, start + 5, end))
    else if (text.startsWith('event:', start)) this.#setType(valueAt(text, start + 6, end))
    else if (text.startsWith('id:', start)) this.#id = valueAt(text, start + 3, end)
    else if (text.startsWith('retry:', start)) this.#setRetry(valueAt(text, start + 6, end))
    else if (end - start <= 5) this.#bareField(text.slice(start, end))
  }

  /** A field name without a colon has the empty value. */
  #bareField(name: string): void {
    if (name === 'data') this.#addData('')
    else if (name === 'event') this.#setType('')
    else if (name === 'id') this.#id = ''
  }

  #addData(value: string): void {
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`
    this.#measure(0)
  }

  #setType(type: string): void {
    this.#type = type === '' ? 'message' : type
  }

  #setRetry(value: string): void {
    if (/^[0-9]+$/.test(value)) this.retryMs = Math.min(Number(value), MAX_RETRY_MS)
  }

  #dispatch(): void {
    const data = this.#data
    const type = this.#type
    const head = this.#head
    this.#data = undefined
    this.#type = 'message'
    this.#head = undefined
    if (this.#id !== undefined) this.#keepId(this.#id)
    if (head !== undefined) {
      this.#sink.tooLong(head, data?.slice(-EDGE_CHARS) ?? '')
      return
    }
    if (data === undefined || data === '') return
    const max = this.#limits.maxMessageBytes
    // A character takes at most three bytes, so nearly nothing is ever counted.
    if (data.length * 3 > max && data.length + extraBytes(data) > max) {
      if (!this.#skips) this.stop()
      this.#sink.tooLong(data.slice(0, EDGE_CHARS), data.slice(-EDGE_CHARS))
    } else if (type === 'message') {
      this.#sink.message(data)
    } else {
      this.#sink.event?.(type, data)
    }
  }

  #keepId(id: string): void {
    this.#id = undefined
    if (id === '') this.lastEventId = undefined
    else if (id.length <= this.#limits.maxEventIdChars && !CONTROL.test(id)) this.lastEventId = id
  }

  #measure(pending: number): void {
    if (pending + (this.#data?.length ?? 0) > this.#limits.maxMessageBytes) this.#overflow()
  }

  /** Stops, or keeps nothing of this event but its edges. */
  #overflow(): void {
    const data = this.#data ?? ''
    const line = this.#rest.startsWith('data:') ? valueAt(this.#rest, 5, this.#rest.length) : ''
    this.#head ??= (data === '' ? line : data).slice(0, EDGE_CHARS)
    if (!this.#skips) {
      const head = this.#head
      this.stop()
      this.#sink.tooLong(head, '')
      return
    }
    if (data !== '') this.#data = data.slice(-EDGE_CHARS)
    // What is left of another line than data is a comment.
    if (this.#rest !== '') this.#rest = line === '' ? ':' : `data:${line.slice(-EDGE_CHARS)}`
  }
}

/** What is kept of each end of an event that is skipped. */
const EDGE_CHARS = 512

function valueAt(text: string, from: number, end: number): string {
  return text.slice(from < end && text.charCodeAt(from) === SPACE ? from + 1 : from, end)
}

/** How many bytes UTF-8 takes beyond one for each UTF-16 unit. */
function extraBytes(text: string): number {
  let extra = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit >= 0xd800 && unit < 0xe000) extra += 1
    else if (unit >= 0x800) extra += 2
    else if (unit >= 0x80) extra += 1
  }
  return extra
}
