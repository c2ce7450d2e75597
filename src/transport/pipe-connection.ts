import { type CloseReason, ConnectionError, McpError, ProtocolError } from '../errors.ts'
import { isErrorResponse, isNotification, isObject, isRequest, isResponse } from '../jsonrpc/codec.ts'
import type { JSONRPCMessage, Params, RequestId } from '../jsonrpc/message.ts'
import { peerText } from '../protocol/peer-text.ts'
import { Settleable } from './settleable.ts'
import type { Answer, Connection, Inbound, LinkTerms, OpenOptions } from './transport.ts'

export interface Pipe {
  /**
   * Hands one message over; `headers` are those of this request, for a pipe that has such. A rejection or a throw means that no byte of it
   * left, unless it is an `McpError` with an `outcome` of its own.
   */
  write(message: JSONRPCMessage, headers?: Readonly<Record<string, string>>): void | Promise<void>
  /** The handshake is done. */
  adopt?(terms: LinkTerms): void
  /** An exchange is over: answered, failed or abandoned. */
  settled?(id: RequestId): void
  close(): Promise<void>
}

export interface PipeEnd {
  readonly connection: Connection
  /** Takes one parsed message from the peer; a batch is taken apart. */
  receive(value: unknown): void
  /** Rejects the exchange that a message too large or damaged belonged to. */
  reject(id: RequestId, error: McpError): boolean
  /** No message can be sent any more, but running exchanges may still be answered. */
  lose(reason: CloseReason): void
  /** All is over: every exchange is rejected at once. */
  fail(reason: CloseReason): void
}

interface Waiting {
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** A connection over a shared channel: one pending table, messages handled synchronously in arrival order. */
export function pipeConnection(pipe: Pipe, inbound: Inbound, options: OpenOptions): PipeEnd {
  const waiting = new Map<RequestId, Waiting>()
  const lost = new Settleable<CloseReason>()
  const closed = new Settleable<CloseReason>()

  const connection: Connection = {
    ownReplyStream: false,
    get lost() {
      return lost.promise
    },
    get closed() {
      return closed.promise
    },
    exchange(request, exchangeOptions) {
      if (lost.value !== undefined) return Promise.reject(new ConnectionError(lost.value, { outcome: 'not-run' }))
      return new Promise<Answer>((resolve, reject) => {
        waiting.set(request.id, { resolve, reject })
        try {
          pipe.write(request, exchangeOptions?.headers)?.catch((cause: unknown) => unsent(request.id, cause))
        } catch (cause) {
          unsent(request.id, cause)
        }
      })
    },
    abandon(id, reason) {
      settle(id)?.reject(reason)
    },
    async post(message) {
      if (lost.value !== undefined) throw new ConnectionError(lost.value, { outcome: 'not-run' })
      await pipe.write(message)
    },
    adopt: (terms) => pipe.adopt?.(terms),
    listen() {},
    close: () => pipe.close(),
  }

  /** The one who waits for this id, once. */
  const settle = (id: RequestId): Waiting | undefined => {
    const entry = waiting.get(id)
    if (entry === undefined) return undefined
    waiting.delete(id)
    pipe.settled?.(id)
    return entry
  }

  const unsent = (id: RequestId, cause: unknown): void => {
    settle(id)?.reject(notSent(cause))
  }

  const receive = (value: unknown): void => {
    if (closed.value !== undefined) return
    if (Array.isArray(value)) for (const message of value) take(message)
    else take(value)
  }

  const take = (value: unknown): void => {
    if (!isObject(value)) {
      options.report?.(
        `skipped a message that is no JSON-RPC object (${value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value})`,
      )
    } else if (isResponse(value)) {
      answer(value)
    } else if (isNotification(value) || isRequest(value)) {
      inbound(value, connection)
    } else {
      skip(value)
    }
  }

  /** What has the id of a request of ours and no method was meant as its answer; to wait for another one would be in vain. */
  const skip = (value: Params): void => {
    const { id, method } = value
    const entry = (typeof id === 'string' || typeof id === 'number') && method === undefined ? settle(id) : undefined
    if (entry === undefined) {
      options.report?.(`skipped a message that is no JSON-RPC 2.0: ${peerText(shown(value), options.limits.maxPeerTextChars)}`)
    } else {
      entry.reject(new ProtocolError('the server answered with neither a result nor an error', { outcome: 'answered' }))
    }
  }

  const answer = (message: Answer): void => {
    const { id } = message
    const entry = id === undefined || id === null ? undefined : settle(id)
    if (entry !== undefined) {
      entry.resolve(message)
    } else if (isErrorResponse(message) && (id === undefined || id === null)) {
      options.report?.(`the server sent an error for no request: ${peerText(message.error.message, options.limits.maxPeerTextChars)}`)
    } else {
      options.report?.(`dropped an answer with the id ${peerText(JSON.stringify(id), 100)}, which no request waits for`)
    }
  }

  return {
    connection,
    receive,
    reject(id, error) {
      const entry = settle(id)
      entry?.reject(error)
      return entry !== undefined
    },
    lose(reason) {
      lost.settle(reason)
    },
    fail(reason) {
      lost.settle(reason)
      for (const entry of waiting.values()) entry.reject(new ConnectionError(reason, { outcome: 'unknown' }))
      waiting.clear()
      closed.settle(reason)
    },
  }
}

/** A message as text; one that is nested too deeply to be written is named only. */
function shown(value: Params): string {
  try {
    return JSON.stringify(value)
  } catch {
    return 'an object that is nested too deeply'
  }
}

function notSent(cause: unknown): unknown {
  // A TypeError is the caller's: its message cannot be written as JSON.
  if (cause instanceof ConnectionError || cause instanceof TypeError) return cause
  if (cause instanceof McpError && cause.outcome !== undefined) return cause
  const why = cause instanceof Error ? cause.message : String(cause)
  return new ConnectionError({ kind: 'stream', message: `the message could not be sent: ${why}`, cause }, { outcome: 'not-run' })
}
