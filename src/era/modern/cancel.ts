import type { JSONRPCNotification, RequestId } from '../../jsonrpc/message.ts'
import { CANCELLED } from '../../protocol/methods.ts'

/** A closed reply stream says it; a shared channel needs the notification. @see spec basic/patterns/cancellation */
export function cancel(id: RequestId, _method: string, reason: string, ownReplyStream: boolean): JSONRPCNotification | undefined {
  return ownReplyStream ? undefined : { jsonrpc: '2.0', method: CANCELLED, params: { requestId: id, reason } }
}
