/**
 * What both servers say, without transport: a request in, the text of the messages of its answer out.
 * Written for speed and for nothing else; a server for people would check what it is told.
 */
import { toolPage } from './tool-list.mjs'

export const LEGACY = '2025-11-25'
export const MODERN = '2026-07-28'
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const serverInfo = { name: 'bench', version: '1.0.0' }
const capabilities = { tools: {} }

/** Progress notifications travel in writes of this many, the last one together with the result. */
const PROGRESS_BATCH = 100

const SENTENCE = 'The quick brown fox jumps over the lazy dog and runs on. '

/** ASCII text of exactly this many bytes. */
const bigText = (bytes) => SENTENCE.repeat(Math.ceil(bytes / SENTENCE.length)).slice(0, bytes)

const reply = (id, result) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
const refusal = (id, code, message, data) => JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } })

function textResult(text, modern) {
  return `{"content":[{"type":"text","text":${JSON.stringify(text)}}]${modern ? ',"resultType":"complete"' : ''}}`
}

/** The notifications of one call in batches; the last of them ends with the result, as it does when a server is in a hurry. */
function* progressBatches(id, token, count, modern) {
  const quoted = JSON.stringify(token)
  let batch = []
  for (let done = 1; done <= count; done++) {
    batch.push(
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${quoted},"progress":${done},"total":${count}}}`,
    )
    if (batch.length === PROGRESS_BATCH && done < count) {
      yield batch
      batch = []
    }
  }
  batch.push(reply(id, textResult(`${count} steps`, modern)))
  yield batch
}

function callTool(id, params, modern) {
  const args = params.arguments ?? {}
  switch (params.name) {
    case 'echo':
      return reply(id, textResult(args.message, modern))
    case 'big':
      return reply(id, textResult(bigText(args.bytes), modern))
    case 'progress':
      return progressBatches(id, params._meta?.progressToken ?? 'none', args.count, modern)
    default:
      return refusal(id, -32602, `Unknown tool: ${params.name}`)
  }
}

/**
 * The answer to one message: undefined for a notification, a string for one message, an iterator of
 * arrays of messages for an answer in several writes.
 *
 * @param options.tools how many tools the list has
 * @param options.era `legacy` or `modern` for a server that knows only one; both otherwise
 */
export function answer(message, options) {
  const { id, method, params = {} } = message
  if (id === undefined || method === undefined) return undefined
  const version = params._meta?.[VERSION_KEY]
  const modern = version !== undefined
  if (modern ? options.era === 'legacy' : options.era === 'modern') {
    const known = options.era === 'legacy' ? LEGACY : MODERN
    return modern
      ? refusal(id, -32601, `Method not found: ${method}`)
      : refusal(id, -32022, 'Unsupported protocol version', { supported: [known], requested: params.protocolVersion ?? LEGACY })
  }
  switch (method) {
    case 'tools/call':
      return callTool(id, params, modern)
    case 'tools/list':
      return reply(id, toolPage(options.tools, params.cursor, modern))
    case 'initialize':
      return reply(id, JSON.stringify({ protocolVersion: LEGACY, capabilities, serverInfo }))
    case 'server/discover':
      return reply(
        id,
        JSON.stringify({
          resultType: 'complete',
          supportedVersions: [MODERN],
          capabilities,
          ttlMs: 3_600_000,
          cacheScope: 'public',
          _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
        }),
      )
    case 'ping':
      return reply(id, '{}')
    default:
      return refusal(id, -32601, `Method not found: ${method}`)
  }
}
