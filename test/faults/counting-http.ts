import type { IncomingMessage, ServerResponse } from 'node:http'
import { type CountingServer, failure, isJson, type Json, messageIn, type Reply } from './counting-server.ts'
import { EVENT_TYPE, JSON_TYPE, type Listening, listening, refuse } from './listening.ts'

export type Replies = 'json' | 'events'

export interface CountingHttp extends Listening {
  /** Forgets every session; what runs goes on. */
  forget(): void
}

/** One reply stream whose events are kept for a reader who comes back. */
interface Kept {
  readonly events: string[]
  reader: ServerResponse | undefined
  over: boolean
}

interface Session {
  readonly streams: Kept[]
}

/** Milliseconds after which a reader may come back. */
const RETRY_MS = 20

/** Serves a counting server by Streamable HTTP: legacy with sessions, a stream of its own and resumption; modern with checked headers. */
export async function countingHttp(counting: CountingServer, replies: Replies): Promise<CountingHttp> {
  const sessions = new Map<string, Session>()
  let begun = 0

  const takePost = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    const message = messageIn(body)
    if (message === undefined) {
      refuse(response, 400, failure(null, -32700, 'no JSON object'))
      return
    }
    if (counting.era === 'modern') takeModern(request, response, message)
    else takeLegacy(request, response, message)
  }

  const takeModern = ({ headers }: IncomingMessage, response: ServerResponse, message: Json): void => {
    const params = isJson(message.params) ? message.params : {}
    const fits =
      headers['mcp-protocol-version'] === '2026-07-28' &&
      headers['mcp-method'] === message.method &&
      (message.method !== 'tools/call' || headers['mcp-name'] === params.name)
    if (message.id === undefined) response.writeHead(202).end()
    else if (!fits) refuse(response, 400, failure(message.id, -32020, 'headers and body do not say the same'))
    else if (replies === 'json') counting.receive(message, jsonReply(response, {}))
    else counting.receive(message, ownStream(response))
  }

  const takeLegacy = ({ headers }: IncomingMessage, response: ServerResponse, message: Json): void => {
    if (message.method === 'initialize') {
      const id = `session-${String(++begun).padStart(8, '0')}`
      sessions.set(id, { streams: [] })
      counting.receive(message, jsonReply(response, { 'mcp-session-id': id }))
      return
    }
    const id = headers['mcp-session-id']
    const session = typeof id === 'string' ? sessions.get(id) : undefined
    if (id === undefined) {
      refuse(response, 400, failure(null, -32000, 'initialize comes first'))
      return
    }
    if (session === undefined) {
      refuse(response, 404, failure(null, -32001, 'session not found'))
      return
    }
    if (message.id === undefined || message.method === undefined) response.writeHead(202).end()
    else if (replies === 'json') counting.receive(message, jsonReply(response, {}))
    else counting.receive(message, keptStream(session, response))
  }

  const takeGet = ({ headers }: IncomingMessage, response: ServerResponse): void => {
    const id = headers['mcp-session-id']
    const session = typeof id === 'string' ? sessions.get(id) : undefined
    if (counting.era === 'modern') {
      refuse(response, 405, failure(null, -32000, 'not served'))
      return
    }
    if (session === undefined) {
      refuse(response, 404, failure(null, -32001, 'session not found'))
      return
    }
    const last = headers['last-event-id']
    if (last === undefined) {
      response.writeHead(200, EVENT_TYPE)
      response.write('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n')
      return
    }
    const [, stream = '', event = ''] = /^(\d+)-(\d+)$/.exec(String(last)) ?? []
    const kept = session.streams[Number(stream)]
    if (stream === '' || kept === undefined) {
      refuse(response, 400, failure(null, -32000, 'unknown event'))
      return
    }
    kept.reader?.destroy()
    kept.reader = response
    response.writeHead(200, EVENT_TYPE)
    for (const text of kept.events.slice(Number(event))) response.write(text)
    if (kept.over) response.end()
  }

  const keptStream = (session: Session, response: ServerResponse): Reply => {
    const number = session.streams.length
    const kept: Kept = { events: [], reader: response, over: false }
    session.streams.push(kept)
    response.writeHead(200, EVENT_TYPE)
    response.write(`id: ${number}-0\nretry: ${RETRY_MS}\ndata: \n\n`)
    return {
      send(message) {
        const text = `id: ${number}-${kept.events.length + 1}\ndata: ${JSON.stringify(message)}\n\n`
        kept.events.push(text)
        kept.reader?.write(text)
        if (message.method !== undefined) return
        kept.over = true
        kept.reader?.end()
      },
    }
  }

  const http = await listening((request, response, body) => {
    if (request.method === 'POST') takePost(request, response, body)
    else if (request.method === 'GET') takeGet(request, response)
    else if (sessions.delete(String(request.headers['mcp-session-id']))) response.writeHead(204).end()
    else response.writeHead(404).end()
  })
  return { ...http, forget: () => sessions.clear() }
}

function jsonReply(response: ServerResponse, headers: Readonly<Record<string, string>>): Reply {
  return {
    send(message) {
      // Progress has no place in a JSON reply.
      if (message.method !== undefined || response.headersSent) return
      response.writeHead(200, { ...JSON_TYPE, ...headers }).end(JSON.stringify(message))
    },
  }
}

/** In the modern era a closed stream takes the request back. */
function ownStream(response: ServerResponse): Reply {
  response.writeHead(200, EVENT_TYPE)
  response.write(': begun\n\n')
  return {
    get gone() {
      return response.closed
    },
    send(message) {
      response.write(`data: ${JSON.stringify(message)}\n\n`)
      if (message.method === undefined) response.end()
    },
  }
}
