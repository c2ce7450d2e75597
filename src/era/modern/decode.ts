import { ProtocolError } from '../../errors.ts'
import type { Params } from '../../jsonrpc/message.ts'
import { PROMPTS_GET, RESOURCES_READ, TOOLS_CALL } from '../../protocol/methods.ts'
import { peerText } from '../../protocol/peer-text.ts'
import type { Extended } from '../era.ts'
import { type InputRequired, inputRequestsOf } from '../input-request.ts'

/** The methods whose answer may be a question. */
const MAY_ASK: ReadonlySet<string> = new Set([TOOLS_CALL, PROMPTS_GET, RESOURCES_READ])

/**
 * An absent `resultType` is complete, an unknown one that no extension brings is an invalid response.
 * @see spec basic/index, basic/patterns/mrtr
 */
export function decode(method: string, result: Params, extended: Extended): InputRequired | undefined {
  const type = result.resultType
  if (type === undefined || type === null || type === 'complete') return undefined
  if (typeof type === 'string' && extended.resultTypes.get(method)?.has(type)) return undefined
  if (type !== 'input_required')
    throw invalid(
      method,
      `has the unknown resultType ${typeof type === 'string' ? peerText(JSON.stringify(type), 100) : `of type ${typeof type}`}`,
    )
  if (!MAY_ASK.has(method)) throw invalid(method, 'asks for input, which is not allowed here')
  const inputRequests = result.inputRequests ?? undefined
  const requestState = result.requestState ?? undefined
  if (inputRequests === undefined && requestState === undefined) throw invalid(method, 'asks for input without saying which')
  if (requestState !== undefined && typeof requestState !== 'string') throw invalid(method, 'has a requestState that is no string')
  const requests = inputRequests === undefined ? {} : inputRequestsOf(inputRequests)
  if (requests === undefined) throw invalid(method, 'has inputRequests that are malformed')
  return {
    requests,
    echo: requestState === undefined ? {} : { requestState },
  }
}

function invalid(method: string, what: string): ProtocolError {
  return new ProtocolError(`the answer to ${method} ${what}`, { outcome: 'answered', method })
}

/** Any string is a cursor, the empty one too. @see spec server/utilities/pagination */
export function endsList(cursor: unknown): boolean {
  return typeof cursor !== 'string'
}
