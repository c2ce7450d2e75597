import type { JSONRPCErrorResponse } from '../../jsonrpc/message.ts'

/**
 * Whether a 400 says that the server does not know the session, which many servers answer instead of 404. An error about the method or
 * its params that happens to hold the word is not one: the request was understood.
 */
export function namesSession(rpc: JSONRPCErrorResponse | undefined, body: string): boolean {
  // The error page of a gateway may name anything.
  if (rpc === undefined) return !body.trimStart().startsWith('<') && /session/i.test(body.slice(0, MAX_SEARCHED_CHARS))
  return !ABOUT_THE_CALL.has(rpc.error.code) && /session/i.test(rpc.error.message.slice(0, MAX_SEARCHED_CHARS))
}

const MAX_SEARCHED_CHARS = 2_000
// Method not found, invalid params, internal error.
const ABOUT_THE_CALL: ReadonlySet<number> = new Set([-32601, -32602, -32603])

/** The longest session id that is kept; a longer one would fill the headers of every request. */
const MAX_SESSION_ID_CHARS = 4_096

/** Session ids are visible ASCII. @see spec 2025-11-25 basic/transports#session-management */
export function isSessionId(value: string): boolean {
  return value.length <= MAX_SESSION_ID_CHARS && /^[\x21-\x7e]+$/.test(value)
}
