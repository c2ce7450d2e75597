import { nearest } from '../explain.ts'
import { isText } from '../json.ts'
import type { Maker, Makers, Node } from '../node.ts'
import type { Failure, Run, Subschema } from '../run.ts'
import { listed, single } from './subschemas.ts'

/** So many branches are compared; a schema with more is no list of alternatives that a reader knows. */
const MAX_BRANCHES = 50

/** How many branches fit, counted as far as `enough`; when none does, the failures of the nearest are the explanation. */
function fitting(branches: readonly Node[], value: unknown, run: Run, enough: number): number {
  let count = 0
  const failures: Failure[][] = []
  for (const branch of branches) {
    const found: Failure[] | undefined = run.curious && failures.length < MAX_BRANCHES ? [] : undefined
    if (run.attempt(branch, value, found)) count++
    else if (found) failures.push(found)
    if (count >= enough) break
  }
  if (count === 0) run.found?.push(...nearest(failures, run.path))
  return count
}

/** A reference is resolved when a check first follows it, and a dynamic one then each time by the resources on the way. */
const reference: Maker = (expected, node, _schema, keyword) => {
  if (!isText(expected)) return undefined
  let target: Node | undefined
  const anchor = keyword === '$ref' ? '' : expected.replace(/.*#/, '')
  return (value, run) => {
    target ??= node.resolve(expected)
    let found: Subschema | undefined = target
    for (let scope = target?.resource.dynamic.get(anchor) === target ? run.scope : undefined; scope !== undefined; scope = scope.outer) {
      run.spend(1)
      found = scope.resource.dynamic.get(anchor) ?? found
    }
    if (found !== undefined) return run.follow(found, value)
    return run.unknown(`${node.pointer}/${keyword}`, 'it refers to nothing in this schema, and nothing is fetched')
  }
}

/** Keywords that apply other schemas to the same value. */
export const APPLICATORS: Makers = {
  $ref: reference,
  $dynamicRef: reference,
  allOf: listed((children) => (value, run) => run.all(children, (child) => run.follow(child, value))),
  // With a record of what has been evaluated every branch counts.
  anyOf: listed((children) => (value, run) => fitting(children, value, run, run.seen ? Infinity : 1) > 0),
  oneOf: listed((children) => (value, run) => {
    const { unknowns } = run
    const count = fitting(children, value, run, 2)
    return count === 1 || (count > 1 && run.unknowns !== unknowns)
  }),
  not: single((child) => (value, run) => {
    const { unknowns } = run
    return !run.aside(child, value) || run.unknowns !== unknowns
  }),
  if: single((condition, node, schema) => {
    const [yes, no] = ['then', 'else'].map((keyword) => node.child(schema[keyword] ?? true, keyword))
    return (value, run) => {
      const { unknowns } = run
      const holds = run.attempt(condition, value)
      // A condition that holds only as far as it could be checked decides nothing.
      const next = !holds ? no : run.unknowns === unknowns ? yes : undefined
      return next === undefined || run.follow(next, value)
    }
  }),
}
