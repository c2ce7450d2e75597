import { ValidationError } from '../errors.ts'
import { step } from './json.ts'
import type { SchemaLimits } from './limits.ts'

/** One question about a value, as a closure. */
export type Check<T = unknown> = (value: T, run: Run) => boolean

/** A subschema, as far as a run needs it. */
export interface Subschema {
  readonly check: Check
}

/** A value that does not fit a keyword. */
export interface Failure {
  /** JSON Pointer to the value. */
  readonly path: string
  /** JSON Pointer to the keyword. */
  readonly place: string
  readonly keyword: string
  readonly expected: unknown
  readonly value: unknown
}

/** The schema resources entered on the way here, innermost first: what `$dynamicRef` searches. */
interface Scope {
  readonly resource: { readonly dynamic: ReadonlyMap<string, Subschema> }
  readonly outer: Scope | undefined
}

/** Ends the work with the error that names the limit. */
export function limitReached(limit: keyof SchemaLimits, limits: SchemaLimits, cause?: unknown): never {
  const message = `the schema cannot be checked within ${limit} (${limits[limit]}); raise limits.${limit} if such schemas are meant`
  throw new ValidationError(message, { reason: 'limit', limit }, { cause })
}

/** So many failures are told; more help nobody. */
export const MAX_FAILURES = 8
/** In the record of what has been evaluated: a part that nobody could check might have evaluated anything. */
export const ANYTHING = -1

/** The state and the budget of one check. */
export class Run {
  readonly limits: SchemaLimits
  patternMs: number
  /** The failures, while they are explained: no check then stops at the first. */
  found: Failure[] | undefined
  /** JSON Pointer to the value at hand, while failures are explained. */
  path = ''
  /** The names and indexes evaluated, while somebody asks; never across a step into a property or an item. */
  seen: Set<string | number> | undefined
  scope: Scope | undefined
  /** How often something was met that nobody could check. Such a part counts as fitting wherever that cannot turn the verdict wrong. */
  unknowns = 0
  /** What could not be checked, the first of it. */
  unchecked: Set<string> | undefined
  private steps: number
  private depth = 0
  private hops = 0

  constructor(limits: SchemaLimits, steps: number = limits.maxSchemaSteps, found?: Failure[]) {
    this.limits = limits
    this.steps = steps
    this.found = found
    this.patternMs = limits.maxPatternMs
  }

  spend(steps: number): void {
    this.steps -= steps
    if (this.steps < 0) limitReached('maxSchemaSteps', this.limits)
  }

  /** Whether another failure is wanted after the first. */
  get curious(): boolean {
    return this.found !== undefined && this.found.length < MAX_FAILURES
  }

  /** Whether something holds for each: asked until one fails, and of all when failures are explained. */
  all<T>(items: readonly T[], holds: (item: T, index: number) => boolean): boolean {
    this.spend(items.length)
    let ok = true
    let index = 0
    for (const item of items) {
      ok = holds(item, index++) && ok
      if (!ok && !this.curious) break
    }
    return ok
  }

  /** Into a property or an item. */
  into(child: Subschema, value: unknown, key: string | number): boolean {
    if (++this.depth > this.limits.maxDepth) limitReached('maxDepth', this.limits)
    const { seen, path } = this
    this.seen = undefined
    if (this.found) this.path = step(path, key)
    const ok = child.check(value, this)
    this.depth--
    this.path = path
    this.seen = seen
    if (ok) seen?.add(key)
    return ok
  }

  /** Another schema for the same value, which is how references can circle. */
  follow(child: Subschema, value: unknown): boolean {
    this.spend(1)
    if (++this.hops > this.limits.maxDepth * 2) limitReached('maxDepth', this.limits)
    const ok = child.check(value, this)
    this.hops--
    return ok
  }

  /** The same with records of its own: what it evaluates counts outside only if it fits. */
  attempt(child: Subschema, value: unknown, found?: Failure[], seen: Run['seen'] = this.seen && new Set()): boolean {
    const { seen: outerSeen, found: outerFound } = this
    this.seen = seen
    this.found = found
    const ok = this.follow(child, value)
    this.seen = outerSeen
    this.found = outerFound
    if (ok && seen && outerSeen) {
      this.spend(seen.size)
      for (const key of seen) outerSeen.add(key)
    }
    return ok
  }

  /** The same for a question of which only the answer counts. */
  aside(child: Subschema, value: unknown): boolean {
    const { seen } = this
    this.seen = undefined
    const ok = this.attempt(child, value)
    this.seen = seen
    return ok
  }

  /** Notes a failure, if failures are explained. */
  report(place: string, keyword: string, expected: unknown, value: unknown): false {
    // What its comparison with others costs.
    this.spend(10)
    if (this.curious) this.found?.push({ path: this.path, place, keyword, expected, value })
    return false
  }

  /** Notes what nobody can check. It passes. */
  unknown(place: string, why: string): true {
    this.unknowns++
    this.seen?.add(ANYTHING)
    this.unchecked ??= new Set()
    if (this.unchecked.size < 20) this.unchecked.add(`${place} was not checked: ${why}`)
    return true
  }
}
