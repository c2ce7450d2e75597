import { isObject, own } from './json.ts'
import { APPLICATORS } from './keywords/applicators.ts'
import { ARRAYS } from './keywords/arrays.ts'
import { ASSERTIONS } from './keywords/assertions.ts'
import { OBJECTS } from './keywords/objects.ts'
import type { Makers, Node } from './node.ts'
import type { Check } from './run.ts'

const WITH_SUBSCHEMAS = { ...APPLICATORS, ...ARRAYS, ...OBJECTS }
const KEYWORDS: Makers = { ...ASSERTIONS, ...WITH_SUBSCHEMAS }
/** They are asked in this order: cheap ones first, those that ask for evaluated parts last. */
const ORDER = Object.keys(KEYWORDS)
const ONLY_2020 = /^(?:\$dynamicRef|prefixItems|dependent[RS].*|unevaluated.*)$/
const ONLY_DRAFT7 = /^(?:dependencies|additionalItems)$/

/** The keywords under which subschemas stand. */
export const HOLDERS: ReadonlySet<string> = new Set([...Object.keys(WITH_SUBSCHEMAS), 'then', 'else', '$defs', 'definitions'])

/** Compiles one subschema; those below it wait until a value reaches them. */
export function compile(node: Node): Check {
  const { schema, resource, pointer } = node
  if (typeof schema === 'boolean') return (value, run) => schema || run.report(pointer, '', schema, value)
  if (!isObject(schema)) return (_value, run) => run.unknown(pointer, 'it is no schema')
  const { draft7, asserts } = resource
  const counts = (keyword: string): boolean =>
    Object.hasOwn(KEYWORDS, keyword) &&
    (draft7 && schema.$ref !== undefined ? keyword === '$ref' : !(draft7 ? ONLY_2020 : ONLY_DRAFT7).test(keyword)) &&
    (asserts || !Object.hasOwn(ASSERTIONS, keyword))
  const keywords = Object.keys(schema).filter(counts)
  const rules = keywords
    .sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))
    .flatMap((keyword) => {
      const [make, expected] = [own(KEYWORDS, keyword), schema[keyword]]
      const impossible: Check = (_value, run) => run.unknown(`${pointer}/${keyword}`, 'its value is not one that the keyword can have')
      const check = make && (make(expected, node, schema, keyword) ?? impossible)
      return check ? [{ keyword, expected, check, last: keyword.startsWith('unevaluated') }] : []
    })
  const check: Check = (value, run) => {
    const outer = run.scope
    if (outer?.resource !== resource) run.scope = { resource, outer }
    let ok = true
    for (const rule of rules) {
      // A failure leaves unevaluated what it would have evaluated: that is no second failure.
      if (!ok && rule.last) continue
      const before = run.found?.length
      if (rule.check(value, run)) continue
      ok = false
      if (!run.curious) break
      // Nothing below has explained it.
      const { keyword, expected } = rule
      if (run.found?.length === before) run.report(`${pointer}/${keyword}`, keyword, expected, value)
    }
    run.scope = outer
    return ok
  }
  return rules.some(({ last }) => last) ? (value, run) => run.attempt({ check }, value, run.found, new Set()) : check
}
