import { RpcError } from '../../errors.ts'
import { isObject } from '../../jsonrpc/codec.ts'
import { INTERNAL_ERROR, INVALID_PARAMS } from '../../jsonrpc/error-code.ts'
import type { Params } from '../../jsonrpc/message.ts'
import { META_RELATED_TASK } from '../../protocol/meta-keys.ts'
import { ELICITATION_CREATE, SAMPLING_CREATE } from '../../protocol/methods.ts'
import type { ClientCapabilities, TaskStatus } from '../../protocol/types.ts'
import type { Inbound, RequestHandler, Work } from '../../session/inbound.ts'
import { isTerminal } from './task-state.ts'

/** Tasks that are kept for a server at once; the oldest that has ended is forgotten, and when none has, a new one is refused. */
export const MAX_RECEIVED_TASKS = 256
/** How long a task is kept at most, and where the server does not say. */
export const MAX_RECEIVED_TTL_MS = 3_600_000
const DEFAULT_TTL_MS = 600_000
const POLL_INTERVAL_MS = 1_000
/** Tasks on one page of the list. */
const PAGE_SIZE = 50

/** A question of the server that is answered later. */
interface ReceivedTask {
  readonly id: string
  readonly createdAt: string
  readonly ttlMs: number
  readonly expires: number
  readonly work: Work
  /** Settles when the status is terminal; never rejects. */
  readonly over: Promise<void>
  lastUpdatedAt: string
  status: TaskStatus
  statusMessage?: string
  outcome?: { readonly result: Params } | { readonly error: unknown }
}

/**
 * Questions that a server asks as tasks: it gets an id at once, and the answer when it asks for that. The handlers are those of plain
 * questions. Only in 2025-11-25, and for who turned tasks on.
 * @see spec 2025-11-25 basic/utilities/tasks
 */
export class ReceivedTasks {
  readonly #tasks = new Map<string, ReceivedTask>()

  /** Takes over the questions that ask for a task, of the kinds that a handler answers. */
  static serve(inbound: Inbound): void {
    const requests = {
      ...(inbound.has(SAMPLING_CREATE) && { sampling: { createMessage: {} } }),
      ...(inbound.has(ELICITATION_CREATE) && { elicitation: { create: {} } }),
    }
    if (Object.keys(requests).length === 0) return
    const received = new ReceivedTasks()
    const capability: ClientCapabilities = { tasks: { list: {}, cancel: {}, requests } }
    for (const handler of received.#handlers(capability)) inbound.register(handler)
    inbound.defer = (method, { task } = {}, begin) =>
      (method === SAMPLING_CREATE || method === ELICITATION_CREATE) && isObject(task) ? received.#begin(task, begin) : undefined
  }

  #begin({ ttl }: Params, begin: () => Work): Params {
    this.#makeRoom()
    const now = new Date()
    const ttlMs = typeof ttl === 'number' && ttl >= 0 ? Math.min(Math.trunc(ttl), MAX_RECEIVED_TTL_MS) : DEFAULT_TTL_MS
    const work = begin()
    const task: ReceivedTask = {
      id: crypto.randomUUID(),
      createdAt: now.toISOString(),
      lastUpdatedAt: now.toISOString(),
      ttlMs,
      expires: performance.now() + ttlMs,
      work,
      status: 'working',
      over: work.answer.then(
        (result) => end('completed', { result }),
        (error: unknown) => end('failed', { error }, error instanceof RpcError ? error.message : 'Internal error'),
      ),
    }
    const end = (status: TaskStatus, outcome: ReceivedTask['outcome'], message?: string): void => {
      if (isTerminal(task.status)) return
      Object.assign(task, { status, outcome, lastUpdatedAt: new Date().toISOString() }, message !== undefined && { statusMessage: message })
    }
    this.#tasks.set(task.id, task)
    return { task: written(task) }
  }

  #handlers(capability: ClientCapabilities): readonly RequestHandler[] {
    const serve = (name: string, handle: RequestHandler['handle']): RequestHandler => ({ method: `tasks/${name}`, capability, handle })
    return [
      serve('get', async (params) => written(this.#find(params))),
      serve('result', async (params) => this.#result(this.#find(params))),
      serve('cancel', async (params) => this.#cancel(this.#find(params))),
      serve('list', async (params) => this.#list(params)),
    ]
  }

  async #result(task: ReceivedTask): Promise<Params> {
    await task.over
    const { outcome, id } = task
    if (outcome === undefined) throw new RpcError(INVALID_PARAMS, 'The task was cancelled')
    if ('error' in outcome) throw outcome.error
    const meta = isObject(outcome.result._meta) ? outcome.result._meta : {}
    return { ...outcome.result, _meta: { ...meta, [META_RELATED_TASK]: { taskId: id } } }
  }

  #cancel(task: ReceivedTask): Params {
    if (isTerminal(task.status)) throw new RpcError(INVALID_PARAMS, `The task is ${task.status} already`)
    task.status = 'cancelled'
    task.lastUpdatedAt = new Date().toISOString()
    task.work.abort(new DOMException('the server cancelled its task', 'AbortError'))
    return written(task)
  }

  #list(params: Params | undefined): Params {
    this.#forgetExpired()
    const ids = [...this.#tasks.keys()]
    const cursor = params?.cursor
    const from = cursor === undefined ? 0 : ids.indexOf(String(cursor))
    if (from < 0) throw new RpcError(INVALID_PARAMS, 'This cursor is not known')
    const next = ids[from + PAGE_SIZE]
    const tasks = [...this.#tasks.values()].slice(from, from + PAGE_SIZE).map(written)
    return next === undefined ? { tasks } : { tasks, nextCursor: next }
  }

  #find(params: Params | undefined): ReceivedTask {
    this.#forgetExpired()
    const id = params?.taskId
    const task = typeof id === 'string' ? this.#tasks.get(id) : undefined
    if (task === undefined) throw new RpcError(INVALID_PARAMS, 'This task is not known')
    return task
  }

  /** What is still being answered when its time is over is answered to nobody. */
  #forgetExpired(): void {
    const now = performance.now()
    for (const [id, { expires, status, work }] of this.#tasks) {
      if (expires > now) continue
      this.#tasks.delete(id)
      if (!isTerminal(status)) work.abort(new DOMException('the task has expired', 'AbortError'))
    }
  }

  #makeRoom(): void {
    this.#forgetExpired()
    if (this.#tasks.size < MAX_RECEIVED_TASKS) return
    const oldest = [...this.#tasks.values()].find(({ status }) => isTerminal(status))
    if (oldest === undefined) throw new RpcError(INTERNAL_ERROR, 'Too many tasks at once')
    this.#tasks.delete(oldest.id)
  }
}

function written({ id, status, statusMessage, createdAt, lastUpdatedAt, ttlMs }: ReceivedTask): Params {
  const message = statusMessage === undefined ? {} : { statusMessage }
  return { taskId: id, status, ...message, createdAt, lastUpdatedAt, ttl: ttlMs, pollInterval: POLL_INTERVAL_MS }
}
