import { RpcError } from '../../errors.ts'
import { INTERNAL_ERROR, INVALID_REQUEST } from '../../jsonrpc/error-code.ts'
import type { JSONRPCErrorObject, JSONRPCMessage, JSONRPCRequest, RequestId } from '../../jsonrpc/message.ts'
import { MAX_RUNNING } from './limits.ts'

/** Where messages go: a pipe, the reply stream of one POST, or the session's own stream. */
export interface Channel {
  /** `status` is the HTTP status that an error asks for. */
  send(message: JSONRPCMessage, status?: number): void
  /** One request that came with this channel is over, with an answer or cancelled. */
  settled(): void
}

/** The reason of the signal when the server ends, not the client. */
export const SERVER_CLOSES: unique symbol = Symbol('the server closes')

/** Runs requests, sends their answers, and cancels them by id: a cancelled request gets no answer. */
export class RunningRequests {
  readonly #running = new Map<RequestId, AbortController>()
  readonly #unfinished = new Set<Promise<void>>()

  run(request: JSONRPCRequest, via: Channel, handle: (signal: AbortSignal) => unknown): Promise<void> {
    const over = this.#run(request, via, handle).finally(() => this.#unfinished.delete(over))
    this.#unfinished.add(over)
    return over
  }

  async #run(request: JSONRPCRequest, via: Channel, handle: (signal: AbortSignal) => unknown): Promise<void> {
    const { id } = request
    const abort = new AbortController()
    const { signal } = abort
    let answer: JSONRPCMessage
    let status: number | undefined
    const accepted = !this.#running.has(id) && this.#running.size < MAX_RUNNING
    try {
      if (!accepted) throw new RpcError(INVALID_REQUEST, this.#running.has(id) ? 'this id is in use' : 'too many requests at once')
      this.#running.set(id, abort)
      answer = { jsonrpc: '2.0', id, result: await handle(signal) }
    } catch (error) {
      status = error instanceof RpcError ? error.status : undefined
      answer = { jsonrpc: '2.0', id, error: errorObject(error, signal) }
    }
    if (accepted) this.#running.delete(id)
    if (!signal.aborted || signal.reason === SERVER_CLOSES) via.send(answer, status)
    via.settled()
  }

  cancel(id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.#running.get(id)?.abort(new Error('cancelled'))
  }

  /** Ends what is running; resolves when nothing is. `graceful`: what can still be answered is answered. */
  async close(graceful: boolean): Promise<void> {
    for (const abort of [...this.#running.values()]) abort.abort(graceful ? SERVER_CLOSES : new Error('the client is gone'))
    await Promise.all(this.#unfinished)
  }
}

function errorObject(error: unknown, signal: AbortSignal): JSONRPCErrorObject {
  if (!(error instanceof RpcError)) return { code: INTERNAL_ERROR, message: signal.aborted ? 'the server closes' : 'internal error' }
  return { code: error.rpcCode, message: error.message, ...(error.data !== undefined && { data: error.data }) }
}

/** Settles when the signal fires. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
