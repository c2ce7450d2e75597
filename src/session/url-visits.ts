import { isObject } from '../jsonrpc/codec.ts'
import type { Params } from '../jsonrpc/message.ts'
import { ELICITATION_CREATE } from '../protocol/methods.ts'
import type { Inbound } from './inbound.ts'
import { answerInputs } from './input-required.ts'

/** Pages that one call may demand. */
export const MAX_VISITS = 10

/**
 * Has the person asked about each page that a server demands before it runs a call; true when all were consented to.
 * @param data What the error `-32042` carries.
 * @see spec 2025-11-25 client/elicitation
 */
export async function visited(data: unknown, inbound: Inbound, signals: readonly (AbortSignal | undefined)[]): Promise<boolean> {
  const asked = isObject(data) && Array.isArray(data.elicitations) ? data.elicitations.filter(isObject) : []
  if (asked.length === 0 || asked.length > MAX_VISITS || !inbound.has(ELICITATION_CREATE)) return false
  const requests = Object.fromEntries(asked.map((params, index) => [index, { method: ELICITATION_CREATE, params: asUrl(params) }]))
  const { inputResponses } = await answerInputs({ requests, echo: {} }, inbound, signals, 1)
  return isObject(inputResponses) && Object.values(inputResponses).every((answer) => isObject(answer) && answer.action === 'accept')
}

function asUrl(params: Params): Params {
  return { ...params, mode: 'url' }
}
