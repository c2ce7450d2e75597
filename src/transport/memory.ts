import type { CloseReason } from '../errors.ts'
import { type PipeEnd, pipeConnection } from './pipe-connection.ts'
import { receiveText } from './receive-text.ts'
import type { Transport } from './transport.ts'

/** A server in this process. It speaks lines of JSON like a server process does, without the process. */
export interface InProcessServer {
  /** What the server is called in errors. */
  readonly name: string
  /** Starts one conversation. `send` takes one JSON text per message; `end` says that the server closed. */
  connect(send: (line: string) => void, end: () => void): InProcessSession
}

export interface InProcessSession {
  /** Takes one JSON text per message. */
  receive(line: string): void
  close(): void
}

/** Reaches a server in this process. Messages cross as JSON text, so that both sides see what a wire would carry. */
export function memoryTransport(server: InProcessServer): Transport {
  return {
    kind: 'memory',
    label: server.name,
    async open(inbound, options) {
      let session: InProcessSession | undefined
      let pipe: PipeEnd | undefined
      const finish = (reason: CloseReason): void => {
        session?.close()
        session = undefined
        pipe?.fail(reason)
      }
      pipe = pipeConnection(
        {
          write(message) {
            const line = JSON.stringify(message)
            queueMicrotask(() => session?.receive(line))
          },
          async close() {
            finish({ kind: 'closed', message: `the connection to ${server.name} was closed` })
          },
        },
        inbound,
        options,
      )
      const end = pipe
      session = server.connect(
        (line) => queueMicrotask(() => receiveText(line, end, options)),
        () => finish({ kind: 'stream', message: `${server.name} closed the connection` }),
      )
      return pipe.connection
    },
  }
}
