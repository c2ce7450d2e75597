import { type McpErrorOptions, ValidationError, type ValidationIssue } from '../errors.ts'
import { peerText } from '../protocol/peer-text.ts'

/** A schema of Zod, Valibot, ArkType or any other library that has the common interface. @see https://standardschema.dev */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

/** The parsed value, or why there is none. */
export type StandardResult<Output> = { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The caller's mistake is told before anything is sent. */
export function checkStandardSchema(schema: unknown): void {
  const known = typeof schema === 'function' || (typeof schema === 'object' && schema !== null)
  const standard: unknown = known ? Reflect.get(schema, '~standard') : undefined
  if (typeof standard !== 'object' || standard === null || typeof Reflect.get(standard, 'validate') !== 'function')
    throw new TypeError('output must be a Standard Schema, such as one of Zod, Valibot or ArkType')
}

/**
 * The value as the schema makes it.
 * @param what Begins the message: whose value it is.
 * @throws ValidationError with `result`, also when the schema itself throws: what was to be parsed must not be lost.
 */
export async function parsed<Output>(
  schema: StandardSchema<Output>,
  value: unknown,
  what: string,
  result: unknown,
  options: McpErrorOptions,
): Promise<Output> {
  let outcome: StandardResult<Output>
  try {
    outcome = await schema['~standard'].validate(value)
  } catch (cause) {
    throw new ValidationError(`${what} could not be parsed: the schema threw`, { reason: 'schema', result }, { ...options, cause })
  }
  if (outcome.issues === undefined) return outcome.value
  const issues = outcome.issues.slice(0, MAX_ISSUES).map(issueOf)
  const more = outcome.issues.length > MAX_ISSUES ? `, and ${outcome.issues.length - MAX_ISSUES} more` : ''
  const message = `${what} does not fit the schema given as output: ${issues.map((issue) => issue.message).join(', ')}${more}`
  throw new ValidationError(message, { reason: 'mismatch', issues, result }, options)
}

/** So many issues are told; more help nobody. */
const MAX_ISSUES = 8
/** What one issue says may quote the server. */
const MAX_ISSUE_CHARS = 256

function issueOf({ message, path = [] }: StandardIssue): ValidationIssue {
  const keys = path.map((part) => String(typeof part === 'object' ? part.key : part))
  const pointer = keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return { path: pointer, schemaPath: '', message: peerText(pointer === '' ? message : `${pointer}: ${message}`, MAX_ISSUE_CHARS) }
}
