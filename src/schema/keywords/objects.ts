import { isObject, type JsonObject, names } from '../json.ts'
import { keywordsFor, type Maker, type Makers } from '../node.ts'
import { patternOf } from '../pattern/pattern.ts'
import { named, single, unevaluated } from './subschemas.ts'

const keysOf = (value: unknown): string[] => (isObject(value) ? Object.keys(value) : [])

/** Subschemas for the object itself, each when it has a property; a list of names stands for the schema that requires them. */
const dependent: Maker<JsonObject> = named(
  (known) => (object, run) => run.all(known, ({ read, child }) => read(object) === undefined || run.follow(child, object)),
)

/** Keywords for objects that hold subschemas. */
export const OBJECTS: Makers = keywordsFor(isObject, {
  properties: named(
    (known) => (object, run) =>
      run.all(known, ({ name, read, child }) => {
        const value = read(object)
        return value === undefined || run.into(child, value, name)
      }),
  ),
  patternProperties: named((known, place) => {
    const all = known.map(({ name, child }) => ({ matches: patternOf(name, place), child }))
    return (object, run) =>
      run.all(names(object), (name) =>
        run.all(all, ({ matches, child }) => matches(name, run) !== true || run.into(child, object[name], name)),
      )
  }),
  additionalProperties: single((child, node, { properties, patternProperties }) => {
    const known = new Set(keysOf(properties))
    const patterns = keysOf(patternProperties).map((source) => patternOf(source, `${node.pointer}/patternProperties`))
    // A pattern that nobody can check speaks of every name.
    return (object, run) =>
      run.all(
        Object.keys(object),
        (name) =>
          known.has(name) ||
          object[name] === undefined ||
          patterns.some((matches) => matches(name, run) !== false) ||
          run.into(child, object[name], name),
      )
  }),
  propertyNames: single((child) => (object, run) => names(object).every((name) => run.aside(child, name))),
  dependentRequired: dependent,
  dependentSchemas: dependent,
  dependencies: dependent,
  unevaluatedProperties: unevaluated((object) => names(object).map((name) => [name, object[name]])),
})
