import { ValidationError, type ValidationIssue } from '../errors.ts'
import { safe, sentence, typeNames } from './messages.ts'
import { type Explainable, type Node, step } from './node.ts'
import type { Run } from './run.ts'

/** So many failures are told; more help nobody. */
const MAX_ISSUES = 8
/** So many branches are compared; a schema with more is no list of alternatives that a reader knows. */
const MAX_BRANCHES = 50

interface Finding extends ValidationIssue {
  keyword: string
  expected: unknown
}

/** The first failures of a value that is known not to fit, within the budget of the run; at least one. */
export function explain(root: Node, value: unknown, run: Run): ValidationIssue[] {
  const found: Finding[] = []
  try {
    visit(root, value, '', run, found)
  } catch (error) {
    // The verdict stands; only its explanation was too much work.
    if (!(error instanceof RangeError || (error instanceof ValidationError && error.reason === 'limit'))) throw error
  }
  if (found.length === 0) report(found, '', root.pointer, '', undefined, 'does not fit its schema')
  return found.slice(0, MAX_ISSUES).map(({ path, schemaPath, message }) => ({ path, schemaPath, message }))
}

function report(found: Finding[], path: string, schemaPath: string, keyword: string, expected: unknown, what: string): void {
  found.push({ path, schemaPath, message: `${path === '' ? 'the value' : safe(path, 200)} ${what}`, keyword, expected })
}

function visit(node: Node, value: unknown, path: string, run: Run, found: Finding[]): void {
  if (found.length >= MAX_ISSUES || node.check(value, run)) return
  if (node.schema === false) report(found, path, node.pointer, '', undefined, 'is not allowed')
  run.within(node, () => {
    const before = found.length
    for (const rule of node.rules) {
      // A failure leaves unevaluated what it would have evaluated: that is no second failure.
      if (found.length > before && rule.keyword.startsWith('unevaluated')) continue
      if (rule.fails(value, run)) explainRule(rule, node, value, path, run, found)
    }
  })
}

function explainRule(rule: Explainable, node: Node, value: unknown, path: string, run: Run, found: Finding[]): void {
  const { keyword, expected, branches } = rule
  const before = found.length
  for (const [child, part, key] of rule.parts(value, run) ?? []) visit(child, part, key === undefined ? path : step(path, key), run, found)
  if (branches) found.push(...nearest(branches, value, path, run))
  if (found.length === before && found.length < MAX_ISSUES) {
    report(found, path, step(node.pointer, keyword), keyword, expected, sentence(keyword, expected, value))
  }
}

/** The failures of the branch that the value comes closest to; when it has the type of none, the types that there are. */
function nearest(branches: readonly Node[], value: unknown, path: string, run: Run): Finding[] {
  const failures = branches.slice(0, MAX_BRANCHES).map((branch) => {
    const found: Finding[] = []
    visit(branch, value, path, run, found)
    return found
  })
  // More than one branch of `oneOf` fits: no branch can tell why.
  if (failures.some((found) => found.length === 0)) return []
  const far = (found: Finding[]): number =>
    found.reduce(
      (sum, { keyword, path: at }) => sum + (at === path && keyword === 'type' ? 100 : keyword === 'const' || keyword === 'enum' ? 10 : 1),
      0,
    )
  const [best = []] = failures.sort((a, b) => far(a) - far(b))
  const [first] = best
  if (first === undefined || first.path !== path || first.keyword !== 'type') return best
  const types = failures.flatMap(([each]) => (each?.keyword === 'type' ? each.expected : []))
  return [{ ...first, message: first.message.replace(/must be .*?, not /u, `must be ${typeNames(types)}, not `) }]
}
