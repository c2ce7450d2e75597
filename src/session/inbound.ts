import { McpError, RpcError } from '../errors.ts'
import { isObject } from '../jsonrpc/codec.ts'
import { INTERNAL_ERROR, METHOD_NOT_FOUND } from '../jsonrpc/error-code.ts'
import type { JSONRPCNotification, JSONRPCRequest, JSONRPCResponse, Params, RequestId } from '../jsonrpc/message.ts'
import type { Limits } from '../limits.ts'
import { META_RELATED_TASK } from '../protocol/meta-keys.ts'
import { CANCELLED } from '../protocol/methods.ts'
import { peerText } from '../protocol/peer-text.ts'
import type { ClientCapabilities } from '../protocol/types.ts'
import type { Connection } from '../transport/transport.ts'
import { timerDelay } from './deadline.ts'
import type { Logger } from './logger.ts'

/** What a handler learns of the request it answers. */
export interface HandlerContext {
  /** Aborted when the server or the caller gave up, or `handlerTimeoutMs` is over. */
  readonly signal: AbortSignal
  /** The server's name. */
  readonly server: string
}

/** Answers one method of the server, whichever way an era brings it. */
export interface RequestHandler {
  readonly method: string
  /** What is declared while the handler stands. */
  readonly capability: ClientCapabilities
  /** The result. An `RpcError` is told to the server as it is; anything else that is thrown becomes a constant text. */
  handle(params: Params | undefined, context: HandlerContext): Promise<Params>
  /** The result when the handler took too long. Without it the server gets an error. */
  readonly late?: Params
}

/** A handler at work. */
export interface Work {
  readonly answer: Promise<Params>
  abort(reason: unknown): void
}

/**
 * Answers a question at once, with something that stands for its answer; undefined where it is to be answered plainly. `begin` sets the
 * handler to work.
 */
export type Defer = (method: string, params: Params | undefined, begin: () => Work) => Params | undefined

export interface InboundSettings {
  /** The server's name. */
  readonly name: string
  readonly logger: Logger
  readonly handlerTimeoutMs: number
  readonly limits: Pick<Limits, 'maxInboundRequests' | 'maxPeerTextChars'>
}

/** Runs handlers for the server's questions, bounded in number and time, off the reader. */
export class Inbound {
  readonly #settings: InboundSettings
  // Most clients answer nothing.
  #handlers: Map<string, RequestHandler> | undefined
  #running: Map<RequestId, AbortController> | undefined
  #holds: Set<() => () => void> | undefined
  #count = 0
  /** Handlers whose answers come later. */
  #later: Set<AbortController> | undefined
  /** Takes over questions that need not be answered at once. */
  defer: Defer | undefined

  constructor(settings: InboundSettings) {
    this.#settings = settings
  }

  register(handler: RequestHandler): void {
    this.#handlers ??= new Map()
    this.#handlers.set(handler.method, handler)
  }

  has(method: string): boolean {
    return this.#handlers?.has(method) ?? false
  }

  get size(): number {
    return this.#handlers?.size ?? 0
  }

