import type { TaskDialect } from '../../era/task-dialect.ts'
import { ProtocolError, RpcError, TaskError, UnsupportedError } from '../../errors.ts'
import { INVALID_PARAMS } from '../../jsonrpc/error-code.ts'
import type { JSONRPCNotification, Params } from '../../jsonrpc/message.ts'
import type { Limits } from '../../limits.ts'
import type { ServerCapabilities } from '../../protocol/types.ts'
import type { Logger } from '../../session/logger.ts'
import type { RequestOptions } from '../../session/request-options.ts'
import type { Session } from '../../session/session.ts'
import type { Extensions } from '../extensions.ts'
import type { KeptOptions, KeptRequests } from '../kept-requests.ts'
import type { Filter } from '../live/filter.ts'
import { type ListKind, type Page, type PagesOptions, pages, whole } from '../pagination.ts'
import type { ResultOptions } from '../result-options.ts'
import type { ToolResult } from '../tool-result.ts'
import { patiently } from './patience.ts'
import { Task, type TaskKeeper, type TaskResultOptions } from './task.ts'
import { endError, shown } from './task-state.ts'
import { TaskWatch, type TaskWatchHost } from './task-watch.ts'

export interface TaskSettings {
  readonly limits: Limits
  readonly logger: Logger
  readonly extensions: Extensions
}

/** What tasks need of the client around them. */
export interface TaskHost {
  /** Checks and hands out the result of a tool. */
  settle<Data>(tool: string, raw: Params, options: ResultOptions<Data>): ToolResult<Data> | Promise<ToolResult<Data>>
  /** A task has another state than before. */
  changed(task: Task): void
  /** Wants the server to tell of this until the returned function is called. */
  wish(filter: Filter): () => void
}

/** The tasks of one server, as far as this client knows them. */
export class Tasks implements TaskKeeper, TaskWatchHost {
  readonly session: Session
  readonly #requests: KeptRequests
  readonly #settings: TaskSettings
  readonly #host: TaskHost
  /** Those that somebody waits for, by id. */
  readonly #followed = new Map<string, Set<TaskWatch>>()
  readonly #handles = new WeakMap<TaskWatch, Task>()

  constructor(requests: KeptRequests, settings: TaskSettings, host: TaskHost) {
    this.session = requests.session
    this.#requests = requests
    this.#settings = settings
    this.#host = host
  }

  /** A task that is known by its id alone. */
  byId(id: string, { tool }: { tool?: string | undefined } = {}): Task {
    if (typeof id !== 'string' || id === '') throw new TypeError('task: the id must be a string that is not empty')
    if (tool !== undefined && typeof tool !== 'string') throw new TypeError('task: the name of the tool must be a string')
    return this.open(new TaskWatch(this, id), tool)
  }

  /** The handle of what is followed. */
  open<Data>(watch: TaskWatch, tool?: string, options?: ResultOptions<Data>): Task<Data> {
    const task = new Task<Data>(this, watch, tool, options)
    this.#handles.set(watch, task)
    return task
  }

