/** Bare JSON-RPC over `node:http` with a keep-alive agent: headers made once, bodies as strings, no web streams. */
import { sseEvents } from './sse-events.mjs'
import { bareClient, MODERN, resultOf } from './wire.mjs'

export async function open({ url, era }) {
  // Loaded here and not at the top, so that the first connect of every client pays for what it uses.
  const { Agent, request: httpRequest } = await import('node:http')
  const agent = new Agent({ keepAlive: true })
  const { hostname, port, pathname, search } = new URL(url)
  const headers = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' }
  if (era === MODERN) headers['MCP-Protocol-Version'] = MODERN
  const path = pathname + search
  let nextId = 0

  function post(message, onMessage, onError, onHeaders) {
    const body = JSON.stringify(message)
    const own = { ...headers, 'Content-Length': Buffer.byteLength(body) }
    if (era === MODERN) {
      own['Mcp-Method'] = message.method
      if (message.params?.name !== undefined) own['Mcp-Name'] = message.params.name
    }
    const request = httpRequest({ agent, host: hostname, port, path, method: 'POST', headers: own }, (response) => {
      onHeaders?.(response.headers)
      response.setEncoding('utf8')
      if (response.headers['content-type'] === 'text/event-stream') {
        response.on('data', sseEvents(onMessage))
        return
      }
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => text !== '' && onMessage(JSON.parse(text)))
    })
    request.on('error', onError)
    request.end(body)
  }

  return bareClient(era, {
    request(method, params, onProgress) {
      return new Promise((resolve, reject) => {
        post(
          { jsonrpc: '2.0', id: nextId++, method, params },
          (message) => ('method' in message ? onProgress?.(message.params) : resolve(resultOf(message))),
          reject,
          method === 'initialize' ? adoptSession : undefined,
        )
      })
    },
    notify(method) {
      // Nobody waits for its answer, which close() may cut off.
      const ignore = () => {}
      post({ jsonrpc: '2.0', method }, ignore, ignore)
    },
    adopt(version) {
      headers['MCP-Protocol-Version'] = version
    },
    async close() {
      agent.destroy()
    },
  })

  function adoptSession(received) {
    if (received['mcp-session-id']) headers['Mcp-Session-Id'] = received['mcp-session-id']
  }
}
