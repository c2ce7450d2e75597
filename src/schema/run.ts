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

/** The names and indexes of one value that have been evaluated, which is what `unevaluatedProperties` and `unevaluatedItems` ask for. */
class Seen extends Set<string | number> {
  /** Parts that were unchecked when this began: more of them later means that what was evaluated is not known. */
  unknowns = 0
}

/** The schema resources entered on the way here, innermost first: what `$dynamicRef` searches. */
interface Scope {
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

  /** Into the properties or items, where what has been evaluated is not our record. Returns the record, for `leave`. */
  enter(steps: number): Seen | undefined {
    this.spend(steps)
    if (++this.depth > this.limits.maxDepth) limitReached('maxDepth', this.limits)
    const { seen } = this
    this.seen = undefined
    return seen
  }

  leave(seen: Seen | undefined, ok: boolean): boolean {
    this.depth--
    this.seen = seen
    return ok
  }

  /** Another schema for the same value, which is how references can circle. */
  follow(check: Check, value: unknown): boolean {
    if (++this.hops > this.limits.maxDepth * 2) limitReached('maxDepth', this.limits)
    this.spend(1)
    const ok = check(value, this)
    this.hops--
    return ok
  }

  /** The same for a branch: what it evaluates counts only if it fits. */
  attempt(check: Check, value: unknown): boolean {
    return this.seen === undefined ? this.follow(check, value) : this.collect(() => this.follow(check, value), value)
  }

  /** Runs a check with a record of its own of what has been evaluated. */
  collect(check: Check, value: unknown): boolean {
    const outer = this.seen
    const mine = this.record()
    const ok = check(value, this)
    this.seen = outer
    if (ok && outer) {
      this.spend(mine.size)
      for (const key of mine) outer.add(key)
    }
    return ok
  }

  /** Walks the rules of a subschema one by one, in the state that its check runs them in. */
  within(node: Node, walk: () => void): void {
    const { scope } = this
    const seen = this.enter(1)
    if (node.collects) this.record()
    if (scope?.resource !== node.resource) this.scope = { resource: node.resource, outer: scope }
    walk()
    this.scope = scope
    this.leave(seen, true)
  }

  /** Notes what nobody can check. It passes. */
  unknown(sentence: string): true {
    this.unknowns++
    if (this.unchecked.size < 20) this.unchecked.add(sentence)
    return true
  }

  private record(): Seen {
    this.seen = new Seen()
    this.seen.unknowns = this.unknowns
    return this.seen
  }
}
