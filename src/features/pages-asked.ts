/** Pages that the server may tell the end of, at once; beyond it the oldest is forgotten, and its end not told. */
export const MAX_PAGES_ASKED = 256
/** The longest id that is kept, in characters; the end of a page with a longer one is not told. */
export const MAX_ELICITATION_ID_CHARS = 1_024

/** The elicitations by URL that this client was asked for and that have not ended, by the ids that the server gave them. */
export class PagesAsked {
  // Most clients are asked for none.
  #ids: Set<string> | undefined

  add(id: unknown): void {
    if (typeof id !== 'string' || id.length > MAX_ELICITATION_ID_CHARS) return
    this.#ids ??= new Set()
    this.#ids.delete(id)
    this.#ids.add(id)
    if (this.#ids.size <= MAX_PAGES_ASKED) return
    const [oldest = id] = this.#ids
    this.#ids.delete(oldest)
  }

  /** It ended; true when it had been asked for and had not ended before. */
  end(id: unknown): boolean {
    return typeof id === 'string' && (this.#ids?.delete(id) ?? false)
  }
}
