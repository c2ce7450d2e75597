import type { Progress } from '../protocol/types.ts'
import type { RequestOptions } from '../session/request-options.ts'
import type { StandardSchema } from './standard-schema.ts'
import type { ToolResult } from './tool-result.ts'

/** How a result is handed out. */
export interface ResultOptions<Data = unknown> {
  /** A tool that failed rejects with `ToolError` instead of resolving with an error result. Default: the client's. */
  throwOnToolError?: boolean | undefined
  /**
   * Types and parses `data`: a schema of Zod, Valibot, ArkType or any other with the common interface. What does not fit rejects with
   * `ValidationError`, which holds the `result`. The `data` of a failed tool's result is then undefined.
   */
  output?: StandardSchema<Data> | undefined
}

/** Options of a tool call. */
export interface ToolCallOptions<Data = unknown> extends RequestOptions, ResultOptions<Data> {
  /** Whether this call may run twice when its outcome is unknown. Default: the client's `resend`. */
  resend?: 'never' | 'read-only' | 'idempotent' | 'always' | undefined
}

/** What happens while a tool runs, in order; the last event is the result. */
export type ToolEvent<Data = unknown> = ({ type: 'progress' } & Progress) | { type: 'result'; result: ToolResult<Data> }

/** Finds a tool: by its exact name, by a pattern, or by a condition. */
export type ToolQuery = string | RegExp | ((tool: { readonly name: string }) => boolean)
