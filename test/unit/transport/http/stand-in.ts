import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { afterEach } from 'vitest'
import type { JSONRPCRequest, RequestId } from '../../../../src/jsonrpc/message.ts'
import { type Limits, limitsOf } from '../../../../src/limits.ts'
import { httpTransport } from '../../../../src/transport/http/http-node.ts'
import type { HttpTransportOptions } from '../../../../src/transport/http/http-options.ts'
import type { Connection, Inbound } from '../../../../src/transport/transport.ts'

/** One request as the server saw it. */
export interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
  message: { id?: RequestId; method?: string; params?: unknown } | undefined
  socket: Socket
}

export type Respond = (seen: Seen, res: ServerResponse) => void | Promise<void>

const cleanups: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

export function cleanUp(task: () => Promise<void> | void): void {
  cleanups.push(task)
}

/** A server that answers as the test says, and keeps what it was asked. */
export async function serve(respond: Respond): Promise<{ url: string; seen: Seen[]; server: Server; sockets: Set<Socket> }> {
  const seen: Seen[] = []
  const sockets = new Set<Socket>()
  const server = createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const message = body === '' ? undefined : (JSON.parse(body) as Seen['message'])
      const one = { method: req.method ?? '', url: req.url ?? '', headers: req.headers, body, message, socket: req.socket }
      seen.push(one)
      void respond(one, res)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/mcp`, seen, server, sockets }
}

/** A server below HTTP, for replies that no HTTP server would write. */
export async function serveRaw(answer: (socket: Socket, connection: number) => void): Promise<{ url: string; port: number }> {
  let connections = 0
  const open = new Set<Socket>()
  const server = createTcpServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => {})
    const connection = connections++
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
      const end = text.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (end === -1 || text.length < end + 4 + length) return
      text = ''
      answer(socket, connection)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(() => {
    for (const socket of open) socket.destroy()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/mcp`, port }
}

/** A port of the loopback that nobody listens on. */
export async function deadPort(): Promise<number> {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return port
}

export interface Link {
  connection: Connection
  /** What the inbound got: the message and the exchange that it came with. */
  inbound: { message: Parameters<Inbound>[0]; during: RequestId | undefined }[]
  reports: string[]
}

export async function open(options: HttpTransportOptions, limits: Partial<Limits> = {}, onInbound?: Inbound): Promise<Link> {
  const inbound: Link['inbound'] = []
  const reports: string[] = []
  const connection = await httpTransport(options).open(
    (message, from, during) => {
      inbound.push({ message, during })
      onInbound?.(message, from, during)
    },
    { limits: limitsOf(limits), report: (problem) => reports.push(problem) },
  )
  cleanUp(() => connection.close())
  return { connection, inbound, reports }
}

export const LEGACY = { version: '2025-11-25', headers: { 'MCP-Protocol-Version': '2025-11-25' }, stateful: true }
export const MODERN = { version: '2026-07-28', headers: { 'MCP-Protocol-Version': '2026-07-28' }, stateful: false }

/** Opens a link whose handshake got the session `abc`; the server must answer the first request. */
export async function openSession(options: HttpTransportOptions, limits: Partial<Limits> = {}, onInbound?: Inbound): Promise<Link> {
  const link = await open(options, limits, onInbound)
  await link.connection.exchange(request(0, 'initialize'))
  link.connection.adopt(LEGACY)
  return link
}

export function request(id: RequestId, method = 'tools/call', params: JSONRPCRequest['params'] = {}): JSONRPCRequest {
  return { jsonrpc: '2.0', id, method, params }
}

export function result(id: unknown, value: unknown = { ok: true }): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: value })
}

export function json(res: ServerResponse, body: string, status = 200, headers: Record<string, string> = {}): void {
  res.writeHead(status, { 'Content-Type': 'application/json', ...headers })
  res.end(body)
}

export function sse(res: ServerResponse, headers: Record<string, string> = {}): ServerResponse {
  res.writeHead(200, { 'Content-Type': 'text/event-stream', ...headers })
  res.flushHeaders()
  return res
}

/** Answers the handshake with a session, and everything else as the test says. */
export function withSession(respond: Respond): Respond {
  return (seen, res) => {
    if (seen.message?.method === 'initialize') json(res, result(seen.message.id), 200, { 'Mcp-Session-Id': 'abc' })
    else if (seen.method === 'DELETE') res.writeHead(200).end()
    else return respond(seen, res)
  }
}

export async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`expected a rejection, got ${JSON.stringify(value)}`)
    },
    (error: unknown) => error,
  )
}
