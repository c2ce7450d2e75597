import type { Maker, Node, Rule } from '../node.ts'
import type { Check } from '../run.ts'

function list(expected: unknown, keyword: string, node: Node): Node[] | undefined {
  return Array.isArray(expected) && expected.length > 0 ? expected.map((schema, i) => node.child(schema, keyword, i)) : undefined
}

const allOf: Maker<unknown> = (expected, node) => {
  const nodes = list(expected, 'allOf', node)
  if (nodes === undefined) return undefined
  const check: Check = (value, run) => {
    for (const each of nodes) if (!run.follow(each.check, value)) return false
    return true
  }
  return { check, parts: (value) => nodes.map((each) => [each, value] as const) }
}

const anyOf: Maker<unknown> = (expected, node) => {
  const branches = list(expected, 'anyOf', node)
  if (branches === undefined) return undefined
  const check: Check = (value, run) => {
    let ok = false
    for (const each of branches) {
      ok = run.attempt(each.check, value) || ok
      // With a record of what has been evaluated every branch counts.
      if (ok && run.seen === undefined) return true
    }
    return ok
  }
  return { check, branches }
}

const oneOf: Maker<unknown> = (expected, node) => {
  const branches = list(expected, 'oneOf', node)
  if (branches === undefined) return undefined
  const check: Check = (value, run) => {
    const before = run.unknowns
    let count = 0
    for (const each of branches) {
      if (run.attempt(each.check, value)) count++
      if (count > 1 && run.unknowns === before) return false
    }
    return count > 0
  }
  return { check, branches }
}

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
  const [yes, no] = ['then', 'else'].map((keyword) => (Object.hasOwn(schema, keyword) ? node.child(schema[keyword], keyword) : undefined))
  const check: Check = (value, run) => {
    const before = run.unknowns
    const holds = run.attempt(condition.check, value)
    // A condition that holds only as far as it could be checked decides nothing.
    if (holds && run.unknowns !== before) return true
    const next = holds ? yes : no
    return next === undefined || run.follow(next.check, value)
  }
  const parts: Rule<unknown>['parts'] = (value, run) => {
    const next = run.attempt(condition.check, value) ? yes : no
    return next ? [[next, value]] : []
  }
  return { check, parts }
}

/** A reference is resolved when a check first follows it. */
function reference(keyword: string, find: (reference: string, node: Node) => Target | undefined): Maker<unknown> {
  return (expected, node) => {
    if (typeof expected !== 'string') return undefined
    let target: Target | undefined | null = null
    const resolve: Target = (run) => {
      if (target === null) target = find(expected, node)
      return target?.(run)
    }
    const check: Check = (value, run) => {
      const found = resolve(run)
      if (found !== undefined) return run.follow(found.check, value)
      run.unknown(`${node.pointer}/${keyword} was not checked: it refers to nothing in this schema, and nothing is fetched`)
      return true
    }
    return { check, parts: (value, run) => [resolve(run)].flatMap((found) => (found ? [[found, value] as const] : [])) }
  }
}

type Target = (run: Parameters<Check>[1]) => Node | undefined

const statically = (text: string, node: Node): Target | undefined => {
  const found = node.library.resolve(text, node)
  return found && (() => found)
}

/** The outermost resource on the way here that has the dynamic anchor, if the reference leads to such an anchor at all. */
const dynamically = (text: string, node: Node): Target | undefined => {
  const found = node.library.resolve(text, node)
  const anchor = text.slice(text.indexOf('#') + 1)
  if (found?.resource.dynamicAnchors.get(anchor) !== found) return found && (() => found)
  return (run) => {
    let outermost = found
    for (let { scope } = run; scope !== undefined; scope = scope.outer) {
      run.spend(1)
      outermost = scope.resource.dynamicAnchors.get(anchor) ?? outermost
    }
    return outermost
  }
}

/** Keywords that apply other schemas to the same value. */
export const APPLICATORS: ReadonlyMap<string, Maker<unknown>> = new Map([
  ['$ref', reference('$ref', statically)],
  ['$dynamicRef', reference('$dynamicRef', dynamically)],
  ['allOf', allOf],
  ['anyOf', anyOf],
  ['oneOf', oneOf],
  ['not', not],
  ['if', conditional],
])
