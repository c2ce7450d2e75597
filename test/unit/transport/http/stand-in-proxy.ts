import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Identity } from './certificates.ts'
import { cleanUp } from './stand-in.ts'

export interface ProxySettings {
  /** `user:password` that it wants. */
  readonly credentials?: string
  /** Answers a CONNECT with these bytes, or with nothing at all, instead of connecting. */
  readonly answer?: string | ((socket: Socket) => void)
  /** It speaks TLS itself. */
  readonly identity?: Identity
}

export interface StandInProxy {
  /** Without credentials. */
  readonly url: string
  readonly host: string
  /** What it was asked, as `METHOD target`. */
  readonly asked: string[]
  readonly headers: IncomingMessage['headers'][]
  /** Connections from clients. */
  readonly sockets: Set<Socket>
}

/** A proxy that forwards and tunnels. Every name leads to the loopback, so that a name nobody can resolve is reached through it alone. */
export async function serveProxy(settings: ProxySettings = {}): Promise<StandInProxy> {
  const { credentials, identity } = settings
  const asked: string[] = []
  const headers: IncomingMessage['headers'][] = []
  const sockets = new Set<Socket>()
  const onward = new Set<Socket>()
  const refused = (req: IncomingMessage): boolean => {
    asked.push(`${req.method} ${req.url}`)
    headers.push(req.headers)
    const given = req.headers['proxy-authorization']
    return credentials !== undefined && given !== `Basic ${Buffer.from(credentials).toString('base64')}`
  }
  const forward = (req: IncomingMessage, res: ServerResponse): void => {
    if (refused(req)) return void res.writeHead(407, { 'Proxy-Authenticate': 'Basic realm="test"' }).end('who are you?')
    const target = new URL(req.url ?? '')
    const { 'proxy-authorization': _mine, ...rest } = req.headers
    const passed = request(
      { host: '127.0.0.1', port: target.port, path: target.pathname + target.search, method: req.method, headers: rest },
      (reply) => {
        res.writeHead(reply.statusCode ?? 0, reply.headers)
        reply.pipe(res)
      },
    )
    passed.on('error', () => res.writeHead(502).end())
    req.pipe(passed)
  }
  const server = identity === undefined ? createServer(forward) : createTlsServer({ ...identity }, forward)
  server.on('connect', (req: IncomingMessage, socket: Socket) => {
    socket.resume()
    socket.on('end', () => socket.end())
    socket.on('error', () => {})
    if (refused(req)) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\nwho are you?')
    if (typeof settings.answer === 'string') return void socket.end(settings.answer)
    if (settings.answer !== undefined) return settings.answer(socket)
    const port = Number(/:(\d+)$/.exec(req.url ?? '')?.[1])
    const there = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      there.pipe(socket).pipe(there)
    })
    onward.add(there)
    there.on('error', () => void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
    socket.on('close', () => there.destroy())
    there.on('close', () => {
      onward.delete(there)
      socket.destroy()
    })
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(async () => {
    for (const socket of [...sockets, ...onward]) socket.destroy()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: `${identity === undefined ? 'http' : 'https'}://${host}`, host, asked, headers, sockets }
}
