import type { Connection, Transport } from '../transport/transport.ts'
import type { Direction, MessageListener, ObservedMessage } from './interceptor.ts'
import type { Logger } from './logger.ts'

/** The same transport, with every message that crosses it told: handshake, requests, answers and notifications, in order. */
export function observed(transport: Transport, listeners: readonly MessageListener[], server: string, logger: Logger): Transport {
  const about = { server }
  const tell = (message: ObservedMessage, direction: Direction): void => {
    for (const listener of listeners) {
      try {
        listener.onMessage(message, direction, about)
      } catch (error) {
        logger.error(`onMessage threw: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
  return {
    kind: transport.kind,
    label: transport.label,
    ...(transport.identity !== undefined && { identity: transport.identity }),
    get legacyOnly() {
      return transport.legacyOnly ?? false
    },
    async open(inbound, options) {
      // A message may come before the opening is over.
      const outer = new WeakMap<Connection, Connection>()
      const wrap = (connection: Connection): Connection => {
        const known = outer.get(connection) ?? observedConnection(connection, tell)
        outer.set(connection, known)
        return known
      }
      const connection = await transport.open((message, from, during) => {
        tell(message, 'received')
        inbound(message, wrap(from), during)
      }, options)
      return wrap(connection)
    },
  }
}

function observedConnection(connection: Connection, tell: (message: ObservedMessage, direction: Direction) => void): Connection {
  return {
    ownReplyStream: connection.ownReplyStream,
    get lost() {
      return connection.lost
    },
    get closed() {
      return connection.closed
    },
    async exchange(request, options) {
      tell(request, 'sent')
      const answer = await connection.exchange(request, options)
      tell(answer, 'received')
      return answer
    },
    post(message) {
      tell(message, 'sent')
      return connection.post(message)
    },
    abandon: (id, reason) => connection.abandon(id, reason),
    adopt: (terms) => connection.adopt(terms),
    listen: () => connection.listen(),
    close: () => connection.close(),
  }
}
