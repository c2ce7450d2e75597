import type { JsonObject } from './json.ts'
import type { Check, Run } from './run.ts'

/** A part of a value that a keyword hands to a subschema; without a key it is the value itself. */
export type Part = readonly [node: Node, value: unknown, key?: string | number]

/** A keyword made ready. `parts` and `branches` lead explanations to the subschemas; without them the keyword explains itself. */
export interface Rule<T> {
  check: Check<T>
  /** Subschemas that must all fit. */
  parts?: (value: T, run: Run) => Iterable<Part>
  /** Subschemas of which one must fit. */
  branches?: readonly Node[]
}

/** Makes a keyword ready; `undefined` when its value in the schema is not one that the keyword may have. */
export type Maker<T> = (expected: unknown, node: Node, schema: JsonObject) => Check<T> | Rule<T> | undefined

/** A schema with an identifier of its own: where references and anchors are resolved. */
export interface Resource {
  readonly uri: string
  readonly root: unknown
  readonly pointer: string
  readonly dialect: Dialect
  readonly anchors: Map<string, Node>
  readonly dynamicAnchors: Map<string, Node>
}

/** Which keywords a resource knows. */
export interface Dialect {
  draft7: boolean
  /** False when its metaschema leaves the validation vocabulary out. */
  asserts: boolean
}

/** A rule as explanations walk it: whether it fails for any value, and where it leads. */
export interface Explainable {
  keyword: string
  expected: unknown
  fails(value: unknown, run: Run): boolean
  parts(value: unknown, run: Run): Iterable<Part> | undefined
  branches: readonly Node[] | undefined
}

/** One subschema. It is compiled by its first check, so that a broken branch that nothing reaches costs nothing. */
export class Node {
  readonly schema: unknown
  readonly resource: Resource
  readonly library: Library
  rules: readonly Explainable[] = []
  /** Whether its rules share a record of what has been evaluated. */
  collects = false
  check: Check
  private readonly parent: Node | undefined
  private readonly tokens: readonly (string | number)[]

  constructor(library: Library, schema: unknown, resource: Resource, parent?: Node, tokens: readonly (string | number)[] = []) {
    this.schema = schema
    this.resource = resource
    this.library = library
    this.parent = parent
    this.tokens = tokens
    this.check = (value, run) => {
      this.check = library.build(this)
      return this.check(value, run)
    }
  }

  /** JSON Pointer to this subschema; in another document, after its identifier. */
  get pointer(): string {
    const above = this.parent?.pointer ?? this.resource.pointer
    return this.tokens.reduce<string>((path, token) => step(path, token), above)
  }

  child(schema: unknown, ...tokens: (string | number)[]): Node {
    return this.library.node(schema, this, tokens)
  }
}

/** What a node needs of the documents around it. */
export interface Library {
  /** Whether scopes must be kept for `$dynamicRef`. */
  readonly dynamic: boolean
  build(node: Node): Check
  node(schema: unknown, parent: Node, tokens: readonly (string | number)[]): Node
  resolve(reference: string, from: Node): Node | undefined
  /** Spends from the budget for compiling. */
  spend(steps: number): void
}

/** A JSON Pointer one token longer. */
export function step(pointer: string, token: string | number): string {
  return `${pointer}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`
}
