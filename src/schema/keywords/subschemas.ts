import { isArray, isObject, type JsonObject, reader } from '../json.ts'
import type { Maker, Node } from '../node.ts'
import { ANYTHING, type Check } from '../run.ts'

/** Makes a keyword ready that holds one schema. */
export function single<T>(make: (child: Node, node: Node, schema: JsonObject) => Check<T>): Maker<T> {
  return (expected, node, schema, keyword) => make(node.child(expected, keyword), node, schema)
}

/** Makes a keyword ready that holds a list of schemas; only a list for items may be empty. */
export function listed<T>(make: (children: readonly Node[]) => Check<T>): Maker<T> {
  return (expected, node, _schema, keyword) =>
    isArray(expected) && (expected.length > 0 || keyword === 'items')
      ? make(expected.map((schema, i) => node.child(schema, keyword, i)))
      : undefined
}

/** A property that a keyword names, with its subschema. */
interface Named {
  readonly name: string
  readonly read: (object: JsonObject) => unknown
  readonly child: Node
}

/** Makes a keyword ready that holds schemas under names; in `depend…` a list of names is the schema that requires them. */
export function named(make: (known: readonly Named[], place: string) => Check<JsonObject>): Maker<JsonObject> {
  return (expected, node, _schema, keyword) => {
    if (!isObject(expected)) return undefined
    const known = Object.entries(expected).map(([name, value]) => {
      const schema = isArray(value) && keyword.startsWith('depend') ? { required: value } : value
      return { name, read: reader(name), child: node.child(schema, keyword, name) }
    })
    return make(known, `${node.pointer}/${keyword}`)
  }
}

/** Makes a keyword ready whose schema is for those parts of a value that no other keyword has evaluated. */
export function unevaluated<T>(parts: (value: T) => readonly (readonly [key: string | number, part: unknown])[]): Maker<T> {
  return single((child) => (value, run) => {
    const { seen } = run
    return !seen || seen.has(ANYTHING) || run.all(parts(value), ([key, part]) => seen.has(key) || run.into(child, part, key))
  })
}
