/** What is remembered of a server: how it wants to be greeted. */
export type Remembered = 'legacy' | 'modern'

/** An upgraded server is noticed after this. */
const LEGACY_LIFE_MS = 24 * 60 * 60 * 1_000
const MAX_SERVERS = 1_000

/** The era of servers met before, by URL, or by command, arguments and environment. In memory. */
export class VerdictCache {
  readonly #entries = new Map<string, { readonly era: Remembered; readonly at: number }>()

  get(identity: string | undefined): Remembered | undefined {
    const entry = identity === undefined ? undefined : this.#entries.get(identity)
    return entry === undefined || (entry.era === 'legacy' && Date.now() - entry.at > LEGACY_LIFE_MS) ? undefined : entry.era
  }

  set(identity: string | undefined, era: Remembered): void {
    if (identity === undefined) return
    this.#entries.delete(identity)
    this.#entries.set(identity, { era, at: Date.now() })
    const oldest = this.#entries.keys().next()
    if (this.#entries.size > MAX_SERVERS && !oldest.done) this.#entries.delete(oldest.value)
  }

  delete(identity: string | undefined): void {
    if (identity !== undefined) this.#entries.delete(identity)
  }
}
