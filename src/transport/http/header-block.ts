/**
 * Headers that many requests share, built once. A port may keep its own form of a block for as long as the block lives, so a call adds
 * only what is its own.
 */
export class HeaderBlock {
  readonly record: Readonly<Record<string, string>>
  #lowerCase: ReadonlyMap<string, string> | undefined

  constructor(record: Readonly<Record<string, string>>) {
    this.record = record
  }

  /** This block with further headers, which replace those of the same name in any case. */
  with(more: Readonly<Record<string, string>>): HeaderBlock {
    const record: Record<string, string> = { ...this.record }
    for (const [name, value] of Object.entries(more)) {
      const key = this.#names.get(name.toLowerCase())
      if (key !== undefined) delete record[key]
      record[name] = value
    }
    return new HeaderBlock(record)
  }

  /** Whether any of these headers stands in the block too, so that sending both would send one name twice. */
  meets(more: Readonly<Record<string, string>>): boolean {
    for (const name in more) if (this.#names.has(name.toLowerCase())) return true
    return false
  }

  /** The names as they are written, by lower case. */
  get #names(): ReadonlyMap<string, string> {
    this.#lowerCase ??= new Map(Object.keys(this.record).map((name) => [name.toLowerCase(), name]))
    return this.#lowerCase
  }
}
