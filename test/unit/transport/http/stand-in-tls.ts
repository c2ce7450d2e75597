import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { cleanUp, type Respond, type Seen } from './stand-in.ts'

/** The same as `serve`, with TLS. Gives the port, as the name of the host is the test's. */
export async function serveTls(options: ServerOptions, respond: Respond): Promise<{ port: number; sockets: Set<Socket>; seen: Seen[] }> {
  const sockets = new Set<Socket>()
  const seen: Seen[] = []
  const server = createServer(options, (req, res) => {
    let body = ''
    req.on('data', (part: Buffer) => {
      body += part.toString()
    })
    req.on('end', () => {
      const message = body === '' ? undefined : (JSON.parse(body) as Seen['message'])
      const one = { method: req.method ?? '', url: req.url ?? '', headers: req.headers, body, message, socket: req.socket }
      seen.push(one)
      void respond(one, res)
    })
  })
  server.on('secureConnection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return { port: (server.address() as AddressInfo).port, sockets, seen }
}
