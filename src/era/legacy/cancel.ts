import type { JSONRPCNotification, RequestId } from '../../jsonrpc/message.ts'
import { CANCELLED } from '../../protocol/methods.ts'

/** A notification on every transport: a closed stream is not a cancellation here, and `initialize` is never cancelled. */
export function cancel(id: RequestId, method: string, reason: string): JSONRPCNotification | undefined {
  return method === 'initialize' ? undefined : { jsonrpc: '2.0', method: CANCELLED, params: { requestId: id, reason } }
}
