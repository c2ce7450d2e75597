import type { TaskDialect } from '../../era/task-dialect.ts'
import type { JSONRPCNotification, Params } from '../../jsonrpc/message.ts'
import { TOOLS_CALL } from '../../protocol/methods.ts'
import { peerText } from '../../protocol/peer-text.ts'
import type { Tool } from '../../protocol/types.ts'
import { bounded } from '../../session/bounded.ts'
import type { CallContext } from '../../session/interceptor.ts'
import type { RequestOptions } from '../../session/request-options.ts'
import type { ToolCallOptions } from '../tool-options.ts'
import type { ToolResult } from '../tool-result.ts'
import { Task } from './task.ts'
import { TaskProgress } from './task-progress.ts'
import { TaskWatch } from './task-watch.ts'
import type { TaskSettings, Tasks } from './tasks.ts'

export interface TaskCallSettings extends TaskSettings {
  readonly maxTotalTimeoutMs: number
}

/** Options of a call that runs as a task. */
export interface TaskCallOptions<Data = unknown> extends ToolCallOptions<Data> {
  /** How long the server should keep the task, in ms from its beginning: a wish. Default: as the server likes. */
  ttlMs?: number | undefined
}

/** A call of a tool, ready to be sent. */
export interface ReadyCall {
  readonly tool: string
  readonly params: Params
  readonly context: CallContext
  /** The tool's definition, read from the server where none is held. */
  lookUp(): Promise<Tool | undefined>
}

/** Calls of tools that run as tasks. */
export class TaskCalls {
  readonly tasks: Tasks
  readonly #settings: TaskCallSettings
  readonly #progress: TaskProgress

  constructor(tasks: Tasks, settings: TaskCallSettings) {
    this.tasks = tasks
    this.#settings = settings
    this.#progress = new TaskProgress(settings.logger)
  }

  /** Calls a tool so that it runs as a task, as far as the era lets the client say so. */
  async begin<Data>(call: ReadyCall, { ttlMs, ...options }: TaskCallOptions<Data>): Promise<Task<Data>> {
    if (ttlMs !== undefined && !(Number.isSafeInteger(ttlMs) && ttlMs > 0))
      throw new TypeError('ttlMs must be a positive whole number of milliseconds')
    const { session } = this.tasks
    const { era } = await session.linked(TOOLS_CALL, options)
    const refusal = await this.tasks.refusal(TOOLS_CALL, options)
    if (era.tasks === undefined || refusal !== undefined) throw this.tasks.unsupported(refusal ?? 'there are no tasks', TOOLS_CALL)
    if (era.tasks.wish !== undefined) {
      const definition = await call.lookUp()
      if (definition !== undefined && (definition.execution?.taskSupport ?? 'forbidden') === 'forbidden')
        throw this.tasks.unsupported(`the tool "${peerText(call.tool, 128)}" does not run as a task; callTool runs it`, TOOLS_CALL)
      return this.#wish(era.tasks, { ...call, params: { ...call.params, ...era.tasks.wish(ttlMs) } }, options)
    }
    const raw = await session.request(TOOLS_CALL, call.params, options, call.context)
    return this.#became(era.tasks, call.tool, raw, options)
  }

  /** Whether a call may ask for a task. */
  async mayWish(options?: RequestOptions): Promise<boolean> {
    const { era } = await this.tasks.session.linked(TOOLS_CALL, options)
    return era.tasks?.wish !== undefined && (await this.tasks.refusal(TOOLS_CALL, options)) === undefined
  }

  /** The result of a call that the server answered with a task. */
  async drive<Data>(tool: string, raw: Params, options: ToolCallOptions<Data>, since: number): Promise<ToolResult<Data>> {
    const dialect = this.tasks.session.link.era.tasks
    return dialect === undefined
      ? this.tasks.settle(tool, raw, options)
      : this.finish(this.#became(dialect, tool, raw, options), options, since)
  }

  /** Follows the task that a call became to its result. A call that is given up takes its task with it. */
  async finish<Data>(task: Task<Data>, options: ToolCallOptions<Data>, since: number): Promise<ToolResult<Data>> {
    const total = options.maxTotalTimeoutMs ?? this.#settings.maxTotalTimeoutMs
    const { signal, output, throwOnToolError } = options
    try {
      return await task.result({ signal, output, throwOnToolError, timeoutMs: Math.max(total - (performance.now() - since), 1) })
    } catch (error) {
      if (!task.isTerminal) this.#abandon(task)
      throw error
    }
  }

  /** A progress notification, which may be of a task. */
  progressed(notification: JSONRPCNotification): void {
    this.#progress.notified(notification)
  }

  /** Only the task can be cancelled, so a call that is given up is so when its task is known. */
  async #wish<Data>(dialect: TaskDialect, { tool, params, context }: ReadyCall, options: ToolCallOptions<Data>): Promise<Task<Data>> {
    const { signal, onProgress, ...rest } = options
    signal?.throwIfAborted()
    const token = onProgress && this.#progress.listen(onProgress)
    const meta = token === undefined ? rest.meta : { ...rest.meta, progressToken: token }
    const answer = this.tasks.session.request(TOOLS_CALL, params, { ...rest, meta }, { ...context, quiet: true })
    try {
      return this.#became(dialect, tool, await bounded(answer, [signal]), options, token)
    } catch (error) {
      if (token !== undefined) this.#progress.ended(token)
      if (signal?.aborted) {
        answer.then(
          (raw) => {
            const task = this.#became(dialect, tool, raw, {})
            if (!task.isTerminal) this.#abandon(task)
          },
          () => {},
        )
      }
      throw error
    }
  }

  #became<Data>(dialect: TaskDialect, tool: string, raw: Params, options: ToolCallOptions<Data>, token?: string): Task<Data> {
    const state = dialect.created(raw)
    if (state === undefined) {
      if (token !== undefined) this.#progress.ended(token)
      return new Task<Data>(this.tasks, { answer: raw }, tool, options)
    }
    const { onStatus } = options
    const watch = new TaskWatch(this.tasks, state.id, state)
    const task = this.tasks.open(watch, tool, options)
    watch.onChanged = () => {
      if (token !== undefined && watch.isTerminal) this.#progress.ended(token)
      if (onStatus !== undefined) this.#tell(onStatus, task)
    }
    if (onStatus !== undefined) this.#tell(onStatus, task)
    return task
  }

  #abandon<Data>(task: Task<Data>): void {
    task.cancel().catch(() => this.#settings.logger.debug(`${this.tasks.session.name} could not be told that a task was given up`))
  }

  #tell<Data>(onStatus: (task: Task<Data>) => void, task: Task<Data>): void {
    try {
      onStatus(task)
    } catch (error) {
      this.#settings.logger.error(`onStatus threw: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}
