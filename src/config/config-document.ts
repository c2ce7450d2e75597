/** Where something stands in a file; both count from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** The way to a value: names of members, numbers of items. */
export type ConfigPath = readonly (string | number)[]

/** A configuration as it was read, and where its parts stand. */
export interface ConfigDocument {
  readonly value: unknown
  /** The file; undefined for a value given in code. */
  readonly file: string | undefined
  /** Where a part stands, as far as the format tells. */
  readonly positionOf: (path: ConfigPath) => Position | undefined
  /** Members that stand more than once, with the places of all but the one that counts. */
  readonly repeated: readonly { readonly path: ConfigPath; readonly position: Position }[]
}

/** A value that was given in code, which stands nowhere. */
export function inCode(value: unknown): ConfigDocument {
  return { value, file: undefined, positionOf: () => undefined, repeated: [] }
}
