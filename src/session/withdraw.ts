import type { Era } from '../era/era.ts'
import type { RequestId } from '../jsonrpc/message.ts'
import type { Connection } from '../transport/transport.ts'

/** A request that is on the wire. */
export interface OnTheWire {
  readonly id: RequestId
  readonly method: string
  readonly connection: Connection
  /** Undefined while none is agreed: then nothing is told. */
  readonly era: Era | undefined
}

/** Stops waiting for an answer and tells the server in the way of its era. `untold` hears of it when the server could not be told. */
export function withdraw({ id, method, connection, era }: OnTheWire, reason: unknown, why: string, untold: () => void): void {
  const notice = era?.cancel(id, method, why, connection.ownReplyStream)
  // Told first: the cut reply stream of an older revision means nothing by itself.
  if (notice !== undefined) connection.post(notice).catch(untold)
  connection.abandon(id, reason)
}
