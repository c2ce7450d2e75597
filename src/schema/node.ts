import type { JsonObject } from './json.ts'
import type { Check, Run } from './run.ts'

/** A part of a value that a keyword hands to a subschema; without a key it is the value itself. */
export type Part = readonly [node: Node, value: unknown, key?: string | number]

/** A keyword made ready. Without `check` all its parts must fit. `parts` and `branches` also lead explanations to the subschemas. */
export interface Rule<T> {
  check?: Check<T>
  parts?: (value: T, run: Run) => readonly Part[]
  /** Subschemas of which one must fit. */
  branches?: readonly Node[]
}

/** Makes a keyword ready; `undefined` when its value in the schema is not one that the keyword may have. */
export type Maker<T> = (expected: unknown, node: Node, schema: JsonObject, keyword: string) => Check<T> | Rule<T> | undefined

/** The keywords for one kind of value. */
export type Makers<T> = Readonly<Record<string, Maker<T>>>

/** A schema with an identifier of its own: where references and anchors are resolved. */
export interface Resource {
  readonly uri: string
  readonly root: unknown
  readonly draft7: boolean
  /** False when its metaschema leaves the validation vocabulary out. */
  readonly asserts: boolean
  readonly anchors: Map<string, Node>
  readonly dynamicAnchors: Map<string, Node>
}

/** A rule as explanations walk it, for any value. */
export interface Explainable {
  keyword: string
  expected: unknown
  fails(value: unknown, run: Run): boolean
  parts(value: unknown, run: Run): readonly Part[]
  branches: readonly Node[] | undefined
}

/** What a node needs of the documents around it. */
export interface Library {
  /** Whether scopes must be kept for `$dynamicRef`. */
  readonly dynamic: boolean
  build(node: Node): Check
  node(schema: unknown, parent: Node, tokens: readonly (string | number)[]): Node
  resolve(reference: string, from: Node): Node | undefined
}

/** One subschema. It is compiled by its first check, so that a broken branch that nothing reaches costs nothing. */
export class Node {
  readonly library: Library
  readonly schema: unknown
  readonly resource: Resource
  readonly rules: Explainable[] = []
  /** Whether its rules share a record of what has been evaluated. */
  collects = false
  check: Check
  private readonly above: Node | string
  private readonly tokens: readonly (string | number)[]

  constructor(library: Library, schema: unknown, resource: Resource, above: Node | string, tokens: readonly (string | number)[]) {
    this.library = library
    this.schema = schema
    this.resource = resource
    this.above = above
    this.tokens = tokens
    this.check = (value, run) => {
      this.check = library.build(this)
      return this.check(value, run)
    }
  }

  /** JSON Pointer to this subschema; in another document, after its identifier. */
  get pointer(): string {
    return this.tokens.reduce<string>(step, typeof this.above === 'string' ? this.above : this.above.pointer)
  }

  child(schema: unknown, ...tokens: (string | number)[]): Node {
    return this.library.node(schema, this, tokens)
  }
}

/** A JSON Pointer one token longer. */
export function step(pointer: string, token: string | number): string {
  return `${pointer}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`
}
