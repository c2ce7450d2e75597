import type { Params } from '../jsonrpc/message.ts'

/** What an answer belongs to: it serves nobody else and nothing else. @see spec server/utilities/caching */
export interface AnswerKey {
  /** On whose behalf it was asked for. */
  readonly principal: string | undefined
  readonly method: string
  readonly params: Params | undefined
}

interface Held {
  readonly key: AnswerKey
  /** A copy for each who asks, so that nobody changes what others get. */
  readonly text: string
  readonly until: number
  readonly next: string | undefined
}

/** Answers that may be used again for a time, at most so many characters of them; the least recently used leave first. */
export class AnswerCache {
  readonly #held = new Map<string, Held>()
  readonly #maxChars: number
  #chars = 0

  constructor(maxChars: number) {
    this.#maxChars = maxChars
  }

  /** A copy of the answer, while it is fresh. */
  get(key: AnswerKey): Params | undefined {
    const id = idOf(key)
    const held = this.#fresh(id)
    if (held === undefined) return undefined
    this.#held.delete(id)
    this.#held.set(id, held)
    return JSON.parse(held.text)
  }

  /** Keeps an answer for so long; one that is longer than the whole cache, or too deep to be written, is not kept. */
  put(key: AnswerKey, answer: Params, ttlMs: number): void {
    const id = idOf(key)
    this.#delete(id)
    if (!(ttlMs > 0)) return
    const text = textOf(answer)
    if (text === undefined || text.length + id.length > this.#maxChars) return
    const next = typeof answer.nextCursor === 'string' ? answer.nextCursor : undefined
    this.#held.set(id, { key, text, next, until: performance.now() + ttlMs })
    this.#chars += text.length + id.length
    for (const oldest of this.#held.keys()) {
      if (this.#chars <= this.#maxChars) return
      this.#delete(oldest)
    }
  }

  /** Every page of a list is held and fresh, from the first to the end. */
  hasList(principal: string | undefined, method: string): boolean {
    let cursor: string | undefined
    const seen = new Set<string>()
    for (;;) {
      const held = this.#fresh(idOf({ principal, method, params: cursor === undefined ? undefined : { cursor } }))
      if (held === undefined) return false
      if (held.next === undefined || seen.has(held.next)) return true
      cursor = held.next
      seen.add(cursor)
    }
  }

  drop(unwanted: (key: AnswerKey) => boolean): void {
    for (const [id, { key }] of this.#held) if (unwanted(key)) this.#delete(id)
  }

  #fresh(id: string): Held | undefined {
    const held = this.#held.get(id)
    if (held === undefined || performance.now() < held.until) return held
    this.#delete(id)
    return undefined
  }

  #delete(id: string): void {
    const held = this.#held.get(id)
    if (held === undefined) return
    this.#held.delete(id)
    this.#chars -= held.text.length + id.length
  }
}

function idOf({ principal, method, params }: AnswerKey): string {
  return JSON.stringify([principal ?? null, method, params ?? null])
}

/** A peer may nest deeper than can be written. */
function textOf(answer: Params): string | undefined {
  try {
    return JSON.stringify(answer)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
