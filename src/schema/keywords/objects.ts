import { isObject, type JsonObject } from '../json.ts'
import type { Maker, Node, Part, Rule } from '../node.ts'
import type { Patterns } from '../pattern/pattern.ts'
import type { Run, Seen } from '../run.ts'
import { isCount } from './values.ts'

/** How one name is read: names that every object inherits only when the object has them itself. `undefined` is an absent property, as in JSON. */
interface Property {
  readonly name: string
  readonly inherited: boolean
}

const property = (name: string): Property => ({ name, inherited: name in Object.prototype })

function read(object: JsonObject, { name, inherited }: Property): unknown {
  return inherited && !Object.hasOwn(object, name) ? undefined : object[name]
}

/** Runs checks on the properties, which are other places of the value: what has been evaluated there is not our record. */
function inside(run: Run, cost: number, work: (seen: Seen | undefined) => boolean): boolean {
  run.spend(cost)
  run.descend()
  const { seen } = run
  run.seen = undefined
  const ok = work(seen)
  run.seen = seen
  run.ascend()
  return ok
}

/** A rule that hands chosen properties to subschemas. */
function each(choose: (object: JsonObject, run: Run) => readonly Part[], mark?: (seen: Seen) => void): Rule<JsonObject> {
  return {
    parts: choose,
    check: (object, run) => {
      const parts = choose(object, run)
      return inside(run, parts.length, (seen) => {
        for (const [node, value] of parts) if (!node.check(value, run)) return false
        if (seen && mark) mark(seen)
        else if (seen) for (const [, , name] of parts) seen.names.add(String(name))
        return true
      })
    },
  }
}

const properties: Maker<JsonObject> = (expected, node) => {
  if (!isObject(expected)) return undefined
  const known = Object.keys(expected).map((name) => ({ ...property(name), node: node.child(expected[name], 'properties', name) }))
  const check: Rule<JsonObject>['check'] = (object, run) =>
    inside(run, known.length, (seen) => {
      for (const each of known) {
        const value = read(object, each)
        if (value === undefined) continue
        if (!each.node.check(value, run)) return false
        seen?.names.add(each.name)
      }
      return true
    })
  return {
    check,
    parts: (object) => known.map((each) => [each.node, read(object, each), each.name] as const).filter(([, value]) => value !== undefined),
  }
}

/** The names that a schema's `properties` and `patternProperties` speak of; an unchecked pattern speaks of every name. */
function spokenOf(schema: JsonObject, node: Node, patterns: Patterns): (name: string, run: Run) => boolean {
  const { properties, patternProperties } = schema
  const names = new Set(isObject(properties) ? Object.keys(properties) : [])
  const sources = isObject(patternProperties) ? Object.keys(patternProperties) : []
  const place = (): string => `${node.pointer}/patternProperties`
  return (name, run) => names.has(name) || sources.some((source) => patterns.match(source, name, run, place) !== false)
}

const present = (object: JsonObject): string[] => Object.keys(object).filter((name) => object[name] !== undefined)

const required: Maker<JsonObject> = (expected) => {
  if (!Array.isArray(expected)) return undefined
  const names = expected.map((name) => property(String(name)))
  return (object, run) => {
    run.spend(names.length)
    for (const name of names) if (read(object, name) === undefined) return false
    return true
  }
}

const dependentRequired: Maker<JsonObject> = (expected) => {
  if (!isObject(expected)) return undefined
  const known = Object.entries(expected).map(([name, needs]) => ({
    when: property(name),
    needs: Array.isArray(needs) ? needs.map((each) => property(String(each))) : [],
  }))
  return (object, run) => {
    run.spend(known.length)
    return known.every(({ when, needs }) => {
      if (read(object, when) === undefined) return true
      run.spend(needs.length)
      return needs.every((need) => read(object, need) !== undefined)
    })
  }
}

/** Subschemas for the object itself, each when it has a property. In draft 7 `dependencies` holds these and lists of names. */
const dependentSchemas: (keyword: string) => Maker<JsonObject> = (keyword) => (expected, node, schema) => {
  if (!isObject(expected)) return undefined
  const names = Object.keys(expected).filter((name) => !Array.isArray(expected[name]))
  const known = names.map((name) => ({ when: property(name), node: node.child(expected[name], keyword, name) }))
  const lists = Object.fromEntries(Object.entries(expected).filter(([, item]) => Array.isArray(item)))
  const needs = keyword === 'dependencies' ? dependentRequired(lists, node, schema) : undefined
  const parts = (object: JsonObject): Part[] =>
    known.filter(({ when }) => read(object, when) !== undefined).map((each) => [each.node, object] as const)
  return {
    check: (object, run) => {
      run.spend(known.length)
      return (typeof needs !== 'function' || needs(object, run)) && parts(object).every(([child]) => run.follow(child.check, object))
    },
    parts,
  }
}

/** Keywords for objects. */
export function objects(patterns: Patterns): ReadonlyMap<string, Maker<JsonObject>> {
  const patternProperties: Maker<JsonObject> = (expected, node) => {
    if (!isObject(expected)) return undefined
    const known = Object.keys(expected).map((source) => ({
      source,
      node: node.child(expected[source], 'patternProperties', source),
      place: (): string => `${node.pointer}/patternProperties`,
    }))
    return each((object, run) => {
      const names = present(object)
      run.spend(names.length * known.length)
      return names.flatMap((name) =>
        known
          .filter(({ source, place }) => patterns.match(source, name, run, place) === true)
          .map((each) => [each.node, object[name], name] as const),
      )
    })
  }
  const additionalProperties: Maker<JsonObject> = (expected, node, schema) => {
    const child = node.child(expected, 'additionalProperties')
    const isSpokenOf = spokenOf(schema, node, patterns)
    return each(
      (object, run) => present(object).flatMap((name) => (isSpokenOf(name, run) ? [] : [[child, object[name], name] as const])),
      (seen) => {
        seen.allNames = true
      },
    )
  }
  const propertyNames: Maker<JsonObject> = (expected, node) => {
    const child = node.child(expected, 'propertyNames')
    return (object, run) => {
      const names = present(object)
      return inside(run, names.length, () => names.every((name) => child.check(name, run)))
    }
  }
  return new Map<string, Maker<JsonObject>>([
    ['required', required],
    ['minProperties', (min) => (isCount(min) ? (object): boolean => present(object).length >= min : undefined)],
    ['maxProperties', (max) => (isCount(max) ? (object): boolean => present(object).length <= max : undefined)],
    ['properties', properties],
    ['patternProperties', patternProperties],
    ['additionalProperties', additionalProperties],
    ['propertyNames', propertyNames],
    ['dependentRequired', dependentRequired],
    ['dependentSchemas', dependentSchemas('dependentSchemas')],
    ['dependencies', dependentSchemas('dependencies')],
  ])
}

/** `unevaluatedProperties`, which comes after all the other keywords. */
export const LAST_OF_OBJECTS: ReadonlyMap<string, Maker<JsonObject>> = new Map<string, Maker<JsonObject>>([
  [
    'unevaluatedProperties',
    (expected, node) => {
      const child = node.child(expected, 'unevaluatedProperties')
      return each(
        (object, { seen, unknowns }) => {
          if (seen === undefined || seen.allNames || seen.unknowns !== unknowns) return []
          return present(object).flatMap((name) => (seen.names.has(name) ? [] : [[child, object[name], name] as const]))
        },
        (seen) => {
          seen.allNames = true
        },
      )
    },
  ],
])
