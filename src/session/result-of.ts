import { answerError } from '../era/answer-error.ts'
import type { Era } from '../era/era.ts'
import { ProtocolError } from '../errors.ts'
import { isErrorResponse, isObject } from '../jsonrpc/codec.ts'
import type { Params } from '../jsonrpc/message.ts'
import type { Answer } from '../transport/transport.ts'

/** The result in an answer; an error in it is thrown. */
export function resultOf(answer: Answer, method: string, era: Era): Params {
  if (isErrorResponse(answer)) throw answerError(answer, method)
  if (isObject(answer.result)) return answer.result
  // Any result is a pong.
  if (method === era.ping) return {}
  throw new ProtocolError(`the result of ${method} is no object`, { outcome: 'answered' })
}
