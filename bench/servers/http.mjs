#!/usr/bin/env node
/**
 * The benchmark's server over Streamable HTTP: `node http.mjs [--listeners 1] [--idle-ms 60000]`.
 * Prints `{"ports":[…]}` when it listens, on loopback only, and ends when its standard input does.
 *
 * `/json/mcp` answers with JSON, `/sse/mcp` with an event stream; `?tools=1000` sets the length of the list. With `?forget=1` a session is
 * forgotten behind its first call.
 */
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { answer } from './answer.mjs'

const { values } = parseArgs({
  options: { listeners: { type: 'string', default: '1' }, 'idle-ms': { type: 'string', default: '60000' } },
})
const event = (message) => `event: message\ndata: ${message}\n\n`
const optionsByUrl = new Map()

function optionsOf(url) {
  let options = optionsByUrl.get(url)
  if (!options) {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    options = {
      stream: pathname.startsWith('/sse'),
      tools: Number(searchParams.get('tools') ?? 20),
      era: searchParams.get('era') ?? undefined,
      sessions: searchParams.has('forget') ? { given: 0, current: undefined } : undefined,
    }
    optionsByUrl.set(url, options)
  }
  return options
}

function respond(response, message, session, options) {
  const { sessions } = options
  if (sessions !== undefined && session !== undefined && session !== sessions.current) {
    response.writeHead(404).end()
    return
  }
  const reply = answer(message, options)
  if (reply === undefined) {
    response.writeHead(202).end()
    return
  }
  if (sessions !== undefined && message.method === 'initialize') sessions.current = `bench-session-${++sessions.given}`
  if (sessions !== undefined && message.method === 'tools/call') sessions.current = undefined
  const given = message.method === 'initialize' ? { 'Mcp-Session-Id': sessions?.current ?? 'bench-session' } : {}
  if (typeof reply === 'string' && !options.stream) {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(reply), ...given }).end(reply)
    return
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', ...given })
  if (typeof reply === 'string') {
    response.end(event(reply))
    return
  }
  for (const batch of reply) response.write(batch.map(event).join(''))
  response.end()
}

function handle(request, response) {
  if (request.method !== 'POST') {
    response.writeHead(request.method === 'DELETE' ? 200 : 405).end()
    return
  }
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => respond(response, JSON.parse(body), request.headers['mcp-session-id'], optionsOf(request.url)))
}

const ports = await Promise.all(
  Array.from({ length: Number(values.listeners) }, () => {
    const server = createServer({ keepAliveTimeout: Number(values['idle-ms']) }, handle)
    return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)))
  }),
)
console.log(JSON.stringify({ ports }))
process.stdin.resume()
process.stdin.on('end', () => process.exit(0))
