import type { ValidationIssue } from '../errors.ts'
import type { SchemaLimits } from './limits.ts'
import { MAX_ISSUES, Run, type Subschema } from './run.ts'

/** The first failures of a value that is known not to fit, within a quarter of the work of a check; at least one. */
export function explain(root: Subschema, value: unknown, limits: SchemaLimits): ValidationIssue[] {
  const found: ValidationIssue[] = []
  const run = new Run(limits, limits.maxSchemaSteps >> 2, found)
  try {
    if (value === undefined) run.report('', 'is missing')
    else root.check(value, run)
  } catch {
    // The verdict stands; only its explanation was too much work.
  }
  return found.length > 0 ? found.slice(0, MAX_ISSUES) : [{ path: '', schemaPath: '', message: 'the value does not fit its schema' }]
}

/** The failures of the branch that a value comes closest to; when it has the type of none, the types that there are. */
export function nearest(failures: readonly ValidationIssue[][], path: string): ValidationIssue[] {
  const wrongType = (issue: ValidationIssue | undefined): boolean => issue?.path === path && issue.schemaPath.endsWith('/type')
  const weight = (issue: ValidationIssue): number => (wrongType(issue) ? 100 : /\/(?:const|enum)$/.test(issue.schemaPath) ? 10 : 1)
  const far = (issues: ValidationIssue[]): number => issues.reduce((sum, issue) => sum + weight(issue), 0)
  const [best = []] = failures.toSorted((a, b) => far(a) - far(b))
  const [first] = best
  if (first === undefined || !wrongType(first)) return best
  const demand = /(?<=must be ).*?(?=, not )/
  const types = failures.flatMap(([issue]) => (wrongType(issue) ? (issue?.message.match(demand) ?? []) : []))
  return [{ ...first, message: first.message.replace(demand, [...new Set(types)].slice(0, 8).join(' or ')) }]
}
