import { isErrorObject, isObject } from '../../jsonrpc/codec.ts'
import type { Params } from '../../jsonrpc/message.ts'
import { TASKS_EXTENSION } from '../../protocol/extension-ids.ts'
import { inputRequestsOf } from '../input-request.ts'
import type { TaskDialect, TaskState } from '../task-dialect.ts'
import { taskFields } from '../task-fields.ts'

/** Tasks as an extension: the server decides, and the state of a task holds its questions and its end. @see spec Tasks extension */
export const tasks: TaskDialect = {
  refusal({ extensions }, own) {
    if (!Object.hasOwn(own, TASKS_EXTENSION))
      return `the extension ${TASKS_EXTENSION} is off; connect with extensions: ['${TASKS_EXTENSION}']`
    return isObject(extensions?.[TASKS_EXTENSION]) ? undefined : `the server does not declare the extension ${TASKS_EXTENSION}`
  },
  wish: undefined,
  created: (result) => (result.resultType === 'task' ? stateOf(result) : undefined),
  state: stateOf,
  notification: 'notifications/tasks',
  listenField: 'taskIds',
  resultMethod: undefined,
  ofQuestions: false,
  lists: () => false,
  cancels: () => true,
}

function stateOf(value: unknown): TaskState | undefined {
  const state = taskFields(value, { ttl: 'ttlMs', pollInterval: 'pollIntervalMs' })
  if (state === undefined || !isObject(value)) return undefined
  if (state.status === 'input_required') {
    // The answer that makes a task need not say yet what it waits for.
    const inputRequests = value.inputRequests === undefined ? undefined : inputRequestsOf(value.inputRequests)
    return value.inputRequests === undefined || inputRequests !== undefined ? { ...state, inputRequests } : undefined
  }
  return { ...state, outcome: outcomeOf(state, value) }
}

function outcomeOf({ status }: TaskState, { result, error }: Params): TaskState['outcome'] {
  if (status === 'completed' && isObject(result)) return { result }
  return status === 'failed' && isErrorObject(error) ? { error } : undefined
}
