/**
 * Headers that many requests share, built once. A port may keep its own form of a block for as long as the block lives, so a call adds
 * only what is its own.
 */
export class HeaderBlock {
  readonly record: Readonly<Record<string, string>>
  #lowerCase: ReadonlySet<string> | undefined

  constructor(record: Readonly<Record<string, string>>) {
    this.record = record
  }

  /** This block with further headers, which replace those of the same name in any case; undefined leaves one out. */
  with(more: Readonly<Record<string, string | undefined>>): HeaderBlock {
    const replaced = new Set(Object.keys(more).map((name) => name.toLowerCase()))
    // Name by name, so that all records of these names have one shape; copied as a whole, each would have its own.
    const record: Record<string, string> = {}
    for (const [name, value] of Object.entries(this.record)) if (!replaced.has(name.toLowerCase())) record[name] = value
    for (const [name, value] of Object.entries(more)) if (value !== undefined) record[name] = value
    return new HeaderBlock(record)
  }

  /** Whether any of these headers stands in the block too, so that sending both would send one name twice. */
  meets(more: Readonly<Record<string, string>>): boolean {
    this.#lowerCase ??= new Set(Object.keys(this.record).map((name) => name.toLowerCase()))
    for (const name in more) if (this.#lowerCase.has(name.toLowerCase())) return true
    return false
  }
}
