import { StringDecoder } from 'node:string_decoder'

/** What becomes of the bytes of a pipe. */
export interface LineSink {
  /** One line without its line break; a CR before the LF is left on, JSON allows it. */
  line(text: string): void
  /** A line grew past the limit and is skipped: its first and last characters, to find out which request it answered. */
  tooLong(head: string, tail: string): void
}

/** A line that has grown past this is kept as bytes and decoded once at its end: it saves a quarter of the memory of a large result. */
const KEEP_AS_BYTES = 262_144
const EDGE_BYTES = 512
/** UTF-8 bytes of one UTF-16 code unit, at most. */
const MAX_BYTES_PER_CHAR = 3

/**
 * Cuts a byte stream into lines. Each chunk is decoded once and only the new chunk is searched, so the cost is linear in the bytes,
 * for many short lines and for one of 50 MB alike.
 */
export class LineFraming {
  readonly #sink: LineSink
  readonly #maxBytes: number
  #decoder = new StringDecoder('utf8')
  /** The unfinished line, decoded, while it is short. */
  #rest = ''
  /** The same line as it came. */
  #parts: Buffer[] = []
  #bytes = 0
  #state: 'text' | 'bytes' | 'skip' = 'text'
  #head = ''

  constructor(sink: LineSink, maxBytes: number) {
    this.#sink = sink
    this.#maxBytes = maxBytes
  }

  push(chunk: Buffer): void {
    let rest = chunk
    while (rest.length > 0 && this.#state !== 'text') rest = this.#finishLong(rest)
    if (rest.length > 0) this.#pushText(rest)
  }

  /** What came after the last line break, when the stream has ended. */
  end(): void {
    if (this.#state === 'skip') this.#skipped()
    else if (this.#bytes > 0) this.#sink.line(this.#state === 'text' ? this.#rest + this.#decoder.end() : this.#takeBytes())
    this.#reset()
  }

  #pushText(chunk: Buffer): void {
    const text = this.#decoder.write(chunk)
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      const line = start === 0 && this.#rest !== '' ? this.#rest + text.slice(0, end) : text.slice(start, end)
      if (start === 0) this.#dropLine()
      start = end + 1
      if (this.#exceeds(line)) this.#sink.tooLong(line.slice(0, EDGE_BYTES), line.slice(-EDGE_BYTES))
      else if (line !== '') this.#sink.line(line)
    }
    const unfinished = start === 0 ? chunk : chunk.subarray(chunk.lastIndexOf(LF) + 1)
    if (unfinished.length === 0) return
    this.#rest = start === 0 ? this.#rest + text : text.slice(start)
    this.#keep(unfinished)
    if (this.#bytes > this.#maxBytes) {
      this.#startSkip(this.#rest.slice(0, EDGE_BYTES))
    } else if (this.#bytes > KEEP_AS_BYTES) {
      this.#state = 'bytes'
      this.#head = this.#rest.slice(0, EDGE_BYTES)
      this.#rest = ''
      this.#decoder = new StringDecoder('utf8')
    }
  }

  /** Counts bytes only where the characters leave it open. */
  #exceeds(line: string): boolean {
    return line.length * MAX_BYTES_PER_CHAR > this.#maxBytes && Buffer.byteLength(line) > this.#maxBytes
  }

  /** In the middle of a long line: takes what belongs to it and returns what is left. */
  #finishLong(chunk: Buffer): Buffer {
    const end = chunk.indexOf(LF)
    this.#keep(end === -1 ? chunk : chunk.subarray(0, end))
    if (this.#state === 'bytes' && this.#bytes > this.#maxBytes) this.#startSkip(this.#head)
    if (this.#state === 'skip') this.#trimSkipped()
    if (end === -1) return chunk.subarray(chunk.length)
    if (this.#state === 'skip') this.#skipped()
    else this.#sink.line(this.#takeBytes())
    this.#reset()
    return chunk.subarray(end + 1)
  }

  #keep(bytes: Buffer): void {
    this.#parts.push(bytes)
    this.#bytes += bytes.length
  }

  #takeBytes(): string {
    const parts = this.#parts
    this.#parts = []
    return Buffer.concat(parts).toString('utf8')
  }

  #startSkip(head: string): void {
    this.#state = 'skip'
    this.#head = head
    this.#rest = ''
    this.#decoder = new StringDecoder('utf8')
  }

  /** Of a line that is skipped only its end is kept. */
  #trimSkipped(): void {
    const last = this.#parts.at(-1)
    if (this.#parts.length > 1 || (last !== undefined && last.length > EDGE_BYTES)) {
      this.#parts = [Buffer.concat(this.#parts.slice(-2)).subarray(-EDGE_BYTES)]
    }
  }

  #skipped(): void {
    const tail = Buffer.concat(this.#parts).subarray(-EDGE_BYTES).toString('utf8')
    this.#sink.tooLong(this.#head, tail)
  }

  #dropLine(): void {
    this.#rest = ''
    if (this.#bytes > 0) {
      this.#parts = []
      this.#bytes = 0
    }
  }

  #reset(): void {
    this.#dropLine()
    this.#state = 'text'
    this.#head = ''
  }
}

const LF = 0x0a
