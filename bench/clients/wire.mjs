/**
 * The messages that the three bare clients send. They are what a careful person would write by hand for one
 * known server: no validation, no deadline, no cancellation. Whatever a real client costs more is its price.
 */

export const LEGACY = '2025-11-25'
export const MODERN = '2026-07-28'
const clientInfo = { name: 'raw', version: '1.0.0' }
const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': clientInfo,
}

/**
 * A client over `request(method, params, onProgress?)` and `notify(method)`: the handshake of its era and the
 * calls that every driver of this benchmark offers.
 */
export async function bareClient(era, { request, notify, close, adopt }) {
  const modern = era === MODERN
  const params = modern ? (own) => ({ ...own, _meta: own?._meta ? { ...modernMeta, ...own._meta } : modernMeta }) : (own) => own
  let tokens = 0

  if (modern) {
    await request('server/discover', params())
  } else {
    await request('initialize', { protocolVersion: LEGACY, capabilities: {}, clientInfo })
    adopt?.(LEGACY)
    // Not awaited before the first call: the protocol asks for the order only.
    notify('notifications/initialized')
  }

  return {
    call(name, args, onProgress) {
      if (onProgress === undefined) return request('tools/call', params({ name, arguments: args }))
      const progressToken = ++tokens
      return request('tools/call', params({ name, arguments: args, _meta: { progressToken } }), onProgress, progressToken)
    },
    async list() {
      const tools = []
      let cursor
      do {
        const page = await request('tools/list', params(cursor === undefined ? undefined : { cursor }))
        tools.push(...page.tools)
        cursor = page.nextCursor
      } while (cursor !== undefined)
      return tools
    },
    close,
  }
}

/** Error responses end a benchmark: nothing here is meant to fail. */
export function resultOf(message) {
  if (message.error) throw new Error(`the server refused: ${message.error.message}`)
  return message.result
}
