import { isArray, isNumber } from '../json.ts'
import { keywordsFor, type Maker, type Makers } from '../node.ts'
import { listed, single, unevaluated } from './subschemas.ts'

type Items = readonly unknown[]

/** A schema for each of the first items. */
const tuple: Maker<Items> = listed(
  (children) => (items, run) => run.all(children.slice(0, items.length), (child, i) => run.into(child, items[i], i)),
)

/** One schema for all items behind those that have their own. */
const rest = (before: unknown): Maker<Items> => {
  const start = isArray(before) ? before.length : 0
  return single((child) => (items, run) => run.all(items, (item, i) => i < start || run.into(child, item, i)))
}

/** Keywords for arrays that hold subschemas. */
export const ARRAYS: Makers = keywordsFor(isArray, {
  prefixItems: tuple,
  items: (expected, node, schema, keyword) => {
    const make = !node.resource.draft7 ? rest(schema.prefixItems) : isArray(expected) ? tuple : rest([])
    return make(expected, node, schema, keyword)
  },
  additionalItems: (expected, node, schema, keyword) =>
    isArray(schema.items) ? rest(schema.items)(expected, node, schema, keyword) : () => true,
  contains: single((child, { resource: { draft7 } }, { minContains, maxContains }) => {
    const bound = (limit: unknown, otherwise: number): number => (isNumber(limit) && limit >= 0 && !draft7 ? limit : otherwise)
    const [min, max] = [bound(minContains, 1), bound(maxContains, Infinity)]
    return (items, run) => {
      const { unknowns } = run
      const fitting = [...items.keys()].filter((i) => run.aside(child, items[i]))
      for (const i of fitting) run.seen?.add(i)
      return fitting.length >= min && (fitting.length <= max || run.unknowns !== unknowns)
    }
  }),
  unevaluatedItems: unevaluated((items) => [...items.entries()]),
})
