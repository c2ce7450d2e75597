import { isObject } from '../jsonrpc/codec.ts'
import type { Tool, ToolAnnotations } from '../protocol/types.ts'
import { bounded } from '../session/bounded.ts'

/** A tool call that waits to be approved. */
export interface ApprovalRequest {
  /** The server's name in the group. */
  readonly server: string
  /** The server's own name for the tool. */
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** As the server gives them: hints that nobody has to trust. */
  readonly annotations: ToolAnnotations
  /** Undefined for a tool that the server does not list. */
  readonly definition: Tool | undefined
}

/** Says whether a call may go out. Anything but `true` refuses it; what it throws is what the call rejects with. */
export type Approve = (request: ApprovalRequest, context: { readonly signal: AbortSignal | undefined }) => boolean | Promise<boolean>

export async function isApproved(approve: Approve, request: ApprovalRequest, signal: AbortSignal | undefined): Promise<boolean> {
  return (await bounded(Promise.resolve(approve(request, { signal })), [signal])) === true
}

export function annotationsOf(definition: Tool | undefined): ToolAnnotations {
  return isObject(definition?.annotations) ? definition.annotations : {}
}
