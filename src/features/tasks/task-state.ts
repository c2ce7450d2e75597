import type { TaskState } from '../../era/task-dialect.ts'
import { RpcError, TaskError } from '../../errors.ts'
import { INVALID_PARAMS } from '../../jsonrpc/error-code.ts'
import { peerText } from '../../protocol/peer-text.ts'
import type { TaskStatus } from '../../protocol/types.ts'

/** The task is over and its state does not change any more. */
export function isTerminal(status: TaskStatus | undefined): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled'
}

/** The time that the server keeps a task has passed, as far as this machine's clock can tell. */
export function isExpired(state: TaskState | undefined): boolean {
  if (state?.createdAt === undefined || typeof state.ttlMs !== 'number') return false
  return Date.parse(state.createdAt) + state.ttlMs <= Date.now()
}

/** What the refusal of a task's id means; any other error is what it was. By its code, as servers word it as they like. */
export function taskError(error: unknown, id: string, state: TaskState | undefined, server: string): unknown {
  if (!(error instanceof RpcError) || error.rpcCode !== INVALID_PARAMS) return error
  const about = { server, method: error.method, outcome: error.outcome, cause: error }
  return isExpired(state)
    ? new TaskError(`the task ${shown(id)} has expired`, 'expired', about)
    : new TaskError(`the server knows no task ${shown(id)}`, 'not-found', about)
}

/** The error for a task that ended without a result. */
export function endError(state: TaskState, reason: 'failed' | 'cancelled', server: string, cause?: unknown): TaskError {
  const why = state.statusMessage ?? (cause instanceof Error ? cause.message : undefined)
  const said = why === undefined ? '' : `: ${peerText(why, MAX_REASON_CHARS)}`
  return new TaskError(`the task ${shown(state.id)} ${reason === 'failed' ? 'failed' : 'was cancelled'}${said}`, reason, {
    server,
    outcome: 'answered',
    cause,
  })
}

export function shown(id: string): string {
  return peerText(JSON.stringify(id), MAX_ID_CHARS)
}

const MAX_REASON_CHARS = 1_000
const MAX_ID_CHARS = 128
