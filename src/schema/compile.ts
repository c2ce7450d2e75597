import { isObject, type JsonObject } from './json.ts'
import { APPLICATORS } from './keywords/applicators.ts'
import { ARRAYS, LAST_OF_ARRAYS } from './keywords/arrays.ts'
import { LAST_OF_OBJECTS, objects } from './keywords/objects.ts'
import { NUMBERS, strings, typeTest, VALUES } from './keywords/values.ts'
import type { Explainable, Maker, Node, Rule } from './node.ts'
import type { Patterns } from './pattern/pattern.ts'
import type { Check } from './run.ts'

const ONLY_2020: ReadonlySet<string> = new Set(
  '$dynamicRef prefixItems dependentSchemas dependentRequired unevaluatedItems unevaluatedProperties'.split(' '),
)
const ONLY_DRAFT7: ReadonlySet<string> = new Set(['dependencies', 'additionalItems'])
/** What a metaschema without the validation vocabulary takes away. */
const ASSERTIONS: ReadonlySet<string> = new Set([
  ...VALUES.keys(),
  ...NUMBERS.keys(),
  ...'minLength maxLength pattern required minProperties maxProperties dependentRequired minItems maxItems uniqueItems'.split(' '),
])

/** The keywords for one kind of value. */
interface Family<T> {
  is(value: unknown): value is T
  makers: ReadonlyMap<string, Maker<T>>
}

/** Makes the function that compiles subschemas, with the patterns of one schema and the formats that are asserted. */
export function compiler(patterns: Patterns, formats: ReadonlySet<string>): (node: Node) => Check {
  const ofAny = (makers: ReadonlyMap<string, Maker<unknown>>): Family<unknown> => ({
    is: (value): value is unknown => value !== undefined,
    makers,
  })
  const values = ofAny(VALUES)
  const applicators = ofAny(APPLICATORS)
  const text: Family<string> = { is: (value) => typeof value === 'string', makers: strings(patterns, formats) }
  const numbers: Family<number> = { is: (value) => typeof value === 'number', makers: NUMBERS }
  const object: Family<JsonObject> = { is: isObject, makers: objects(patterns) }
  const lastOfObject: Family<JsonObject> = { is: isObject, makers: LAST_OF_OBJECTS }
  const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value)
  const array: Family<readonly unknown[]> = { is: isArray, makers: ARRAYS }
  const lastOfArray: Family<readonly unknown[]> = { is: isArray, makers: LAST_OF_ARRAYS }

  return (node) => {
    const { schema } = node
    if (!isObject(schema)) return typeof schema === 'boolean' ? () => schema : unknown(`${node.pointer} was not checked: it is no schema`)
    const keywords = keywordsOf(schema, node)
    const rules: Explainable[] = []
    const checks = <T>(family: Family<T>): Check<T>[] => keywords.flatMap((keyword) => rule(family, keyword, schema, node, rules) ?? [])
    const type = keywords[0] === 'type' ? typeTest(schema['type']) : undefined
    const first = checks(values)
    const untyped = type ? first.slice(1) : first
    const then = checks(applicators)
    // Whether a kind of value is allowed at all is known from one sample, so that no check asks for the type again.
    const kind = <T>(sample: unknown, own: Check<T>[], last: Check<T>[] = [], before: Check[] = untyped): Check<T> =>
      type && !type(sample) ? never : every<T>([...before, ...own, ...then, ...last])
    const onString = kind('', checks(text))
    const onNumber = kind(1, checks(numbers), [], type && !type(0.5) ? first : untyped)
    const onObject = kind({}, checks(object), checks(lastOfObject))
    const onArray = kind([], checks(array), checks(lastOfArray))
    const onBoolean = kind<unknown>(true, [])
    const onNull = kind<unknown>(null, [])
    node.rules = rules
    node.collects = keywords.some((keyword) => keyword.startsWith('unevaluated'))
    return surrounded(node, (value, run) => {
      if (typeof value === 'string') return onString(value, run)
      if (typeof value === 'number') return onNumber(value, run)
      if (typeof value === 'boolean') return onBoolean(value, run)
      return isObject(value) ? onObject(value, run) : isArray(value) ? onArray(value, run) : onNull(value, run)
    })
  }
}

/** The keywords that count here, `type` first. */
function keywordsOf(schema: JsonObject, node: Node): string[] {
  const { draft7, asserts } = node.resource.dialect
  if (draft7 && Object.hasOwn(schema, '$ref')) return ['$ref']
  const ignored = draft7 ? ONLY_2020 : ONLY_DRAFT7
  const keywords = Object.keys(schema).filter((keyword) => !ignored.has(keyword) && (asserts || !ASSERTIONS.has(keyword)))
  return keywords.includes('type') ? ['type', ...keywords.filter((keyword) => keyword !== 'type')] : keywords
}

function rule<T>(family: Family<T>, keyword: string, schema: JsonObject, node: Node, rules: Explainable[]): Check<T> | undefined {
  const maker = family.makers.get(keyword)
  if (maker === undefined) return undefined
  const expected = schema[keyword]
  node.library.spend(Array.isArray(expected) ? expected.length : 1)
  const made = maker(expected, node, schema)
  if (made === undefined) return unknown(`${node.pointer}/${keyword} was not checked: its value is not one that the keyword can have`)
  const { check, parts, branches }: Rule<T> = typeof made === 'function' ? { check: made } : made
  rules.push({
    keyword,
    expected,
    branches,
    fails: (value, run) => family.is(value) && !check(value, run),
    parts: (value, run) => (family.is(value) ? parts?.(value, run) : undefined),
  })
  return check
}

function unknown(sentence: string): Check {
  return (_value, run) => {
    run.unknown(sentence)
    return true
  }
}

const never = (): boolean => false

function every<T>(checks: readonly Check<T>[]): Check<T> {
  const [a, b, c] = checks
  if (a === undefined) return () => true
  if (b === undefined) return a
  if (c === undefined) return (value, run) => a(value, run) && b(value, run)
  if (checks.length === 3) return (value, run) => a(value, run) && b(value, run) && c(value, run)
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
    if (outer?.resource === resource) return inner(value, run)
    run.scope = { resource, outer }
    const ok = inner(value, run)
    run.scope = outer
    return ok
  }
}
