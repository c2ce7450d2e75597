import type { ServerResponse } from 'node:http'
import type { CountingHttp } from './counting-http.ts'
import { type CountingServer, failure, messageIn } from './counting-server.ts'
import { EVENT_TYPE, listening, refuse } from './listening.ts'

/** Serves a counting server by HTTP+SSE of 2024-11-05: one stream for all answers, and an address for messages that stands for the session. */
export async function countingSse(counting: CountingServer): Promise<CountingHttp> {
  const sessions = new Map<string, ServerResponse>()
  let begun = 0

  const http = await listening((request, response, body) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (request.method === 'GET' && url.pathname === '/sse') {
      const id = String(++begun).padStart(8, '0')
      sessions.set(id, response)
      response.on('close', () => sessions.delete(id))
      response.writeHead(200, EVENT_TYPE)
      response.write(`event: endpoint\ndata: /messages?session=${id}\n\n`)
      return
    }
    const stream = sessions.get(url.searchParams.get('session') ?? '')
    if (request.method !== 'POST' || url.pathname !== '/messages') return void response.writeHead(405).end()
    if (stream === undefined) return void refuse(response, 404, failure(null, -32001, 'session not found'))
    const message = messageIn(body)
    if (message === undefined) return void refuse(response, 400, failure(null, -32700, 'no JSON object'))
    response.writeHead(202).end()
    counting.receive(message, {
      send: (answer) => void stream.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`),
      get gone() {
        return stream.closed
      },
    })
  })
  return {
    ...http,
    forget() {
      for (const stream of sessions.values()) stream.end()
      sessions.clear()
    },
  }
}
