import type { IncomingMessage, ServerResponse } from 'node:http'
import { isObject, isRequest } from '../../jsonrpc/codec.ts'
import { INVALID_REQUEST, PARSE_ERROR } from '../../jsonrpc/error-code.ts'
import type { Params } from '../../jsonrpc/message.ts'
import { isModern } from './conversation.ts'
import type { DemoCore } from './core.ts'
import { EventStream } from './event-stream.ts'
import { accepts, comesFromHere, headerMismatch, isLoopback } from './http-checks.ts'
import { HttpSession } from './http-session.ts'
import { LegacyConversation } from './legacy.ts'
import { MAX_MESSAGE_BYTES, MAX_SESSIONS } from './limits.ts'
import { HEADER_MISMATCH, ModernRequests } from './modern.ts'
import { PostReply, type Replies, sendJson } from './post-reply.ts'

/** How a demo server is reached over HTTP. */
export interface HttpOptions {
  /** Where to listen. Default `127.0.0.1`. Requests whose Host or Origin is not this machine are refused, unless another address is given. */
  readonly host?: string | undefined
  /** Default 0: any free port. */
  readonly port?: number | undefined
  /** Default `/mcp`. */
  readonly path?: string | undefined
  /** Default `auto`: JSON, or a stream of events when something comes before the answer. `json`: what comes before goes to the session's own stream. */
  readonly replies?: Replies | undefined
  /** Sessions in the legacy era. Default true. Without them each POST stands alone, so the client cannot be asked and nothing comes unasked. */
  readonly sessions?: boolean | undefined
}

/** A server that listens. */
export interface HttpServing {
  readonly url: string
  /** Cuts every reply and stream that is open, as a network that breaks does. Sessions stay. */
  cut(): void
  close(): Promise<void>
}

/** Milliseconds that answers have to leave when the server closes. */
const CLOSE_GRACE_MS = 500
const NO_ASIDE = { send() {}, settled() {} }

