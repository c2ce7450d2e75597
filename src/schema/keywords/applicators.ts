import type { Maker, Makers, Node } from '../node.ts'
import type { Check, Run } from '../run.ts'

/** Makes a keyword that holds a list of schemas ready. */
const listed =
  (make: (nodes: readonly Node[]) => ReturnType<Maker<unknown>>): Maker<unknown> =>
  (expected, node, _schema, keyword) =>
    Array.isArray(expected) && expected.length > 0 ? make(expected.map((schema, i) => node.child(schema, keyword, i))) : undefined

const anyOf = listed((branches) => {
  const check: Check = (value, run) => {
    let ok = false
    for (const { check } of branches) {
      ok = run.attempt(check, value) || ok
      // With a record of what has been evaluated every branch counts.
      if (ok && run.seen === undefined) return true
    }
    return ok
  }
  return { check, branches }
})

const oneOf = listed((branches) => {
  const check: Check = (value, run) => {
    const before = run.unknowns
    let count = 0
    for (const { check } of branches) {
      if (run.attempt(check, value)) count++
      if (count > 1 && run.unknowns === before) return false
    }
    return count > 0
  }
  return { check, branches }
})

const not: Maker<unknown> = (expected, node) => {
  const child = node.child(expected, 'not')
  return (value, run) => {
    const { seen, unknowns } = run
    run.seen = undefined
    const fits = run.follow(child.check, value)
    run.seen = seen
    return !fits || run.unknowns !== unknowns
  }
}

const conditional: Maker<unknown> = (expected, node, schema) => {
  const condition = node.child(expected, 'if')
  const [yes, no] = ['then', 'else'].map((keyword) => node.child(Object.hasOwn(schema, keyword) ? schema[keyword] : true, keyword))
  return {
    parts: (value, run) => {
      const before = run.unknowns
      const holds = run.attempt(condition.check, value)
      // A condition that holds only as far as it could be checked decides nothing.
      const next = !holds ? no : run.unknowns === before ? yes : undefined
      return next ? [[next, value]] : []
    },
  }
}

/** A reference is resolved when a check first follows it, and a dynamic one then each time by the resources on the way. */
const reference: Maker<unknown> = (expected, node, _schema, keyword) => {
  if (typeof expected !== 'string') return undefined
  let target: Node | undefined
  const anchor = keyword === '$ref' ? '' : expected.slice(expected.indexOf('#') + 1)
  const find = (run: Run): Node | undefined => {
    target ??= node.library.resolve(expected, node)
    let found = target
    if (anchor === '' || target?.resource.dynamicAnchors.get(anchor) !== target) return found
    for (let { scope } = run; scope !== undefined; scope = scope.outer) {
      run.spend(1)
      found = scope.resource.dynamicAnchors.get(anchor) ?? found
    }
    return found
  }
  return {
    check: (value, run) => {
      const found = find(run)
      if (found !== undefined) return run.follow(found.check, value)
      return run.unknown(`${node.pointer}/${keyword} was not checked: it refers to nothing in this schema, and nothing is fetched`)
    },
    parts: (value, run) => [find(run)].flatMap((found) => (found ? [[found, value]] : [])),
  }
}

/** Keywords that apply other schemas to the same value. */
export const APPLICATORS: Makers<unknown> = {
  $ref: reference,
  $dynamicRef: reference,
  allOf: listed((nodes) => ({ parts: (value) => nodes.map((node) => [node, value]) })),
  anyOf,
  oneOf,
  not,
  if: conditional,
}
