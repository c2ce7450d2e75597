import { isObject } from '../jsonrpc/codec.ts'
import type { Icon, JSONSchema, Meta, Tool, ToolAnnotations } from '../protocol/types.ts'
import type { ToolCallOptions } from './tool-options.ts'
import type { ToolResult } from './tool-result.ts'

/** Calls a tool by its name; a client and a group are such. `held` is a definition for want of a newer one. */
export interface ToolCaller {
  callTool<Data = unknown>(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: ToolCallOptions<Data>,
    held?: Tool,
  ): Promise<ToolResult<Data>>
}

/** A tool of one server: its definition with the defaults of the specification, and a way to call it. */
export class ToolHandle {
  /** The definition as it came. */
  readonly definition: Tool
  readonly #caller: ToolCaller

  constructor(definition: Tool, caller: ToolCaller) {
    this.definition = definition
    this.#caller = caller
  }

  call<Data = unknown>(args?: Readonly<Record<string, unknown>>, options?: ToolCallOptions<Data>): Promise<ToolResult<Data>> {
    return this.#caller.callTool(this.name, args, options, this.definition)
  }

  get name(): string {
    return this.definition.name
  }

  /** `title`, else the title among the annotations. @see spec server/tools */
  get title(): string | undefined {
    return this.definition.title ?? this.annotations.title
  }

  get description(): string | undefined {
    return this.definition.description
  }

  get inputSchema(): JSONSchema {
    return this.definition.inputSchema
  }

  get outputSchema(): JSONSchema | undefined {
    return this.definition.outputSchema
  }

  get hasStructuredOutput(): boolean {
    return this.definition.outputSchema !== undefined && this.definition.outputSchema !== null
  }

  /** As they came; hints of a server that nobody has to trust. */
  get annotations(): ToolAnnotations {
    return isObject(this.definition.annotations) ? this.definition.annotations : {}
  }

  /** Default false. */
  get readOnlyHint(): boolean {
    return this.annotations.readOnlyHint ?? false
  }

  /** Default true. */
  get destructiveHint(): boolean {
    return this.annotations.destructiveHint ?? true
  }

  /** Default false. */
  get idempotentHint(): boolean {
    return this.annotations.idempotentHint ?? false
  }

  /** Default true. */
  get openWorldHint(): boolean {
    return this.annotations.openWorldHint ?? true
  }

  /** Neither read-only nor declared harmless: ask a person first. A server's own `requiresConfirmation` counts. */
  get requiresConfirmation(): boolean {
    const { annotations } = this
    if ('requiresConfirmation' in annotations && annotations.requiresConfirmation === true) return true
    return !this.readOnlyHint && this.destructiveHint
  }

  /** Whether a call may or must run as a task. @see spec 2025-11-25 basic/utilities/tasks */
  get taskSupport(): 'forbidden' | 'optional' | 'required' {
    return this.definition.execution?.taskSupport ?? 'forbidden'
  }

  get supportsTask(): boolean {
    return this.taskSupport !== 'forbidden'
  }

  get icons(): Icon[] | undefined {
    return this.definition.icons
  }

  /** `_meta` of the definition. */
  get meta(): Meta | undefined {
    return this.definition._meta
  }
}
