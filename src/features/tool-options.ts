import type { Progress } from '../protocol/types.ts'
import type { RequestOptions } from '../session/request-options.ts'
import type { ToolResult } from './tool-result.ts'

/** Options of a tool call. */
export interface ToolCallOptions extends RequestOptions {
  /** A tool that failed rejects with `ToolError` instead of resolving with an error result. Default: the client's. */
  throwOnToolError?: boolean | undefined
  /** Whether this call may run twice when its outcome is unknown. Default: the client's `resend`. */
  resend?: 'never' | 'read-only' | 'idempotent' | 'always' | undefined
}

/** What happens while a tool runs, in order; the last event is the result. */
export type ToolEvent = ({ type: 'progress' } & Progress) | { type: 'result'; result: ToolResult }

/** Finds a tool: by its exact name, by a pattern, or by a condition. */
export type ToolQuery = string | RegExp | ((tool: { readonly name: string }) => boolean)
