import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Json } from './counting-server.ts'

export interface Listening {
  readonly port: number
  close(): Promise<void>
}

export const JSON_TYPE = { 'content-type': 'application/json' }
export const EVENT_TYPE = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }

/** An HTTP server on a free port of this machine, given whole requests. A client that breaks off breaks nothing. */
export async function listening(take: (request: IncomingMessage, response: ServerResponse, body: string) => void): Promise<Listening> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    response.on('error', () => {})
    request.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => take(request, response, Buffer.concat(chunks).toString()))
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

export function refuse(response: ServerResponse, status: number, error: Json): void {
  response.writeHead(status, JSON_TYPE).end(JSON.stringify(error))
}
