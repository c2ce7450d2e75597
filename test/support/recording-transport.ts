import type { Connection, Transport } from '../../src/transport/transport.ts'
import type { Message } from './fake-server.ts'

/** One message that crossed, in order. */
export interface Crossed {
  readonly direction: 'sent' | 'received'
  readonly message: Message
}

/** The same transport, with everything that crosses it kept. */
export function recording(transport: Transport): { readonly transport: Transport; readonly crossed: Crossed[] } {
  const crossed: Crossed[] = []
  const keep = (direction: Crossed['direction'], message: unknown): void => {
    crossed.push({ direction, message: JSON.parse(JSON.stringify(message)) as Message })
  }
  return {
    crossed,
    transport: {
      ...transport,
      async open(inbound, options) {
        const wrapped = new Map<Connection, Connection>()
        const wrap = (connection: Connection): Connection => {
          const known = wrapped.get(connection)
          if (known !== undefined) return known
          const outer: Connection = {
            ownReplyStream: connection.ownReplyStream,
            lost: connection.lost,
            closed: connection.closed,
            async exchange(request, exchangeOptions) {
              keep('sent', request)
              const answer = await connection.exchange(request, exchangeOptions)
              keep('received', answer)
              return answer
            },
            abandon: (id, reason) => connection.abandon(id, reason),
            post(message) {
              keep('sent', message)
              return connection.post(message)
            },
            adopt: (terms) => connection.adopt(terms),
            listen: () => connection.listen(),
            close: () => connection.close(),
          }
          wrapped.set(connection, outer)
          return outer
        }
        const opened = await transport.open((message, from, during) => {
          keep('received', message)
          inbound(message, wrap(from), during)
        }, options)
        return wrap(opened)
      },
    },
  }
}
