import { type McpErrorOptions, ValidationError, type ValidationIssue } from '../errors.ts'
import { isObject } from '../jsonrpc/codec.ts'
import { closest } from '../protocol/closest.ts'
import { TOOLS_CALL } from '../protocol/methods.ts'
import { peerText } from '../protocol/peer-text.ts'
import type { Tool } from '../protocol/types.ts'
import type { SchemaLimits } from '../schema/limits.ts'
import type { CheckResult, SchemaValidator } from '../schema/validator.ts'
import type { Logger } from '../session/logger.ts'
import type { ToolResult } from './tool-result.ts'

export interface ValidationSettings {
  /** Structured results against their output schema: warn, refuse, or do not look. */
  readonly validate: 'warn' | 'strict' | 'off'
  /** Arguments before they are sent: only that required ones are there, against the whole input schema, or not at all. */
  readonly validateArguments: 'required' | 'full' | 'off'
  readonly logger: Logger
  readonly limits: SchemaLimits
}

/** Checks arguments before they leave and structured results when they come. */
export class ToolValidation {
  readonly #settings: ValidationSettings
  readonly #server: string
  #loading: Promise<SchemaValidator> | undefined

  constructor(settings: ValidationSettings, server: string) {
    this.#settings = settings
    this.#server = server
  }

  /** Whether results are looked at. */
  get ofResults(): boolean {
    return this.#settings.validate !== 'off'
  }

  /** How arguments are looked at. */
  get ofArguments(): ValidationSettings['validateArguments'] {
    return this.#settings.validateArguments
  }

  /** The whole of the arguments, before a call is sent. @throws ValidationError with reason `mismatch`; nothing was sent. */
  async checkArguments(tool: Tool, args: Readonly<Record<string, unknown>>): Promise<void> {
    // What is checked is what leaves: a date is a text there, and what is undefined is not there.
    const checked = await this.#check(tool.inputSchema, JSON.parse(JSON.stringify(args)))
    if (checked instanceof ValidationError) {
      this.#warn(`the input schema of "${shown(tool)}" cannot be used: ${checked.message}`)
    } else if (!checked.ok) {
      const issues = checked.issues.map((issue) => corrected(issue, tool))
      const message = `the arguments of "${shown(tool)}" do not fit: ${sentences(issues)}`
      throw new ValidationError(message, { reason: 'mismatch', issues }, this.#unsent())
    }
  }

  /** After a call has succeeded. @throws ValidationError in `strict`, with the result: the tool has run. */
  async checkResult(tool: Tool, result: ToolResult): Promise<void> {
    const { outputSchema } = tool
    if (outputSchema === undefined || outputSchema === null) return
    if (!('structuredContent' in result)) {
      this.#violated(tool, result, 'mismatch', 'there is no structuredContent, although the tool has an output schema', [])
      return
    }
    const checked = await this.#check(outputSchema, result.structuredContent)
    if (checked instanceof ValidationError) {
      this.#violated(tool, result, checked.reason, `its output schema cannot be used: ${checked.message}`, checked.issues, checked.limit)
    } else if (!checked.ok) {
      this.#violated(tool, result, 'mismatch', sentences(checked.issues), checked.issues)
    } else if (checked.unchecked !== undefined) {
      const what = `part of its output schema cannot be checked: ${checked.unchecked.join('; ')}`
      if (this.#settings.validate === 'strict') this.#violated(tool, result, 'schema', what, [])
      else this.#warn(`"${shown(tool)}": ${what}`)
    }
  }

  /** Whether what a call cannot do without is there. @throws ValidationError with reason `arguments` that names what is missing; nothing was sent. */
  checkRequired(tool: Tool, args: Readonly<Record<string, unknown>>): void {
    const { required, properties } = tool.inputSchema
    if (!Array.isArray(required)) return
    const missing = required.filter(
      (name): name is string =>
        typeof name === 'string' && (!Object.hasOwn(args, name) || args[name] === undefined) && !hasDefault(properties, name),
    )
    if (missing.length === 0) return
    const known = propertiesOf(tool)
    const unknown = Object.keys(args).filter((name) => !known.includes(name))
    const issues = missing.map((name) => {
      const [near] = closest(name, unknown, 1)
      return {
        path: `/${name}`,
        schemaPath: '/required',
        message: `"${name}" is missing${near === undefined ? '' : `; "${near}" was given`}`,
      }
    })
    throw new ValidationError(
      `the tool "${shown(tool)}" needs more arguments: ${sentences(issues)}`,
      { reason: 'arguments', issues },
      this.#unsent(),
    )
  }

  #unsent(): McpErrorOptions {
    return { server: this.#server, method: TOOLS_CALL, outcome: 'not-run' }
  }

  /** A schema that cannot be used, or not within its limits, is a finding, not an accident. */
  async #check(schema: unknown, value: unknown): Promise<CheckResult | ValidationError> {
    const { checkWhole } = await import('../schema/validator.ts')
    try {
      return await checkWhole((await this.#engine()).compile(schema), value)
    } catch (error) {
      if (error instanceof ValidationError) return error
      throw error
    }
  }

  /** The engine is loaded by the first check. */
  #engine(): Promise<SchemaValidator> {
    this.#loading ??= import('../schema/engine.ts').then(({ schemaValidator }) =>
      schemaValidator({ limits: schemaLimits(this.#settings.limits) }),
    )
    return this.#loading
  }

  #violated(
    tool: Tool,
    result: ToolResult,
    reason: ValidationError['reason'],
    what: string,
    issues: ValidationError['issues'],
    limit?: string,
  ): void {
    const message = `the result of "${shown(tool)}" is not what it promises: ${what}`
    if (this.#settings.validate !== 'strict') {
      this.#warn(message)
      return
    }
    throw new ValidationError(message, { reason, issues, limit, result }, { server: this.#server, method: TOOLS_CALL, outcome: 'answered' })
  }

  #warn(message: string): void {
    this.#settings.logger.warn(`${this.#server}: ${message}`)
  }
}

function schemaLimits({ maxDepth, maxSchemaSteps, maxSubschemas, maxPatternChars, maxPatternMs }: SchemaLimits): SchemaLimits {
  return { maxDepth, maxSchemaSteps, maxSubschemas, maxPatternChars, maxPatternMs }
}

function shown(tool: Tool): string {
  return peerText(tool.name, 128)
}

function sentences(issues: readonly { readonly message: string }[]): string {
  return issues.map((issue) => issue.message).join(', ')
}

/** An argument that the tool does not know, with the one that may be meant. */
function corrected(issue: ValidationIssue, tool: Tool): ValidationIssue {
  if (issue.schemaPath !== '/additionalProperties' && issue.schemaPath !== '/unevaluatedProperties') return issue
  const name = issue.path.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')
  const [near] = closest(name, propertiesOf(tool), 1)
  return near === undefined ? issue : { ...issue, message: `${issue.message}; did you mean "${peerText(near, 128)}"?` }
}

function propertiesOf({ inputSchema: { properties } }: Tool): string[] {
  return isObject(properties) ? Object.keys(properties) : []
}

function hasDefault(properties: unknown, name: string): boolean {
  const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
  return isObject(property) && 'default' in property
}
