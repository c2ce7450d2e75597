import { isObject } from '../../jsonrpc/codec.ts'
import type { Params } from '../../jsonrpc/message.ts'
import type { TaskDialect, TaskState } from '../task-dialect.ts'
import { taskFields } from '../task-fields.ts'

const NAMES = { ttl: 'ttl', pollInterval: 'pollInterval' }

/** Tasks as a part of the protocol: the client asks for one, and its result is a request of its own. @see spec 2025-11-25 basic/utilities/tasks */
const TASKS: TaskDialect = {
  refusal: ({ tasks }) =>
    tasks?.requests?.tools?.call === undefined ? 'the server did not declare the capability "tasks.requests.tools.call"' : undefined,
  wish: (ttlMs) => ({ task: ttlMs === undefined ? {} : { ttl: ttlMs } }),
  created: ({ task }) => (isObject(task) ? taskFields(task, NAMES) : undefined),
  state: (value) => stateOf(isObject(value) && isObject(value.task) ? value.task : value),
  notification: 'notifications/tasks/status',
  listenField: undefined,
  resultMethod: 'tasks/result',
  ofQuestions: true,
  lists: ({ tasks }) => tasks?.list !== undefined,
  cancels: ({ tasks }) => tasks?.cancel !== undefined,
}

function stateOf(value: unknown): TaskState | undefined {
  return taskFields(value, NAMES)
}

/** Only one revision has them. */
export function tasksOf(version: string): TaskDialect | undefined {
  return hasTasks(version) ? TASKS : undefined
}

/** What is declared to a server of this revision. */
export function capabilitiesFor<Capabilities extends { readonly tasks?: object | undefined }>(
  capabilities: Capabilities,
  version: string,
): Params {
  const { tasks, ...rest } = capabilities
  return tasks !== undefined && hasTasks(version) ? { ...rest, tasks } : rest
}

function hasTasks(version: string): boolean {
  return version >= '2025-11-25'
}
