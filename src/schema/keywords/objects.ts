import { isObject, type JsonObject } from '../json.ts'
import type { Maker, Makers, Node, Part } from '../node.ts'
import type { Patterns } from '../pattern/pattern.ts'
import type { Check } from '../run.ts'
import { counted } from './values.ts'

/** How one name is read: names that every object inherits only when the object has them itself. An `undefined` property is absent, as in JSON. */
const reader = (name: string): ((object: JsonObject) => unknown) =>
  name in Object.prototype ? (object) => (Object.hasOwn(object, name) ? object[name] : undefined) : (object) => object[name]

const names = (object: JsonObject): string[] => Object.keys(object).filter((name) => object[name] !== undefined)

const properties: Maker<JsonObject> = (expected, node) => {
  if (!isObject(expected)) return undefined
  const known = Object.keys(expected).map((name) => ({ name, read: reader(name), node: node.child(expected[name], 'properties', name) }))
  const check: Check<JsonObject> = (object, run) => {
    const seen = run.enter(known.length)
    for (const each of known) {
      const value = each.read(object)
      if (value === undefined) continue
      if (!each.node.check(value, run)) return run.leave(seen, false)
      seen?.add(each.name)
    }
    return run.leave(seen, true)
  }
  return {
    check,
    parts: (object) => known.map((each): Part => [each.node, each.read(object), each.name]).filter(([, value]) => value !== undefined),
  }
}

const required: Maker<JsonObject> = (expected) => {
  if (!Array.isArray(expected)) return undefined
  const readers = expected.map((name) => reader(String(name)))
  return (object, run) => {
    run.spend(readers.length)
    for (const read of readers) if (read(object) === undefined) return false
    return true
  }
}

/** Subschemas for the object itself, each when it has a property; a list of names is the schema that requires them. */
const dependent: Maker<JsonObject> = (expected, node, _schema, keyword) => {
  if (!isObject(expected)) return undefined
  const known = Object.entries(expected).map(([name, need]) => ({
    read: reader(name),
    node: node.child(Array.isArray(need) ? { required: need } : need, keyword, name),
  }))
  return {
    parts: (object, run) => {
      run.spend(known.length)
      return known.filter(({ read }) => read(object) !== undefined).map((each) => [each.node, object])
    },
  }
}

const propertyNames: Maker<JsonObject> = (expected, node) => {
  const child = node.child(expected, 'propertyNames')
  return (object, run) => {
    const all = names(object)
    return run.leave(run.enter(all.length), true) && all.every((name) => child.check(name, run))
  }
}

/** Keywords for objects. */
export function objects(patterns: Patterns): Makers<JsonObject> {
  const matches = (
    node: Node,
    schema: JsonObject,
  ): { source: string; test: (name: string, run: Parameters<Check>[1]) => boolean | undefined }[] => {
    const place = (): string => `${node.pointer}/patternProperties`
    const { patternProperties } = schema
    const sources = isObject(patternProperties) ? Object.keys(patternProperties) : []
    return sources.map((source) => ({ source, test: (name, run) => patterns.match(source, name, run, place) }))
  }
  return {
    required,
    minProperties: counted((object, min) => names(object).length >= min),
    maxProperties: counted((object, max) => names(object).length <= max),
    properties,
    patternProperties: (expected, node, schema) => {
      if (!isObject(expected)) return undefined
      const known = matches(node, schema).map((each) => ({
        ...each,
        node: node.child(expected[each.source], 'patternProperties', each.source),
      }))
      return {
        parts: (object, run) =>
          names(object).flatMap((name) =>
            known.filter(({ test }) => test(name, run) === true).map((each): Part => [each.node, object[name], name]),
          ),
      }
    },
    additionalProperties: (expected, node, schema) => {
      const child = node.child(expected, 'additionalProperties')
      const named = new Set(isObject(schema.properties) ? Object.keys(schema.properties) : [])
      const known = matches(node, schema)
      // A pattern that nobody can check speaks of every name.
      return {
        parts: (object, run) =>
          names(object)
            .filter((name) => !named.has(name) && !known.some(({ test }) => test(name, run) !== false))
            .map((name) => [child, object[name], name]),
      }
    },
    propertyNames,
    dependentRequired: dependent,
    dependentSchemas: dependent,
    dependencies: dependent,
  }
}

/** Comes after all the other keywords. */
export const LAST_OF_OBJECTS: Makers<JsonObject> = {
  unevaluatedProperties: (expected, node) => {
    const child = node.child(expected, 'unevaluatedProperties')
    return {
      parts: (object, { seen, unknowns }) =>
        seen?.unknowns === unknowns ? names(object).flatMap((name) => (seen.has(name) ? [] : [[child, object[name], name]])) : [],
    }
  },
}