  list(options?: KeptOptions): Promise<Task[]> {
    return whole(this.#requests, 'tasks/list', (each) => this.pages(each), options)
  }

  async *pages(options?: PagesOptions): AsyncGenerator<Page<Task>, void, void> {
    const { dialect, capabilities } = await this.#terms('tasks/list', options)
    if (!dialect.lists(capabilities)) throw this.unsupported('the server has no list of tasks', 'tasks/list')
    const kind: ListKind<Params> = {
      method: 'tasks/list',
      key: 'tasks',
      accepts: (entry): entry is Params => dialect.state(entry) !== undefined,
    }
    const warn = (problem: string): void => this.#settings.logger.warn(`${this.session.name}: ${problem}`)
    for await (const { items, nextCursor } of pages(this.#requests, kind, this.#settings.limits, warn, options)) {
      const states = items.map((entry) => dialect.state(entry)).filter((state) => state !== undefined)
      yield { items: states.map((state) => this.open(new TaskWatch(this, state.id, state))), nextCursor }
    }
  }

  /** A notification of the server, which may tell of a task. */
  notified({ method, params }: JSONRPCNotification): void {
    const dialect = this.session.current?.era.tasks
    const state = method === dialect?.notification ? dialect.state(params) : undefined
    if (state === undefined) return
    const watches = this.#followed.get(state.id)
    for (const watch of watches ?? []) watch.take(state)
    if (watches === undefined) this.#host.changed(this.open(new TaskWatch(this, state.id, state)))
  }

  /** Why the server runs no tool as a task now, or undefined. */
  async refusal(method: string, options?: RequestOptions): Promise<string | undefined> {
    const { era, discovered } = await this.session.linked(method, options)
    if (era.tasks === undefined) return `the protocol revision ${era.version} has no tasks`
    return era.tasks.refusal(discovered.capabilities, this.#settings.extensions.settings)
  }

  async dialect(method: string, options?: RequestOptions): Promise<TaskDialect> {
    return (await this.#terms(method, options)).dialect
  }

  follow(watch: TaskWatch, { listenField }: TaskDialect): () => void {
    const same = this.#followed.get(watch.id) ?? new Set()
    this.#followed.set(watch.id, same.add(watch))
    // Whether the server tells or not, it is asked as well.
    if (listenField === undefined) this.session.listen()
    const unwish = listenField === undefined ? undefined : this.#host.wish({ [listenField]: [watch.id] })
    return () => {
      unwish?.()
      if (same.delete(watch) && same.size === 0) this.#followed.delete(watch.id)
    }
  }

  changed(watch: TaskWatch): void {
    this.#host.changed(this.#handles.get(watch) ?? this.open(watch))
  }

  settle<Data>(tool: string | undefined, raw: Params, options: ResultOptions<Data>): ToolResult<Data> | Promise<ToolResult<Data>> {
    return this.#host.settle(tool ?? '', raw, options)
  }

  news(watch: TaskWatch, signal: AbortSignal | undefined): Promise<void> {
    return patiently(this.session, { signal }, (ends) => watch.news(ends))
  }

  async result<Data>(watch: TaskWatch, tool: string | undefined, options: TaskResultOptions<Data>): Promise<ToolResult<Data>> {
    const unfollow = watch.follow()
    try {
      await patiently(this.session, { ...options, what: `the task ${shown(watch.id)}` }, async (signal) => {
        while (!watch.isTerminal && watch.outcome === undefined) await watch.news(signal)
        if (watch.outcome === undefined && watch.state?.status !== 'cancelled') await watch.fetchOutcome(signal)
      })
    } finally {
      unfollow()
    }
    return this.settle(tool, this.#resultOf(watch), options)
  }

  async cancel(watch: TaskWatch, options?: RequestOptions): Promise<void> {
    const { dialect, capabilities } = await this.#terms('tasks/cancel', options)
    if (watch.isTerminal) throw this.#over(watch)
    if (!dialect.cancels(capabilities)) throw this.unsupported('the server does not cancel tasks', 'tasks/cancel')
    let answer: Params
    try {
      answer = await this.session.request('tasks/cancel', { taskId: watch.id }, options)
    } catch (error) {
      if (!(error instanceof RpcError) || error.rpcCode !== INVALID_PARAMS) throw error
      // Unknown and ended have one code: the state tells them apart.
      await watch.poll(options)
      throw watch.isTerminal ? this.#over(watch, error) : error
    }
    const state = dialect.state(answer)
    if (state?.id === watch.id) watch.take(state)
    // Only acknowledged: what became of it is asked, and need not be known.
    else await watch.poll(options).catch(() => {})
  }

  unsupported(message: string, method: string): UnsupportedError {
    return new UnsupportedError(message, { server: this.session.name, method })
  }

  #resultOf(watch: TaskWatch): Params {
    const { outcome, state } = watch
    const server = this.session.name
    if (outcome !== undefined && 'result' in outcome) return outcome.result
    if (state?.status === 'cancelled') throw endError(state, 'cancelled', server)
    if (state?.status === 'failed') {
      const cause = outcome && new RpcError(outcome.error.code, outcome.error.message, outcome.error.data, { server, outcome: 'answered' })
      throw endError(state, 'failed', server, cause)
    }
    throw new ProtocolError(`the task ${shown(watch.id)} has ended without a result`, { server, method: 'tasks/get', outcome: 'answered' })
  }

  #over({ id, state }: TaskWatch, cause?: unknown): TaskError {
    const about = { server: this.session.name, method: 'tasks/cancel', outcome: 'not-run', cause } as const
    return new TaskError(`the task ${shown(id)} is ${state?.status} already`, 'terminal', about)
  }

  async #terms(method: string, options?: RequestOptions): Promise<{ dialect: TaskDialect; capabilities: ServerCapabilities }> {
    const { era, discovered } = await this.session.linked(method, options)
    const { tasks: dialect } = era
    // What belongs to the revision needs no switch; an extension must be on, and there.
    const refusal = dialect?.wish === undefined ? await this.refusal(method, options) : undefined
    if (dialect === undefined || refusal !== undefined) throw this.unsupported(refusal ?? 'there are no tasks', method)
    return { dialect, capabilities: discovered.capabilities }
  }
}
