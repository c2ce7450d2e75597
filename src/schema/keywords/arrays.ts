import { canonical } from '../json.ts'
import type { Maker, Makers, Node, Part, Rule } from '../node.ts'
import type { Run } from '../run.ts'
import { counted, isCount } from './values.ts'

type Items = readonly unknown[]

/** Hands each item from `start` on to its subschema, as far as there are any. */
function span(nodeAt: (index: number) => Node | undefined, start = 0, most = Infinity): Rule<Items> {
  const end = (items: Items): number => Math.min(items.length, most)
  return {
    check: (items, run) => {
      const to = end(items)
      const seen = run.enter(Math.max(0, to - start))
      for (let i = start; i < to; i++) {
        if (nodeAt(i)?.check(items[i], run) === false) return run.leave(seen, false)
        seen?.add(i)
      }
      return run.leave(seen, true)
    },
    parts: (items) =>
      items.slice(0, most).flatMap((item, i): Part[] => [nodeAt(i)].flatMap((node) => (node && i >= start ? [[node, item, i]] : []))),
  }
}

const rest: Maker<Items> = (expected, node, schema, keyword) => {
  const before = keyword === 'additionalItems' ? schema.items : node.resource.draft7 ? [] : schema.prefixItems
  if (keyword === 'additionalItems' && !Array.isArray(before)) return () => true
  const child = node.child(expected, keyword)
  return span(() => child, Array.isArray(before) ? before.length : 0)
}

const tuple: Maker<Items> = (expected, node, _schema, keyword) => {
  if (!Array.isArray(expected)) return undefined
  const nodes = expected.map((schema, i) => node.child(schema, keyword, i))
  return span((i) => nodes[i], 0, nodes.length)
}

const contains: Maker<Items> = (expected, node, { minContains, maxContains }) => {
  const child = node.child(expected, 'contains')
  const { draft7 } = node.resource
  const min = isCount(minContains) && !draft7 ? minContains : 1
  const max = isCount(maxContains) && !draft7 ? maxContains : Infinity
  return (items, run) => {
    const { unknowns } = run
    const seen = run.enter(items.length)
    let count = 0
    items.forEach((item, i) => {
      if (!child.check(item, run)) return
      count++
      seen?.add(i)
    })
    return run.leave(seen, count >= min && (count <= max || run.unknowns !== unknowns))
  }
}

function unique(items: Items, run: Run): boolean {
  run.spend(items.length)
  const simple = items.filter((item) => typeof item !== 'object' || item === null)
  const others = simple.length < items.length ? items.filter((item) => typeof item === 'object' && item !== null) : []
  return new Set(simple).size === simple.length && new Set(others.map((item) => canonical(item, run))).size === others.length
}

/** Keywords for arrays. */
export const ARRAYS: Makers<Items> = {
  minItems: counted((items, min) => items.length >= min),
  maxItems: counted((items, max) => items.length <= max),
  prefixItems: tuple,
  items: (expected, node, schema, keyword) =>
    !Array.isArray(expected)
      ? rest(expected, node, schema, keyword)
      : node.resource.draft7
        ? tuple(expected, node, schema, keyword)
        : undefined,
  additionalItems: rest,
  contains,
  uniqueItems: (expected) => (expected === true ? unique : () => true),
}

/** Comes after all the other keywords. */
export const LAST_OF_ARRAYS: Makers<Items> = {
  unevaluatedItems: (expected, node) => {
    const child = node.child(expected, 'unevaluatedItems')
    return {
      parts: (items, { seen, unknowns }) =>
        seen?.unknowns === unknowns ? items.flatMap((item, i): Part[] => (seen.has(i) ? [] : [[child, item, i]])) : [],
    }
  },
}
