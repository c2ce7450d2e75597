import type { Declaration, Link } from '../era/era.ts'
import type { Params, RequestId } from '../jsonrpc/message.ts'
import type { Logger } from './logger.ts'
import { onAbort } from './on-abort.ts'
import { resultOf } from './result-of.ts'
import { type OnTheWire, withdraw } from './withdraw.ts'

export interface StreamHost {
  readonly name: string
  readonly logger: Logger
  readonly declared: Declaration
  nextId(): RequestId
}

export interface StreamOptions {
  /** Called with the id before anything is sent: messages that belong to the stream name it. */
  readonly started: (id: RequestId) => void
  /** Ends the stream; the server is told. */
  readonly signal: AbortSignal
}

/**
 * Requests that are answered when they are over, and bring messages until then. They have no deadline, hold no link back, and are not sent
 * again: who opens one decides what its end means.
 */
export class Streams {
  readonly #host: StreamHost
  readonly #open = new Map<unknown, OnTheWire>()

  constructor(host: StreamHost) {
    this.#host = host
  }

  /** Resolves when the server ends the stream in an orderly way. */
  async open(link: Link, method: string, params: Params, { started, signal }: StreamOptions): Promise<Params> {
    const { era, connection } = link
    const { name, logger, declared } = this.#host
    signal.throwIfAborted()
    const id = this.#host.nextId()
    const stream: OnTheWire = { id, method, connection, era }
    const untold = (): void => logger.debug(`${name} could not be told that ${method} is over`)
    const unwatch = onAbort(signal, (reason) => withdraw(stream, reason, 'no longer wanted', untold))
    this.#open.set(id, stream)
    started(id)
    try {
      const encoded = era.encode(params, undefined, declared)
      const headers = connection.ownReplyStream ? era.headers(method, encoded, undefined, declared.extended) : undefined
      const message = { jsonrpc: '2.0', id, method, ...(encoded !== undefined && { params: encoded }) } as const
      return resultOf(await connection.exchange(message, { headers }), method, era)
    } catch (error) {
      if (error === ENDED_BY_SERVER) return {}
      throw error
    } finally {
      unwatch()
      this.#open.delete(id)
    }
  }

  /** The server says by a notification that a stream is over: the way of a pipe. True when it was one of these. */
  ended(id: unknown): boolean {
    const stream = this.#open.get(id)
    stream?.connection.abandon(stream.id, ENDED_BY_SERVER)
    return stream !== undefined
  }
}

const ENDED_BY_SERVER: unique symbol = Symbol('the server ended the stream')
