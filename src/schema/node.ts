import type { JsonObject } from './json.ts'
import type { Check } from './run.ts'

/** A schema with an identifier of its own: where references and anchors are resolved. */
export interface Resource {
  readonly uri: string
  readonly root: unknown
  readonly draft7: boolean
  /** False when its metaschema leaves the validation vocabulary out. */
  readonly asserts: boolean
  readonly anchors: Map<string, Node>
  /** Those of `$dynamicAnchor`, which are anchors too. */
  readonly dynamic: Map<string, Node>
}

/** One subschema. It is compiled by its first check, so that a broken branch that nothing reaches costs nothing. */
export interface Node {
  readonly schema: unknown
  readonly resource: Resource
  /** JSON Pointer to this subschema; in another document, after its identifier. */
  readonly pointer: string
  /** The names of the formats that are asserted. */
  readonly formats: ReadonlySet<string>
  check: Check
  /** The node of a schema that stands below this one. */
  child(schema: unknown, ...tokens: (string | number)[]): Node
  resolve(reference: string): Node | undefined
}

/** Makes a keyword ready; `undefined` when its value in the schema is not one that the keyword may have. */
export type Maker<T = unknown> = (expected: unknown, node: Node, schema: JsonObject, keyword: string) => Check<T> | undefined

export type Makers<T = unknown> = Readonly<Record<string, Maker<T>>>

/** Keywords for one kind of value, which leave all others alone. */
export function keywordsFor<T>(is: (value: unknown) => value is T, makers: Makers<T>): Makers {
  const guarded = Object.entries(makers).map(([keyword, make]): [string, Maker] => [
    keyword,
    (...given) => {
      const check = make(...given)
      return check && ((value, run) => !is(value) || check(value, run))
    },
  ])
  return Object.fromEntries(guarded)
}
