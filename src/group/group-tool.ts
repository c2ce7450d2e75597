import { type ToolCaller, ToolHandle } from '../features/tool-handle.ts'
import type { Tool } from '../protocol/types.ts'

/** A tool of one server of a group. Its calls go to that server, whatever others call theirs. */
export class GroupToolHandle extends ToolHandle {
  /** The server's name in the group. */
  readonly server: string
  readonly #name: string

  /** @param name What the group calls it. */
  constructor(definition: Tool, caller: ToolCaller, server: string, name: string) {
    super(definition, caller)
    this.server = server
    this.#name = name
  }

  /** What the group calls it; `definition.name` is what its server does. */
  override get name(): string {
    return this.#name
  }
}
