import { ValidationError } from '../errors.ts'
import { isObject } from '../jsonrpc/codec.ts'
import { TOOLS_CALL } from '../protocol/methods.ts'
import type { Tool } from '../protocol/types.ts'
import type { Logger } from '../session/logger.ts'
import { closest } from './closest.ts'
import type { ToolResult } from './tool-result.ts'

export interface ValidationSettings {
  /** Structured results against their output schema: warn, refuse, or do not look. */
  readonly validate: 'warn' | 'strict' | 'off'
  /** Arguments before they are sent: only that required ones are there, against the whole input schema, or not at all. */
  readonly validateArguments: 'required' | 'full' | 'off'
  readonly logger: Logger
}

/** Checks arguments before they leave and structured results when they come. */
export class ToolValidation {
  readonly #settings: ValidationSettings
  readonly #server: string

  constructor(settings: ValidationSettings, server: string) {
    this.#settings = settings
    this.#server = server
  }

  get active(): boolean {
    return this.#settings.validate !== 'off'
  }

  /** @throws ValidationError with reason `arguments` that names what is missing; nothing was sent. */
  checkArguments(tool: Tool, args: Readonly<Record<string, unknown>>): void {
    if (this.#settings.validateArguments === 'off') return
    const { required, properties } = tool.inputSchema
    if (!Array.isArray(required)) return
    const missing = required.filter(
      (name): name is string => typeof name === 'string' && !Object.hasOwn(args, name) && !hasDefault(properties, name),
    )
    if (missing.length === 0) return
    const unknown = Object.keys(args).filter((name) => !isObject(properties) || !Object.hasOwn(properties, name))
    const issues = missing.map((name) => {
      const [near] = closest(name, unknown, 1)
      return {
        path: `/${name}`,
        schemaPath: '/required',
        message: `"${name}" is missing${near === undefined ? '' : `; "${near}" was given`}`,
      }
    })
    throw new ValidationError(
      `the tool "${tool.name}" needs more arguments: ${issues.map((issue) => issue.message).join(', ')}`,
      { reason: 'arguments', issues },
      { server: this.#server, method: TOOLS_CALL, outcome: 'not-run' },
    )
  }

  /** @throws ValidationError in `strict`, with the result: the tool has run. */
  async checkResult(_tool: Tool, _result: ToolResult): Promise<void> {}
}

function hasDefault(properties: unknown, name: string): boolean {
  const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
  return isObject(property) && 'default' in property
}
