import { StringDecoder } from 'node:string_decoder'

/** Drains what a process writes to stderr: keeps the newest bytes and hands each line on. Bounded in bytes, also without a line break. */
export class StderrTail {
  readonly #maxBytes: number
  readonly #onLine: ((line: string) => void) | undefined
  readonly #decoder = new StringDecoder('utf8')
  #chunks: Buffer[] = []
  #bytes = 0
  #line = ''

  constructor(maxBytes: number, onLine: ((line: string) => void) | undefined) {
    this.#maxBytes = maxBytes
    this.#onLine = onLine
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes > this.#maxBytes * 2 || this.#chunks.length > 1_000) this.#compact()
    if (this.#onLine !== undefined) this.#lines(this.#decoder.write(chunk))
  }

  end(): void {
    if (this.#line !== '') this.#onLine?.(this.#line)
    this.#line = ''
  }

  /** The newest text, at most `maxStderrBytes` bytes. */
  text(): string {
    this.#compact()
    return this.#chunks[0]?.toString('utf8').trimEnd() ?? ''
  }

  #compact(): void {
    const kept = Buffer.from(Buffer.concat(this.#chunks).subarray(-this.#maxBytes))
    this.#chunks = [kept]
    this.#bytes = kept.length
  }

  #lines(text: string): void {
    const lines = (this.#line + text).split(/\r?\n/)
    this.#line = lines.pop() ?? ''
    for (const line of lines) this.#onLine?.(line)
    if (this.#line.length > this.#maxBytes) {
      this.#onLine?.(this.#line)
      this.#line = ''
    }
  }
}
