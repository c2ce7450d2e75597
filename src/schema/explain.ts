import type { ValidationIssue } from '../errors.ts'
import type { SchemaLimits } from './limits.ts'
import { issueOf } from './messages.ts'
import { type Failure, MAX_FAILURES, Run, type Subschema } from './run.ts'

/** The first failures of a value that is known not to fit, within a quarter of the work of a check; at least one. */
export function explain(root: Subschema, value: unknown, limits: SchemaLimits): ValidationIssue[] {
  const found: Failure[] = []
  try {
    if (value !== undefined) root.check(value, new Run(limits, limits.maxSchemaSteps >> 2, found))
  } catch {
    // The verdict stands; only its explanation was too much work.
  }
  if (found.length > 0) return found.slice(0, MAX_FAILURES).map(issueOf)
  return [{ path: '', schemaPath: '', message: `the value ${value === undefined ? 'is missing' : 'does not fit its schema'}` }]
}

/** The failures of the branch that a value comes closest to; when it has the type of none, the types that there are. */
export function nearest(branches: readonly Failure[][], path: string): Failure[] {
  const wrongType = (failure: Failure | undefined): boolean => failure?.keyword === 'type' && failure.path === path
  const weight = (failure: Failure): number => (wrongType(failure) ? 100 : /const|enum/.test(failure.keyword) ? 10 : 1)
  const far = (failures: Failure[]): number => failures.reduce((sum, failure) => sum + weight(failure), 0)
  const [best = []] = branches.toSorted((a, b) => far(a) - far(b))
  const [first] = best
  if (first === undefined || !wrongType(first)) return best
  const types = branches.flatMap(([failure]) => (wrongType(failure) ? failure?.expected : []))
  return [{ ...first, expected: [...new Set(types)] }]
}
