import { bodyForm } from './media-type.ts'

const LF = 10
const CR = 13

/** Counts what a compressed reply becomes: a body as a whole, of an event stream each event, since a stream may live for days. */
export class DecompressedBytes {
  readonly #max: number
  readonly #events: boolean
  #count = 0
  #lineIsEmpty = true
  #afterCr = false

  constructor(max: number, contentType: string | undefined) {
    this.#max = max
    this.#events = bodyForm(contentType) === 'events'
  }

  /** False when the limit is exceeded. */
  take(chunk: Uint8Array): boolean {
    if (this.#events) return this.#takeEvents(chunk)
    this.#count += chunk.length
    return this.#count <= this.#max
  }

  #takeEvents(chunk: Uint8Array): boolean {
    for (const byte of chunk) {
      if (++this.#count > this.#max) return false
      const secondHalf = byte === LF && this.#afterCr
      this.#afterCr = byte === CR
      if (secondHalf) continue
      const lineEnds = byte === LF || byte === CR
      if (lineEnds && this.#lineIsEmpty) this.#count = 0
      this.#lineIsEmpty = lineEnds
    }
    return true
  }
}
