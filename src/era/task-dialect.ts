import type { JSONRPCErrorObject, Params } from '../jsonrpc/message.ts'
import type { ServerCapabilities, TaskStatus } from '../protocol/types.ts'
import type { InputRequest } from './input-request.ts'

/** What a server says of a task at one moment. */
export interface TaskState {
  readonly id: string
  readonly status: TaskStatus
  readonly statusMessage: string | undefined
  readonly createdAt: string | undefined
  readonly lastUpdatedAt: string | undefined
  /** Null when it is kept without limit. */
  readonly ttlMs: number | null | undefined
  readonly pollIntervalMs: number | undefined
  /** What the task waits for, where the state says so. */
  readonly inputRequests?: Readonly<Record<string, InputRequest>> | undefined
  /** How it ended, where the state says so. */
  readonly outcome?: TaskOutcome | undefined
}

export type TaskOutcome = { readonly result: Params } | { readonly error: JSONRPCErrorObject }

/** How one revision speaks of tasks. */
export interface TaskDialect {
  /** Why the server runs no tool as a task, or undefined. `extensions` are those that the client turned on. */
  refusal(capabilities: ServerCapabilities, extensions: Readonly<Record<string, object>>): string | undefined
  /** The parameter with which a call asks for a task; undefined where the server alone decides. */
  readonly wish: ((ttlMs: number | undefined) => Params) | undefined
  /** The task that an answer to `tools/call` is, or undefined. */
  created(result: Params): TaskState | undefined
  /** The state in an answer to `tasks/get`, an entry of a list or a notification; undefined when it is malformed. */
  state(value: unknown): TaskState | undefined
  /** The notification that tells of a new state, and the field of a listen stream that asks for it where it must be asked for. */
  readonly notification: string
  readonly listenField: string | undefined
  /** The request that waits for the result and brings it, while the server asks its questions; undefined where the state brings all that. */
  readonly resultMethod: string | undefined
  /** The server may ask its questions as tasks, too. */
  readonly ofQuestions: boolean
  /** Whether the server has a list of tasks. */
  lists(capabilities: ServerCapabilities): boolean
  cancels(capabilities: ServerCapabilities): boolean
}
