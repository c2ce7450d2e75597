import { canonical } from '../json.ts'
import type { Maker, Node, Part, Rule } from '../node.ts'
import type { Run, Seen } from '../run.ts'
import { isCount } from './values.ts'

type Items = readonly unknown[]

/** A rule that hands the items from `start` to `end` to subschemas. */
function span(
  start: number,
  end: (items: Items) => number,
  nodeAt: (index: number) => Node | undefined,
  mark: (seen: Seen, items: Items) => void,
): Rule<Items> {
  return {
    check: (items, run) => {
      const to = end(items)
      if (to <= start) {
        if (run.seen) mark(run.seen, items)
        return true
      }
      run.spend(to - start)
      run.descend()
      const { seen } = run
      run.seen = undefined
      let ok = true
      for (let i = start; ok && i < to; i++) ok = nodeAt(i)?.check(items[i], run) ?? true
      run.seen = seen
      run.ascend()
      if (seen && ok) mark(seen, items)
      return ok
    },
    *parts(items) {
      for (let i = start; i < end(items); i++) {
        const node = nodeAt(i)
        if (node) yield [node, items[i], i] as Part
      }
    },
  }
}

const all = (seen: Seen): void => {
  seen.allItems = true
}

function tuple(schemas: readonly unknown[], keyword: string, node: Node): Rule<Items> {
  const nodes = schemas.map((schema, i) => node.child(schema, keyword, i))
  const end = (items: Items): number => Math.min(nodes.length, items.length)
  return span(
    0,
    end,
    (i) => nodes[i],
    (seen, items) => {
      for (let i = 0; i < end(items); i++) seen.indexes.add(i)
    },
  )
}

function rest(expected: unknown, keyword: string, node: Node, start: number): Rule<Items> {
  const child = node.child(expected, keyword)
  return span(
    start,
    (items) => items.length,
    () => child,
    all,
  )
}

const items: Maker<Items> = (expected, node, schema) => {
  const { prefixItems } = schema
  if (!node.resource.dialect.draft7)
    return Array.isArray(expected) ? undefined : rest(expected, 'items', node, Array.isArray(prefixItems) ? prefixItems.length : 0)
  return Array.isArray(expected) ? tuple(expected, 'items', node) : rest(expected, 'items', node, 0)
}

const contains: Maker<Items> = (expected, node, { minContains, maxContains }) => {
  const child = node.child(expected, 'contains')
  const { draft7 } = node.resource.dialect
  const min = isCount(minContains) && !draft7 ? minContains : 1
  const max = isCount(maxContains) && !draft7 ? maxContains : Infinity
  return (array, run) => {
    run.spend(array.length)
    run.descend()
    const { seen, unknowns } = run
    run.seen = undefined
    let count = 0
    for (let i = 0; i < array.length; i++) {
      if (!child.check(array[i], run)) continue
      count++
      seen?.indexes.add(i)
      if (!seen && count >= min && max === Infinity) break
    }
    run.seen = seen
    run.ascend()
    return count >= min && (count <= max || run.unknowns !== unknowns)
  }
}

function unique(array: Items, run: Run): boolean {
  run.spend(array.length)
  const simple = new Set<unknown>()
  const texts = new Set<string>()
  for (const item of array) {
    const isSimple = typeof item !== 'object' || item === null
    const known: Set<unknown> = isSimple ? simple : texts
    known.add(isSimple ? item : canonical(item, run))
  }
  return simple.size + texts.size === array.length
}

/** Keywords for arrays. */
export const ARRAYS: ReadonlyMap<string, Maker<Items>> = new Map<string, Maker<Items>>([
  ['minItems', (min) => (isCount(min) ? (array): boolean => array.length >= min : undefined)],
  ['maxItems', (max) => (isCount(max) ? (array): boolean => array.length <= max : undefined)],
  ['prefixItems', (expected, node) => (Array.isArray(expected) ? tuple(expected, 'prefixItems', node) : undefined)],
  ['items', items],
  [
    'additionalItems',
    (expected, node, schema) =>
      Array.isArray(schema['items']) ? rest(expected, 'additionalItems', node, schema['items'].length) : () => true,
  ],
  ['contains', contains],
  ['uniqueItems', (expected) => (expected === true ? unique : () => true)],
])

/** `unevaluatedItems`, which comes after all the other keywords. */
export const LAST_OF_ARRAYS: ReadonlyMap<string, Maker<Items>> = new Map<string, Maker<Items>>([
  [
    'unevaluatedItems',
    (expected, node) => {
      const child = node.child(expected, 'unevaluatedItems')
      const remaining = (array: Items, { seen, unknowns }: Run): Part[] =>
        seen === undefined || seen.allItems || seen.unknowns !== unknowns
          ? []
          : array.flatMap((item, i) => (seen.indexes.has(i) ? [] : [[child, item, i] as const]))
      return {
        parts: remaining,
        check: (array, run) => {
          run.spend(array.length)
          const parts = remaining(array, run)
          run.descend()
          const { seen } = run
          run.seen = undefined
          const ok = parts.every(([, item]) => child.check(item, run))
          run.seen = seen
          run.ascend()
          if (ok && seen) seen.allItems = true
          return ok
        },
      }
    },
  ],
])
