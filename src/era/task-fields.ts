import { isObject } from '../jsonrpc/codec.ts'
import type { Params } from '../jsonrpc/message.ts'
import type { TaskStatus } from '../protocol/types.ts'
import type { TaskState } from './task-dialect.ts'

const STATUSES: ReadonlySet<unknown> = new Set<TaskStatus>(['working', 'input_required', 'completed', 'failed', 'cancelled'])

/** A task as both eras write it, but for the names of two fields. Undefined when it has no id, or a status that does not exist. */
export function taskFields(value: unknown, names: { readonly ttl: string; readonly pollInterval: string }): TaskState | undefined {
  if (!isObject(value) || typeof value.taskId !== 'string' || !isStatus(value.status)) return undefined
  const ttl = value[names.ttl]
  const pollInterval = value[names.pollInterval]
  return {
    id: value.taskId,
    status: value.status,
    statusMessage: text(value, 'statusMessage'),
    createdAt: text(value, 'createdAt'),
    lastUpdatedAt: text(value, 'lastUpdatedAt'),
    ttlMs: ttl === null ? null : positive(ttl),
    pollIntervalMs: positive(pollInterval),
  }
}

function isStatus(value: unknown): value is TaskStatus {
  return STATUSES.has(value)
}

function text(value: Params, key: string): string | undefined {
  const field = value[key]
  return typeof field === 'string' ? field : undefined
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined
}
