/** Bare JSON-RPC over the global `fetch`. */
import { sseEvents } from './sse-events.mjs'
import { bareClient, MODERN, resultOf } from './wire.mjs'

export async function open({ url, era }) {
  const headers = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' }
  if (era === MODERN) headers['MCP-Protocol-Version'] = MODERN
  let nextId = 0

  function post(message) {
    const own = era === MODERN ? { ...headers, 'Mcp-Method': message.method } : headers
    if (era === MODERN && message.params?.name !== undefined) own['Mcp-Name'] = message.params.name
    return fetch(url, { method: 'POST', headers: own, body: JSON.stringify(message) })
  }

  async function request(method, params, onProgress) {
    const response = await post({ jsonrpc: '2.0', id: nextId++, method, params })
    const session = method === 'initialize' && response.headers.get('mcp-session-id')
    if (session) headers['Mcp-Session-Id'] = session
    if (response.headers.get('content-type') !== 'text/event-stream') return resultOf(await response.json())
    let result
    const feed = sseEvents((message) => {
      if ('method' in message) onProgress?.(message.params)
      else result = resultOf(message)
    })
    const decoder = new TextDecoder()
    const reader = response.body.getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) feed(decoder.decode(part.value, { stream: true }))
    return result
  }

  return bareClient(era, {
    request,
    notify(method) {
      post({ jsonrpc: '2.0', method }).then((response) => response.arrayBuffer())
    },
    adopt(version) {
      headers['MCP-Protocol-Version'] = version
    },
    async close() {},
  })
}