  /** Computed from what is registered, in this one place. */
  capabilities(): ClientCapabilities {
    if (this.#handlers === undefined) return NONE
    return Object.assign({}, ...[...this.#handlers.values()].map((handler) => handler.capability))
  }

  /** Calls `hold` when a handler begins, and what that returns when the handler has ended. Returns what ends this. */
  whileAnswering(hold: () => () => void): () => void {
    this.#holds ??= new Set()
    const holds = this.#holds.add(hold)
    return () => {
      holds.delete(hold)
    }
  }

  /**
   * Answers a request of the server over the link it came on. `held` stops the clocks meanwhile and returns what starts them again.
   * @param defers The link's revision has answers that come later.
   */
  request(message: JSONRPCRequest, from: Connection, held: () => () => void, defers: boolean): void {
    const { id, method, params } = message
    if (method === 'ping') {
      this.#reply(from, { jsonrpc: '2.0', id, result: {} })
      return
    }
    const { limits, logger, name: server } = this.#settings
    const { maxInboundRequests, maxPeerTextChars } = limits
    if (!this.has(method)) {
      logger.debug(`${server} asked for ${peerText(method, maxPeerTextChars)}, which nothing here answers`)
      this.#reply(from, failure(id, METHOD_NOT_FOUND, 'Method not found'))
      return
    }
    if (this.#count >= maxInboundRequests) {
      logger.warn(`${server} asks more than maxInboundRequests (${maxInboundRequests}) questions at once; refused one`)
      this.#reply(from, failure(id, INTERNAL_ERROR, 'Too many requests at once'))
      return
    }
    if (defers && this.#deferred(message, from, held)) return
    const controller = new AbortController()
    this.#running ??= new Map()
    this.#running.set(id, controller)
    const release = held()
    void this.answer(method, params, controller)
      .then(
        (result): JSONRPCResponse => ({ jsonrpc: '2.0', id, result: related(result, params) }),
        (error: unknown) => this.#refusal(id, method, error),
      )
      .then((response) => {
        release()
        this.#running?.delete(id)
        // The server took its question back: nobody waits for an answer.
        if (controller.signal.reason !== WITHDRAWN) this.#reply(from, response)
      })
  }

  #deferred({ id, method, params }: JSONRPCRequest, from: Connection, held: () => () => void): boolean {
    const begin = (): Work => {
      const controller = new AbortController()
      const release = held()
      const answer = this.answer(method, params, controller).finally(release)
      this.#later ??= new Set()
      const later = this.#later.add(controller)
      answer.catch(() => {}).finally(() => later.delete(controller))
      return { answer, abort: (reason) => controller.abort(reason) }
    }
    try {
      const result = this.defer?.(method, params, begin)
      if (result === undefined) return false
      this.#reply(from, { jsonrpc: '2.0', id, result })
    } catch (error) {
      this.#reply(from, this.#refusal(id, method, error))
    }
    return true
  }

  /** The result of a handler, or what it threw; bounded by `handlerTimeoutMs`. */
  async answer(method: string, params: Params | undefined, controller: AbortController): Promise<Params> {
    const handler = this.#handlers?.get(method)
    if (handler === undefined) throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
    const { name: server, handlerTimeoutMs } = this.#settings
    this.#count++
    const releases = [...(this.#holds ?? [])].map((hold) => hold())
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      const over = new Promise<Params>((resolve, reject) => {
        controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true })
        timer = setTimeout(() => {
          const error = new McpError(`the handler of ${method} took longer than handlerTimeoutMs (${handlerTimeoutMs})`, { server })
          if (handler.late !== undefined) resolve(handler.late)
          controller.abort(error)
        }, timerDelay(handlerTimeoutMs))
      })
      return await Promise.race([handler.handle(params, { signal: controller.signal, server }), over])
    } finally {
      clearTimeout(timer)
      this.#count--
      for (const release of releases) release()
    }
  }

  /** The server took a question back. Unknown ids are none of our business. @see spec basic/patterns/cancellation */
  cancelled(message: JSONRPCNotification): boolean {
    const id = message.method === CANCELLED ? message.params?.requestId : undefined
    const controller = typeof id === 'string' || typeof id === 'number' ? this.#running?.get(id) : undefined
    controller?.abort(WITHDRAWN)
    return controller !== undefined
  }

  close(reason: unknown): void {
    for (const controller of [...(this.#running?.values() ?? []), ...(this.#later ?? [])]) controller.abort(reason)
  }

  #refusal(id: RequestId, method: string, error: unknown): JSONRPCResponse {
    if (error instanceof RpcError) return failure(id, error.rpcCode, error.message, error.data)
    const { logger, name: server } = this.#settings
    logger.error(`the handler of ${method} for ${server} failed: ${error instanceof Error ? error.message : String(error)}`)
    return failure(id, INTERNAL_ERROR, 'Internal error')
  }

  #reply(to: Connection, response: JSONRPCResponse): void {
    const { logger, name: server } = this.#settings
    const gone = (): void => logger.debug(`an answer to ${server} could not be sent: the link is gone`)
    to.post(response).catch((error: unknown) => {
      if (!(error instanceof TypeError) || !('result' in response)) return gone()
      logger.error(`the answer of a handler for ${server} is no JSON: ${error.message}`)
      to.post(failure(response.id, INTERNAL_ERROR, 'Internal error')).catch(gone)
    })
  }
}

const NONE: ClientCapabilities = Object.freeze({})
const WITHDRAWN = new McpError('the server withdrew its request')

/** What belongs to a task says so, and its answer does. */
function related(result: Params, asked: Params | undefined): Params {
  const task = isObject(asked?._meta) ? asked._meta[META_RELATED_TASK] : undefined
  return task === undefined ? result : { ...result, _meta: { ...(isObject(result._meta) && result._meta), [META_RELATED_TASK]: task } }
}

function failure(id: RequestId, code: number, message: string, data?: unknown): JSONRPCResponse {
  return { jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } }
}
