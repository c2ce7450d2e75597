import { RpcError } from '../errors.ts'
import { isObject } from '../jsonrpc/codec.ts'
import { INVALID_PARAMS } from '../jsonrpc/error-code.ts'
import type { Params } from '../jsonrpc/message.ts'
import { USER_REJECTED } from '../protocol/error-code.ts'
import { SAMPLING_CREATE } from '../protocol/methods.ts'
import type { CreateMessageRequest, CreateMessageResult } from '../protocol/types.ts'
import type { HandlerContext, RequestHandler } from '../session/inbound.ts'
import { samplingRequest } from './sampling-request.ts'

/** What a sampling handler may return: text, or a result of which `role`, `model` and `stopReason` may be left out. `undefined` refuses. */
export type SamplingAnswer = string | (Pick<CreateMessageResult, 'content'> & Partial<CreateMessageResult>) | undefined

export type CreateMessage = (request: CreateMessageRequest, context: HandlerContext) => SamplingAnswer | Promise<SamplingAnswer>

/** A function, or an object that also accepts tools. */
export type SamplingHandler = CreateMessage | { readonly createMessage: CreateMessage; readonly tools?: boolean }

/** Answers `sampling/createMessage` in both eras. @see spec client/sampling */
export function samplingHandler(given: SamplingHandler): RequestHandler {
  const { createMessage, tools = false } = typeof given === 'function' ? { createMessage: given } : given
  return {
    method: SAMPLING_CREATE,
    capability: { sampling: tools ? { tools: {} } : {} },
    async handle(params, context) {
      const request = samplingRequest(params)
      if (!tools && ((request.tools ?? undefined) !== undefined || (request.toolChoice ?? undefined) !== undefined)) {
        throw new RpcError(INVALID_PARAMS, 'Tools in sampling were not declared')
      }
      return completed(await createMessage(request, context))
    },
  }
}

function completed(answer: SamplingAnswer): Params {
  if (answer === undefined || answer === null) throw new RpcError(USER_REJECTED, 'User rejected sampling request')
  const given: Partial<CreateMessageResult> & Pick<CreateMessageResult, 'content'> =
    typeof answer === 'string' ? { content: { type: 'text', text: answer } } : answer
  const blocks = Array.isArray(given.content) ? given.content : [given.content]
  const stopReason = blocks.some((block) => isObject(block) && block.type === 'tool_use') ? 'toolUse' : 'endTurn'
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return { role: 'assistant', model: 'unknown', stopReason, ...present }
}
