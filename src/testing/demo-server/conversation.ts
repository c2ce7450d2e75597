import { isObject } from '../../jsonrpc/codec.ts'
import { INVALID_REQUEST, PARSE_ERROR } from '../../jsonrpc/error-code.ts'
import type { Params } from '../../jsonrpc/message.ts'
import type { DemoCore } from './core.ts'
import { LegacyConversation } from './legacy.ts'
import { ModernRequests, VERSION_KEY } from './modern.ts'
import type { Channel } from './running-requests.ts'

/** Whether a message belongs to the modern era. `started`: the legacy handshake was made before. */
export function isModern(core: DemoCore, message: Params, started: boolean): boolean {
  if (core.modern.length === 0 || core.legacy.length === 0) return core.legacy.length === 0
  const { method, params } = message
  if (method === 'initialize') return false
  if (isObject(params) && isObject(params._meta) && params._meta[VERSION_KEY] !== undefined) return true
  return !started && method !== 'ping'
}

/** One client on a pipe, in whichever era it speaks. */
export class Conversation {
  readonly #core: DemoCore
  readonly #pipe: Channel
  readonly #legacy: LegacyConversation
  readonly #modern: ModernRequests

  constructor(core: DemoCore, pipe: Channel) {
    this.#core = core
    this.#pipe = pipe
    this.#legacy = new LegacyConversation(core, pipe)
    this.#modern = new ModernRequests(core)
  }

  /** Takes one JSON text. */
  receive(line: string): void {
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      this.refuse(PARSE_ERROR, 'this is no JSON')
      return
    }
    if (Array.isArray(message) && this.#legacy.features?.batches) for (const one of message) this.#take(one)
    else this.#take(message)
  }

  /** Answers something that has no id. */
  refuse(code: number, message: string): void {
    this.#pipe.send({ jsonrpc: '2.0', error: { code, message } })
  }

  #take(message: unknown): void {
    if (!isObject(message)) {
      this.refuse(INVALID_REQUEST, 'this is no JSON-RPC 2.0 message')
      return
    }
    const modern = isModern(this.#core, message, this.#legacy.features !== undefined)
    const era = modern ? this.#modern : this.#legacy
    era.receive(message, this.#pipe)
    if (message.method !== 'notifications/cancelled') return
    const other = modern ? this.#legacy : this.#modern
    other.receive(message, this.#pipe)
  }

  async close(graceful: boolean): Promise<void> {
    await Promise.all([this.#legacy.close(graceful), this.#modern.close(graceful)])
  }
}
