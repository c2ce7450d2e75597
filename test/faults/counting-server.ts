import { isCallKey } from './call-key.ts'

export type Json = { readonly [key: string]: unknown }
export type Era = 'legacy' | 'modern'

/** Where what belongs to one request goes. */
export interface Reply {
  send(message: Json): void
  /** The client no longer waits: what has not been sent is not sent any more. */
  readonly gone?: boolean
}

const LEGACY_VERSION = '2025-11-25'
const MODERN_VERSION = '2026-07-28'
const INFO = { name: 'counting', version: '1.0.0' }
const CAPABILITIES = { tools: { listChanged: true } }
const TOOL = {
  name: 'once',
  description: 'Runs, and counts how often it ran for each key.',
  inputSchema: {
    type: 'object',
    properties: { key: { type: 'string', 'x-mcp-header': 'Key' }, ms: { type: 'integer' } },
    required: ['key'],
  },
}

/** A server that counts how often its one tool ran for each key. Knows messages, no bytes. */
export class CountingServer {
  readonly era: Era
  readonly executions: Map<string, number> = new Map()
  /** How often an answer to a call of this key was handed to the wire. */
  readonly answers: Map<string, number> = new Map()
  /** Calls that came, with a valid key or not. */
  calls = 0
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor(era: Era) {
    this.era = era
  }

  /** Takes one parsed message. Nothing is sent for notifications and for what is no request. */
  receive(message: Json, reply: Reply): void {
    const { id, method } = message
    if (typeof method !== 'string' || (typeof id !== 'number' && typeof id !== 'string')) return
    const params = isJson(message.params) ? message.params : {}
    if (method === 'tools/call') this.#call(id, params, reply)
    else reply.send(this.#answer(id, method, params))
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  #answer(id: number | string, method: string, params: Json): Json {
    const modern = this.era === 'modern'
    if (!modern && method === 'initialize') {
      const protocolVersion = params.protocolVersion === undefined ? undefined : LEGACY_VERSION
      return result(id, { protocolVersion, capabilities: CAPABILITIES, serverInfo: INFO })
    }
    if (modern && method === 'server/discover') {
      return result(id, {
        resultType: 'complete',
        supportedVersions: [MODERN_VERSION],
        capabilities: CAPABILITIES,
        ttlMs: 0,
        cacheScope: 'private',
      })
    }
    if (method === 'ping') return result(id, {})
    if (method === 'tools/list') {
      return result(id, { tools: [TOOL], ...(modern && { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }) })
    }
    return failure(id, -32601, 'unknown method')
  }

  #call(id: number | string, params: Json, reply: Reply): void {
    this.calls++
    const args = isJson(params.arguments) ? params.arguments : {}
    const { key, ms } = args
    if (params.name !== 'once' || !isCallKey(key)) {
      reply.send(failure(id, -32602, 'no such tool or key'))
      return
    }
    this.executions.set(key, (this.executions.get(key) ?? 0) + 1)
    const meta = isJson(params._meta) ? params._meta : {}
    const { progressToken } = meta
    const finish = (): void => {
      if (reply.gone === true) return
      this.answers.set(key, (this.answers.get(key) ?? 0) + 1)
      const content = [{ type: 'text', text: `ran ${key}` }]
      reply.send(result(id, { content, ...(this.era === 'modern' && { resultType: 'complete' }) }))
    }
    if (progressToken !== undefined) {
      for (const progress of [1, 2]) {
        reply.send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress, total: 2 } })
      }
    }
    if (typeof ms === 'number' && ms > 0) this.#later(Math.min(ms, 1_000), finish)
    else finish()
  }

  #later(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      run()
    }, ms)
    this.#timers.add(timer)
  }
}

export function failure(id: unknown, code: number, message: string): Json {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

function result(id: number | string, value: Json): Json {
  return { jsonrpc: '2.0', id, result: value }
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The message in a text; undefined when there is none. */
export function messageIn(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : undefined
  } catch {
    return undefined
  }
}
