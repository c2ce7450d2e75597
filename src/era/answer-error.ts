import { type Outcome, RpcError } from '../errors.ts'
import { METHOD_NOT_FOUND } from '../jsonrpc/error-code.ts'
import type { JSONRPCErrorResponse } from '../jsonrpc/message.ts'
import {
  HEADER_MISMATCH,
  MISSING_CLIENT_CAPABILITY,
  UNSUPPORTED_PROTOCOL_VERSION,
  URL_ELICITATION_REQUIRED,
} from '../protocol/error-code.ts'
import { peerText } from '../protocol/peer-text.ts'
import type { Answer } from '../transport/transport.ts'

const MAX_MESSAGE_CHARS = 1_000

/** Codes that say that the request was refused before it ran. */
const REFUSALS: ReadonlySet<number> = new Set([
  METHOD_NOT_FOUND,
  HEADER_MISMATCH,
  MISSING_CLIENT_CAPABILITY,
  UNSUPPORTED_PROTOCOL_VERSION,
  URL_ELICITATION_REQUIRED,
])

/** HTTP statuses that say the same. */
const REFUSING_STATUSES: ReadonlySet<number> = new Set([401, 403, 405, 406, 413, 415, 429])

/** The error of an answer, typed. */
export function answerError(answer: Answer & JSONRPCErrorResponse, method: string): RpcError {
  const { code, message, data } = answer.error
  return new RpcError(code, peerText(message, MAX_MESSAGE_CHARS), data, {
    method,
    status: answer.status,
    retryAfterMs: answer.retryAfterMs,
    retryable: answer.status === 429 || answer.status === 503,
    outcome: outcomeOf(code, answer.status),
  })
}

function outcomeOf(code: number, status: number | undefined): Outcome {
  return REFUSALS.has(code) || (status !== undefined && REFUSING_STATUSES.has(status)) ? 'not-run' : 'answered'
}
