import type { ServerResponse } from 'node:http'
import { json, type Respond, type Seen, serve, sse } from '../unit/transport/http/stand-in.ts'

type Message = NonNullable<Seen['message']>

const INFO = { name: 'legacy', version: '1' }

/** What a small server of an old revision answers; undefined to a notification. */
export function answerTo(message: Message, version = '2024-11-05'): string | undefined {
  if (message.id === undefined) return undefined
  const result = (value: unknown): string => JSON.stringify({ jsonrpc: '2.0', id: message.id, result: value })
  switch (message.method) {
    case 'initialize':
      return result({ protocolVersion: version, capabilities: { tools: {} }, serverInfo: INFO })
    case 'ping':
      return result({})
    case 'tools/list':
      return result({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] })
    case 'tools/call':
      return result({ content: [{ type: 'text', text: JSON.stringify(message.params) }] })
    default:
      return JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: `unknown method ${message.method}` } })
  }
}

export interface SseSetup {
  /** Where the stream is. Default `/sse`. */
  path?: string
  /** What the endpoint event says. Default `/messages?session=<id>`. */
  announce?: (session: string, origin: string) => string
  /** Where messages are taken. Default `/messages`. */
  messages?: string
  version?: string
  /** What a POST to the stream's own path is answered with. Default 405. */
  refuse?: number
  /** Answers a POST instead of the server; true when it did. */
  post?: (seen: Seen, res: ServerResponse, stream: ServerResponse) => boolean
  /** Answers a GET of the stream instead of the server; true when it did. */
  get?: (seen: Seen, res: ServerResponse) => boolean
}

export interface SseServer {
  url: string
  origin: string
  seen: Seen[]
  /** The open streams by session, oldest first. */
  streams: Map<string, ServerResponse>
  posts(method?: string): Seen[]
  /** Sends one message on the newest stream. */
  send(message: unknown): void
}

/** A server of HTTP+SSE, and of nothing else. */
export async function sseServer(setup: SseSetup = {}): Promise<SseServer> {
  const { path = '/sse', messages = '/messages', announce = (session) => `${messages}?session=${session}` } = setup
  const streams = new Map<string, ServerResponse>()
  let sessions = 0
  let origin = ''
  const respond: Respond = (seen, res) => {
    const url = new URL(seen.url, origin)
    if (seen.method === 'GET' && url.pathname === path) {
      if (setup.get?.(seen, res)) return
      const session = `s${++sessions}`
      streams.set(session, res)
      res.on('close', () => streams.delete(session))
      sse(res).write(`event: endpoint\ndata: ${announce(session, origin)}\n\n`)
      return
    }
    if (seen.method !== 'POST' || url.pathname !== messages) {
      res.writeHead(url.pathname === path ? (setup.refuse ?? 405) : 404, { 'Content-Type': 'text/plain' }).end('no')
      return
    }
    const stream = streams.get(url.searchParams.get('session') ?? '')
    if (stream === undefined || seen.message === undefined) {
      res.writeHead(404).end('Session not found')
      return
    }
    if (setup.post?.(seen, res, stream)) return
    res.writeHead(202).end('Accepted')
    const answer = answerTo(seen.message, setup.version)
    if (answer !== undefined) stream.write(`event: message\ndata: ${answer}\n\n`)
  }
  const { url, seen } = await serve(respond)
  origin = new URL(url).origin
  return {
    url: `${origin}${path}`,
    origin,
    seen,
    streams,
    posts: (method) => seen.filter((one) => one.method === 'POST' && (method === undefined || one.message?.method === method)),
    send: (message) => [...streams.values()].at(-1)?.write(`data: ${JSON.stringify(message)}\n\n`),
  }
}

export interface PlainSetup {
  path?: string
  /** Sessions are given and wanted. */
  session?: () => string | undefined
  version?: string
}

/** A server of plain JSON-RPC over HTTP: it knows no event streams, nor a client that would take one. */
export async function plainServer({ path = '/api', session, version }: PlainSetup = {}): Promise<{
  url: string
  origin: string
  seen: Seen[]
}> {
  const { url, seen } = await serve((one, res) => {
    const { method, message, headers } = one
    if (new URL(one.url, 'http://x').pathname !== path) res.writeHead(404).end()
    else if (method === 'DELETE') res.writeHead(200).end()
    else if (method !== 'POST' || message === undefined) res.writeHead(405).end()
    else if (headers.accept !== 'application/json') res.writeHead(406, { 'Content-Type': 'text/plain' }).end('JSON only')
    else {
      const current = session?.()
      if (current !== undefined && message.method !== 'initialize' && headers['mcp-session-id'] !== current) {
        res.writeHead(headers['mcp-session-id'] === undefined ? 400 : 404).end()
        return
      }
      const answer = answerTo(message, version)
      if (answer === undefined) res.writeHead(202).end()
      else json(res, answer, 200, message.method === 'initialize' && current !== undefined ? { 'Mcp-Session-Id': current } : {})
    }
  })
  const { origin } = new URL(url)
  return { url: `${origin}${path}`, origin, seen }
}

/** A server of Streamable HTTP of an old revision, that knows no other. */
export async function streamableServer(path = '/api'): Promise<{ url: string; origin: string; seen: Seen[] }> {
  const { url, seen } = await serve((one, res) => {
    const { method, message, headers } = one
    if (new URL(one.url, 'http://x').pathname !== path) res.writeHead(404).end()
    else if (method !== 'POST' || message === undefined) res.writeHead(405).end()
    else if (!headers.accept?.includes('text/event-stream')) res.writeHead(406).end()
    else {
      const answer = answerTo(message, '2025-06-18')
      if (answer === undefined) res.writeHead(202).end()
      else json(res, answer)
    }
  })
  const { origin } = new URL(url)
  return { url: `${origin}${path}`, origin, seen }
}
