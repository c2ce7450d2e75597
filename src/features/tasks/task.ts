import type { TaskState } from '../../era/task-dialect.ts'
import { TaskError } from '../../errors.ts'
import type { Params } from '../../jsonrpc/message.ts'
import type { TaskStatus } from '../../protocol/types.ts'
import type { RequestOptions } from '../../session/request-options.ts'
import type { ResultOptions } from '../result-options.ts'
import type { ToolResult } from '../tool-result.ts'
import { isTerminal } from './task-state.ts'
import type { TaskWatch } from './task-watch.ts'

/** How long a result is waited for, and how it is handed out. */
export interface TaskResultOptions<Data = unknown> extends ResultOptions<Data> {
  /** Ends the waiting, not the task; the promise rejects with `signal.reason`. */
  signal?: AbortSignal | undefined
  /** How long to wait at most, in ms. Default: as long as the task lives. At the limit: `TimeoutError`; the task goes on. */
  timeoutMs?: number | undefined
}

/** What a task needs of the client that follows it. */
export interface TaskKeeper {
  readonly session: { readonly name: string }
  /** Waits for the end of a task and hands out its result. */
  result<Data>(watch: TaskWatch, tool: string | undefined, options: TaskResultOptions<Data>): Promise<ToolResult<Data>>
  /** Hands out a result that is there. */
  settle<Data>(tool: string | undefined, raw: Params, options: ResultOptions<Data>): ToolResult<Data> | Promise<ToolResult<Data>>
  cancel(watch: TaskWatch, options: RequestOptions | undefined): Promise<void>
  /** Resolves when something was heard of a task that is followed. */
  news(watch: TaskWatch, signal: AbortSignal | undefined): Promise<void>
}

/** A tool that runs on its server while nobody has to wait. Begun by `callToolAsTask`, found again by `client.task`. @see spec tasks */
export class Task<Data = unknown> {
  /** The tool that runs, where that is known: the result is checked by its definition. */
  readonly tool: string | undefined
  readonly #keeper: TaskKeeper
  readonly #of: TaskWatch | { readonly answer: Params }
  readonly #options: ResultOptions<Data>

  /** @internal Made by a client. `of`: what is followed, or the answer of a server that had it at once. */
  constructor(
    keeper: TaskKeeper,
    of: TaskWatch | { readonly answer: Params },
    tool: string | undefined,
    options: ResultOptions<Data> = {},
  ) {
    this.#keeper = keeper
    this.#of = of
    this.tool = tool
    this.#options = options
  }

  /** The server that it runs on, as this client calls it. */
  get server(): string {
    return this.#keeper.session.name
  }

  /** What finds the task again, in any process; undefined when the server answered at once. Who knows it may have the result. */
  get id(): string | undefined {
    return 'answer' in this.#of ? undefined : this.#of.id
  }

  /** Undefined until the first update of a task that was found by its id. */
  get status(): TaskStatus | undefined {
    return 'answer' in this.#of ? 'completed' : this.#state?.status
  }

  /** The server's words about the status, for people or a model. Untrusted. */
  get statusMessage(): string | undefined {
    return this.#state?.statusMessage
  }

  /** ISO 8601, by the server's clock. */
  get createdAt(): string | undefined {
    return this.#state?.createdAt
  }

  /** ISO 8601, by the server's clock. */
  get lastUpdatedAt(): string | undefined {
    return this.#state?.lastUpdatedAt
  }

  /** How long the server keeps the task from `createdAt` on; null without limit. */
  get ttlMs(): number | null | undefined {
    return this.#state?.ttlMs
  }

  /** How often the server wants to be asked. */
  get pollIntervalMs(): number | undefined {
    return this.#state?.pollIntervalMs
  }

  /** It has ended: `completed`, `failed` or `cancelled`. */
  get isTerminal(): boolean {
    return isTerminal(this.status)
  }

  /** It waits for answers, which the handlers of this client give while the task is followed. */
  get isInputRequired(): boolean {
    return this.status === 'input_required'
  }

  /** Asks the server once, and answers no question. Resolves with the task itself. */
  async refresh(options?: RequestOptions): Promise<this> {
    if (!('answer' in this.#of) && !this.isTerminal) await this.#of.poll(options)
    return this
  }

  /**
   * Yields the task as it is and at each change, until it has ended: as the server tells, and asked at its interval. Meanwhile its questions
   * are answered. Leaving the loop leaves the task running.
   */
  async *updates({ signal }: { signal?: AbortSignal | undefined } = {}): AsyncGenerator<this, void, void> {
    const watch = this.#of
    if ('answer' in watch) {
      yield this
      return
    }
    const unfollow = watch.follow()
    try {
      for (let seen = 0; ; ) {
        if (watch.changes > seen) {
          seen = watch.changes
          yield this
        }
        if (watch.isTerminal && watch.changes === seen) return
        if (watch.changes === seen) await this.#keeper.news(watch, signal)
      }
    } finally {
      unfollow()
    }
  }

  /**
   * The result, when the task has ended; meanwhile its questions are answered. Checked and handed out like that of `callTool`.
   * @throws TaskError when the task failed, was cancelled, has expired or is not known.
   */
  async result(options: TaskResultOptions<Data> = {}): Promise<ToolResult<Data>> {
    const of = this.#of
    const all = { ...this.#options, ...options }
    return 'answer' in of ? this.#keeper.settle(this.tool, of.answer, all) : this.#keeper.result(of, this.tool, all)
  }

  /** Asks the server to stop. It may have finished nevertheless; `status` says so. @throws TaskError when the task has ended already. */
  async cancel(options?: RequestOptions): Promise<void> {
    const of = this.#of
    if ('answer' in of) throw new TaskError('the server answered at once; there is nothing to cancel', 'terminal')
    await this.#keeper.cancel(of, options)
  }

  get #state(): TaskState | undefined {
    return 'answer' in this.#of ? undefined : this.#of.state
  }
}
