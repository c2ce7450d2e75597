import type { LogLine, Progress } from '../protocol/types.ts'
import type { RequestOptions } from '../session/request-options.ts'
import type { ResultOptions } from './result-options.ts'
import type { Task } from './tasks/task.ts'
import type { ToolResult } from './tool-result.ts'

/** Options of a tool call. */
export interface ToolCallOptions<Data = unknown> extends RequestOptions, ResultOptions<Data> {
  /** Whether this call may run twice when its outcome is unknown. Default: the client's `resend`. */
  resend?: 'never' | 'read-only' | 'idempotent' | 'always' | undefined
  /** Gets the task, when the call runs as one, at its beginning and at each change of its state. */
  onStatus?: ((task: Task<Data>) => void) | undefined
}

/** What happens while a tool runs, in order; the last event is the result. Log lines are those that `onLog` gets. */
export type ToolEvent<Data = unknown> =
  | ({ type: 'progress' } & Progress)
  | ({ type: 'log' } & LogLine)
  | { type: 'status'; task: Task<Data> }
  | { type: 'result'; result: ToolResult<Data> }

/** Finds a tool: by its exact name, by a pattern, or by a condition. */
export type ToolQuery = string | RegExp | ((tool: { readonly name: string }) => boolean)