/** Serves any number of clients over Streamable HTTP, each in its era. */
export async function serveHttp(core: DemoCore, options: HttpOptions = {}): Promise<HttpServing> {
  const { host = '127.0.0.1', port = 0, path = '/mcp', replies = 'auto', sessions: withSessions = true } = options
  const { createServer } = await import('node:http')
  const sessions = new Map<string, HttpSession>()
  const modern = new Set<ModernRequests>()
  const open = new Set<ServerResponse>()
  const guarded = isLoopback(host)

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, method } = request
    if (guarded && !comesFromHere(headers)) throw new Refusal(403, 'Host and Origin must name this machine')
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== path) throw new Refusal(404, `the endpoint is ${path}`)
    if (method === 'POST') return post(request, response)
    const stateful = withSessions && core.legacy.length > 0
    if (!stateful || (method !== 'GET' && method !== 'DELETE')) {
      throw new Refusal(405, 'this method is not served here', { allow: stateful ? 'POST, GET, DELETE' : 'POST' })
    }
    const session = sessionOf(request)
    if (method === 'DELETE') {
      sessions.delete(session.id)
      void session.close(false)
      response.writeHead(204).end()
    } else if (!accepts(headers.accept, 'sse')) {
      throw new Refusal(406, 'the client must accept text/event-stream')
    } else if (!session.read(response, one(headers['last-event-id']))) {
      throw new Refusal(400, 'this event is not known')
    }
  }

  const post = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers } = request
    if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) throw new Refusal(415, 'the body must be application/json')
    if (!accepts(headers.accept, replies)) throw new Refusal(406, 'the client must accept application/json and text/event-stream')
    const text = await bodyOf(request)
    if (text === undefined) throw new Refusal(413, `a body may have ${MAX_MESSAGE_BYTES} bytes`, { connection: 'close' })
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      throw new Refusal(400, 'the body is no JSON', {}, PARSE_ERROR)
    }
    const messages: unknown[] = Array.isArray(body) ? body : [body]
    if (messages.length === 0 || !messages.every(isObject)) throw new Refusal(400, 'the body is no JSON-RPC 2.0 message')
    const [first] = messages
    const started = !withSessions || headers['mcp-session-id'] !== undefined
    if (first !== undefined && !Array.isArray(body) && isModern(core, first, started)) modernPost(request, response, first)
    else legacyPost(request, response, messages, Array.isArray(body))
  }

  const modernPost = (request: IncomingMessage, response: ServerResponse, message: Params): void => {
    const mismatch = isRequest(message) ? headerMismatch(request.headers, message) : undefined
    if (mismatch !== undefined && isRequest(message)) {
      sendJson(response, 400, { jsonrpc: '2.0', id: message.id, error: { code: HEADER_MISMATCH, message: mismatch } })
      return
    }
    const requests = new ModernRequests(core)
    modern.add(requests)
    response.on('close', () => {
      modern.delete(requests)
      void requests.close(false)
    })
    const reply = new PostReply({
      response,
      replies: message.method === 'subscriptions/listen' ? 'sse' : replies,
      requests: 1,
      headers: () => ({}),
      stream() {
        const stream = new EventStream()
        stream.attach(response, {})
        return stream
      },
    })
    requests.receive(message, reply)
    if (!response.headersSent && message.id === undefined) response.writeHead(202).end()
  }

  const legacyPost = (request: IncomingMessage, response: ServerResponse, messages: readonly Params[], batch: boolean): void => {
    const { headers } = request
    const initialize = messages.some((message) => message.method === 'initialize')
    const claimed = one(headers['mcp-protocol-version'])
    if (claimed !== undefined && !initialize && !core.legacy.includes(claimed)) {
      throw new Refusal(400, `the revision ${claimed} is not supported; supported are ${core.legacy.join(', ')}`)
    }
    const session = withSessions ? (initialize ? begin() : sessionOf(request)) : undefined
    const conversation =
      session?.conversation ?? new LegacyConversation(core, NO_ASIDE, initialize ? undefined : (claimed ?? core.legacy.at(-1)))
    response.on('close', () => {
      if (session === undefined) void conversation.close(false)
      else if (conversation.features === undefined) sessions.delete(session.id)
    })
    if (batch && (initialize || !(conversation.features?.batches ?? false))) throw new Refusal(400, 'a body holds one message here')
    const requests = messages.filter(isRequest).length
    const own = (): Record<string, string> =>
      session !== undefined && conversation.features !== undefined ? { 'mcp-session-id': session.id } : {}
    const reply = new PostReply({
      response,
      replies,
      requests,
      headers: own,
      stream() {
        if (session !== undefined) return session.stream(response, own())
        const stream = new EventStream()
        stream.attach(response, {})
        return stream
      },
      aside: session?.aside,
    })
    if (requests > 0 && replies === 'sse' && !initialize) reply.open()
    for (const message of messages)
      conversation.receive(message, requests > 0 ? reply : { ...NO_ASIDE, send: (error) => sendJson(response, 400, error) })
    if (requests === 0 && !response.headersSent) response.writeHead(202).end()
  }

  const begin = (): HttpSession => {
    const session = new HttpSession(core)
    sessions.set(session.id, session)
    const [oldest] = sessions.values()
    if (sessions.size > MAX_SESSIONS && oldest !== undefined) {
      sessions.delete(oldest.id)
      void oldest.close(true)
    }
    return session
  }

  const sessionOf = ({ headers }: IncomingMessage): HttpSession => {
    const id = one(headers['mcp-session-id'])
    if (id === undefined) throw new Refusal(400, 'the header Mcp-Session-Id is required')
    const session = sessions.get(id)
    if (session === undefined) throw new Refusal(404, 'this session is not known')
    return session
  }

  const server = createServer((request, response) => {
    open.add(response)
    response.on('close', () => open.delete(response))
    handle(request, response).catch((error) => {
      if (!(error instanceof Refusal) || response.headersSent) return response.destroy()
      const { status, message, headers, code } = error
      sendJson(response, status, { jsonrpc: '2.0', error: { code, message } }, headers)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}${path}`,
    cut() {
      for (const response of [...open]) response.destroy()
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      await Promise.all([
        ...[...modern].map((requests) => requests.close(true)),
        ...[...sessions.values()].map((session) => session.close(true)),
      ])
      sessions.clear()
      let timer: NodeJS.Timeout | undefined
      const grace = new Promise((resolve) => {
        timer = setTimeout(resolve, CLOSE_GRACE_MS)
      })
      await Promise.race([grace, Promise.all([...open].map((response) => new Promise((resolve) => response.on('close', resolve))))])
      clearTimeout(timer)
      server.closeAllConnections()
      await closed
    },
  }
}

/** A request that is not taken: an HTTP status, and an error without an id. */
class Refusal extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly code: number

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}, code: number = INVALID_REQUEST) {
    super(message)
    this.status = status
    this.headers = headers
    this.code = code
  }
}

function one(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0]
}

/** The body as text; undefined when it is too large. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    if (!(chunk instanceof Buffer)) continue
    length += chunk.length
    if (length > MAX_MESSAGE_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
