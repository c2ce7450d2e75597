import { isObject, type JsonObject, own } from './json.ts'
import { APPLICATORS } from './keywords/applicators.ts'
import { ARRAYS, LAST_OF_ARRAYS } from './keywords/arrays.ts'
import { LAST_OF_OBJECTS, objects } from './keywords/objects.ts'
import { NUMBERS, strings, typeTest, VALUES } from './keywords/values.ts'
import type { Explainable, Makers, Node, Rule } from './node.ts'
import type { Patterns } from './pattern/pattern.ts'
import type { Check } from './run.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const ONLY_2020 = words('$dynamicRef prefixItems dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties')
const ONLY_DRAFT7 = words('dependencies additionalItems')
/** What a metaschema without the validation vocabulary takes away. */
const ASSERTIONS = /^(?:type|enum|const|pattern|required|multipleOf|dependentRequired|uniqueItems|(?:min|max|exclusiveM).*)$/

const isAny = (value: unknown): value is unknown => value !== undefined
const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'
const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** Makes the function that compiles subschemas, with the patterns of one schema and the formats that are asserted. */
export function compiler(patterns: Patterns, formats: ReadonlySet<string>): (node: Node) => Check {
  const textMakers = strings(patterns, formats)
  const objectMakers = objects(patterns)
  return (node) => {
    const { schema } = node
    if (!isObject(schema)) return typeof schema === 'boolean' ? () => schema : unknown(`${node.pointer} was not checked: it is no schema`)
    const keywords = keywordsOf(schema, node)
    const checks = <T>(is: (value: unknown) => value is T, makers: Makers<T>): Check<T>[] =>
      keywords.flatMap((keyword) => rule(is, makers, keyword, schema, node) ?? [])
    const type = keywords[0] === 'type' ? typeTest(schema.type) : undefined
    const first = checks(isAny, VALUES)
    const untyped = type ? first.slice(1) : first
    const then = checks(isAny, APPLICATORS)
    // Whether a kind of value is allowed at all is known from one sample, so that no check asks for the type again.
    const kind = <T>(
      sample: unknown,
      is: (value: unknown) => value is T,
      makers: Makers<T>,
      last: Makers<T> = {},
      before: Check[] = untyped,
    ): Check<T> => (type && !type(sample) ? () => false : every<T>([...before, ...checks(is, makers), ...then, ...checks(is, last)]))
    const onBoolean = kind(true, isAny, {})
    const onNull = kind(null, isAny, {})
    let onText: Check<string> | undefined
    let onNumber: Check<number> | undefined
    let onObject: Check<JsonObject> | undefined
    let onArray: Check<readonly unknown[]> | undefined
    node.collects = keywords.some((keyword) => keyword.startsWith('unevaluated'))
    // Most subschemas meet one kind of value only: the keywords for the others are never made ready.
    return surrounded(node, (value, run) => {
      if (isText(value)) {
        onText ??= kind('', isText, textMakers)
        return onText(value, run)
      }
      if (isNumber(value)) {
        onNumber ??= kind(1, isNumber, NUMBERS, {}, type?.(0.5) === false ? first : untyped)
        return onNumber(value, run)
      }
      if (isObject(value)) {
        onObject ??= kind({}, isObject, objectMakers, LAST_OF_OBJECTS)
        return onObject(value, run)
      }
      if (isArray(value)) {
        onArray ??= kind([], isArray, ARRAYS, LAST_OF_ARRAYS)
        return onArray(value, run)
      }
      return (typeof value === 'boolean' ? onBoolean : onNull)(value, run)
    })
  }
}

/** The keywords that count here, `type` first. */
function keywordsOf(schema: JsonObject, node: Node): string[] {
  const { draft7, asserts } = node.resource
  if (draft7 && Object.hasOwn(schema, '$ref')) return ['$ref']
  const ignored = draft7 ? ONLY_2020 : ONLY_DRAFT7
  const keywords = Object.keys(schema).filter((keyword) => !ignored.has(keyword) && (asserts || !ASSERTIONS.test(keyword)))
  return keywords.includes('type') ? ['type', ...keywords.filter((keyword) => keyword !== 'type')] : keywords
}

function rule<T>(
  is: (value: unknown) => value is T,
  makers: Makers<T>,
  keyword: string,
  schema: JsonObject,
  node: Node,
): Check<T> | undefined {
  const maker = own(makers, keyword)
  if (maker === undefined) return undefined
  const expected = schema[keyword]
  const made = maker(expected, node, schema, keyword)
  if (made === undefined) return unknown(`${node.pointer}/${keyword} was not checked: its value is not one that the keyword can have`)
  const { parts, branches, check = partsFit(parts) }: Rule<T> = typeof made === 'function' ? { check: made } : made
  const fails: Explainable['fails'] = (value, run) => is(value) && !check(value, run)
  node.rules.push({ keyword, expected, branches, fails, parts: (value, run) => (is(value) && parts?.(value, run)) || [] })
  return check
}

function partsFit<T>(choose: Rule<T>['parts']): Check<T> {
  return (value, run) => {
    for (const [node, part, key] of choose?.(value, run) ?? []) {
      if (key === undefined) {
        if (!run.follow(node.check, part)) return false
        continue
      }
      const seen = run.enter(1)
      if (!run.leave(seen, node.check(part, run))) return false
      seen?.add(key)
    }
    return true
  }
}

function unknown(sentence: string): Check {
  return (_value, run) => run.unknown(sentence)
}

function every<T>(checks: readonly Check<T>[]): Check<T> {
  const [a, b, c] = checks
  if (a === undefined) return () => true
  if (b === undefined) return a
  if (c === undefined) return (value, run) => a(value, run) && b(value, run)
  return (value, run) => {
    for (const check of checks) if (!check(value, run)) return false
    return true
  }
}

/** Around a check, what its subschema begins: a record of what has been evaluated, and the scope of its resource. */
function surrounded(node: Node, check: Check): Check {
  const { resource, library } = node
  const inner: Check = node.collects ? (value, run) => run.collect(check, value) : check
  if (!library.dynamic) return inner
  return (value, run) => {
    const outer = run.scope
    run.scope = outer?.resource === resource ? outer : { resource, outer }
    const ok = inner(value, run)
    run.scope = outer
    return ok
  }
}
