import { RpcError } from '../errors.ts'
import { isObject } from '../jsonrpc/codec.ts'
import { INVALID_PARAMS } from '../jsonrpc/error-code.ts'
import type { Params } from '../jsonrpc/message.ts'
import type { CreateMessageRequest, ModelPreferences } from '../protocol/types.ts'

/**
 * A server's sampling request as a handler gets it: tool uses and their results fit together, and preferences are what they should be.
 * @throws RpcError that the server is answered with.
 * @see spec client/sampling
 */
export function samplingRequest(params: Params | undefined): CreateMessageRequest {
  if (!isRequest(params)) throw new RpcError(INVALID_PARAMS, 'The request has no messages')
  checkToolResults(params.messages)
  if (!('modelPreferences' in params)) return params
  const { modelPreferences, ...rest } = params
  const preferences = preferencesOf(modelPreferences)
  return preferences === undefined ? rest : { ...rest, modelPreferences: preferences }
}

function isRequest(params: Params | undefined): params is Params & CreateMessageRequest {
  return params !== undefined && Array.isArray(params.messages)
}

/** Results of tools stand alone in a message, and every use has its result in the message behind it. */
function checkToolResults(messages: readonly unknown[]): void {
  let open = new Set<unknown>()
  for (const message of messages) {
    const content = isObject(message) ? message.content : undefined
    const blocks = (Array.isArray(content) ? content : [content]).filter(isObject)
    const results = blocks.filter(({ type }) => type === 'tool_result')
    if (results.length > 0 && results.length < blocks.length) {
      throw new RpcError(INVALID_PARAMS, 'Tool results must not be mixed with other content')
    }
    const answered = new Set(results.map(({ toolUseId }) => toolUseId))
    if (answered.size !== open.size || [...open].some((id) => !answered.has(id))) throw unmatched()
    open = new Set(blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id))
  }
  if (open.size > 0) throw unmatched()
}

function unmatched(): RpcError {
  return new RpcError(INVALID_PARAMS, 'Each tool use needs its result in the next message')
}

/** Hints that have a name, in their order, and priorities from 0 to 1; what is something else is left out. */
function preferencesOf(given: unknown): ModelPreferences | undefined {
  if (!isObject(given)) return undefined
  const { hints, costPriority, speedPriority, intelligencePriority, ...rest } = given
  const preferences: ModelPreferences = rest
  if (Array.isArray(hints)) preferences.hints = hints.filter((hint) => isObject(hint) && typeof hint.name === 'string' && hint.name !== '')
  for (const [name, value] of Object.entries({ costPriority, speedPriority, intelligencePriority })) {
    if (typeof value === 'number' && !Number.isNaN(value)) Object.assign(preferences, { [name]: Math.min(Math.max(value, 0), 1) })
  }
  return preferences
}
