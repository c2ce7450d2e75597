import { memoryTransport } from '../../src/transport/memory.ts'
import type { Connection, ExchangeOptions, Transport } from '../../src/transport/transport.ts'
import type { FakeServer, Message } from './fake-server.ts'

/**
 * Reaches a server as HTTP does: each exchange has a reply stream of its own. A message of the server belongs to the exchange that its
 * member `during` names, which is taken off.
 */
export function ownStreams(server: FakeServer): {
  readonly transport: Transport
  readonly options: Map<unknown, ExchangeOptions | undefined>
  readonly abandoned: unknown[]
  readonly listens: () => number
} {
  const inner = memoryTransport(server)
  const options = new Map<unknown, ExchangeOptions | undefined>()
  const abandoned: unknown[] = []
  let listens = 0
  return {
    options,
    abandoned,
    listens: () => listens,
    transport: {
      ...inner,
      kind: 'streams',
      async open(inbound, openOptions) {
        let outer: Connection | undefined
        const connection = await inner.open((message) => {
          const { during, ...rest } = message as unknown as Message
          if (outer !== undefined) inbound(rest as unknown as typeof message, outer, during as number | undefined)
        }, openOptions)
        outer = {
          ...connection,
          ownReplyStream: true,
          exchange(request, exchangeOptions) {
            options.set(request.id, exchangeOptions)
            return connection.exchange(request, exchangeOptions)
          },
          abandon(id, reason) {
            abandoned.push(id)
            connection.abandon(id, reason)
          },
          listen() {
            listens++
          },
        }
        return outer
      },
    },
  }
}
