import { ValidationError } from '../errors.ts'
import type { SchemaLimits } from './limits.ts'
import type { Node, Resource } from './node.ts'

/** One question about a value, as a closure. */
export type Check<T = unknown> = (value: T, run: Run) => boolean

/** Ends the work with the error that names the limit. */
export function limitReached(limit: keyof SchemaLimits, limits: SchemaLimits, cause?: unknown): never {
  const message = `the schema cannot be checked within ${limit} (${limits[limit]}); raise limits.${limit} if such schemas are meant`
  throw new ValidationError(message, { reason: 'limit', limit }, { cause })
}

/** Which properties and items of one value have been evaluated: what `unevaluatedProperties` and `unevaluatedItems` ask for. */
export class Seen {
  readonly names: Set<string> = new Set()
  readonly indexes: Set<number> = new Set()
  allNames = false
  allItems = false
  /** Parts that were unchecked when this began: more of them later means that what was evaluated is not known. */
  readonly unknowns: number

  constructor(unknowns: number) {
    this.unknowns = unknowns
  }

  absorb(other: Seen, run: Run): void {
    run.spend(other.names.size + other.indexes.size)
    for (const name of other.names) this.names.add(name)
    for (const index of other.indexes) this.indexes.add(index)
    this.allNames ||= other.allNames
    this.allItems ||= other.allItems
  }
}

/** The schema resources entered on the way here, innermost first: what `$dynamicRef` searches. */
export interface Scope {
  readonly resource: Resource
  readonly outer: Scope | undefined
}

/** The state and the budget of one check. */
export class Run {
  readonly limits: SchemaLimits
  steps: number
  patternMs: number
  /** Set while the caller collects what has been evaluated; never across a step into a property or an item. */
  seen: Seen | undefined = undefined
  scope: Scope | undefined = undefined
  /** How often something was met that nobody could check. Such a part counts as fitting wherever that cannot turn the verdict wrong. */
  unknowns = 0
  readonly unchecked: Set<string> = new Set()
  private depth = 0
  private hops = 0

  constructor(limits: SchemaLimits, steps: number = limits.maxSchemaSteps) {
    this.limits = limits
    this.steps = steps
    this.patternMs = limits.maxPatternMs
  }

  spend(steps: number): void {
    this.steps -= steps
    if (this.steps < 0) limitReached('maxSchemaSteps', this.limits)
  }

  /** Into a property or an item. */
  descend(): void {
    if (++this.depth > this.limits.maxDepth) limitReached('maxDepth', this.limits)
  }

  ascend(): void {
    this.depth--
  }

  /** Another schema for the same value, which is how references can circle. */
  follow(check: Check, value: unknown): boolean {
    if (++this.hops > this.limits.maxDepth * 2) limitReached('maxDepth', this.limits)
    this.spend(1)
    const ok = check(value, this)
    this.hops--
    return ok
  }

  /** Runs a check whose annotations count only if it succeeds. */
  attempt(check: Check, value: unknown): boolean {
    return this.seen === undefined ? this.follow(check, value) : this.collect(() => this.follow(check, value), value)
  }

  /** Runs a check with a record of its own of what has been evaluated. */
  collect(check: Check, value: unknown): boolean {
    const outer = this.seen
    const mine = new Seen(this.unknowns)
    this.seen = mine
    const ok = check(value, this)
    this.seen = outer
    if (ok) outer?.absorb(mine, this)
    return ok
  }

  /** Walks the rules of a subschema one by one, in the state that its check runs them in. */
  within(node: Node, walk: () => void): void {
    const { seen, scope } = this
    this.seen = node.collects ? new Seen(this.unknowns) : undefined
    if (scope?.resource !== node.resource) this.scope = { resource: node.resource, outer: scope }
    this.descend()
    walk()
    this.ascend()
    this.scope = scope
    this.seen = seen
  }

  unknown(sentence: string): void {
    this.unknowns++
    if (this.unchecked.size < 20) this.unchecked.add(sentence)
  }
}
