import type { TaskDialect, TaskOutcome, TaskState } from '../../era/task-dialect.ts'
import { ProtocolError, RpcError } from '../../errors.ts'
import type { Params } from '../../jsonrpc/message.ts'
import { bounded } from '../../session/bounded.ts'
import { pause } from '../../session/pause.ts'
import type { RequestOptions } from '../../session/request-options.ts'
import { backoff } from '../../session/resend.ts'
import type { Session } from '../../session/session.ts'
import { MAX_FAILED_POLLS, pollPause } from './task-poll.ts'
import { isPassing, TaskQuestions } from './task-questions.ts'
import { isExpired, isTerminal, taskError } from './task-state.ts'

/** What following a task needs of the client around it. */
export interface TaskWatchHost {
  readonly session: Session
  /** How the link's era speaks of tasks. @throws UnsupportedError where there are none. */
  dialect(method: string, options?: RequestOptions): Promise<TaskDialect>
  /** Wants to be told of new states of this task; returns what ends that. */
  follow(watch: TaskWatch, dialect: TaskDialect): () => void
  /** A state that differs from the one before. */
  changed(watch: TaskWatch): void
}

/** One task as this client knows it: asked about while somebody waits for it, and told of where the server tells. */
export class TaskWatch {
  readonly id: string
  state: TaskState | undefined
  /** How it ended, once that is known. */
  outcome: TaskOutcome | undefined
  /** How many different states were seen. */
  changes: number
  /** Told of each different state. */
  onChanged: (() => void) | undefined
  readonly #host: TaskWatchHost
  readonly #questions: TaskQuestions
  #waiting = 0
  #run: AbortController | undefined
  #failure: { readonly error: unknown } | undefined
  #news: (() => void)[] = []
  #nap: AbortController | undefined
  #fetching: Promise<void> | undefined

  constructor(host: TaskWatchHost, id: string, state?: TaskState) {
    this.#host = host
    this.id = id
    this.state = state
    this.changes = state === undefined ? 0 : 1
    this.outcome = state?.outcome
    this.#questions = new TaskQuestions(host.session, id)
  }

  get isTerminal(): boolean {
    return isTerminal(this.state?.status)
  }

  /** Somebody waits: the task is followed until the last one has called what this returns. */
  follow(): () => void {
    this.#waiting++
    if (this.#run === undefined) {
      this.#failure = undefined
      this.#run = new AbortController()
      if (!this.isTerminal) void this.#follow(this.#run)
    }
    let over = false
    return () => {
      if (over) return
      over = true
      if (--this.#waiting === 0) this.#stop(new DOMException('nobody waits for the task any more', 'AbortError'))
    }
  }

  /** Resolves when there is news, or none to wait for. Rejects when following failed. Only for who follows. */
  async news(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    this.#throwFailure()
    if (this.isTerminal) return
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => reject(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      this.#news.push(() => {
        signal.removeEventListener('abort', abort)
        resolve()
      })
    })
    this.#throwFailure()
  }

  /** Takes a state, from whichever way it came. One that comes after the end is late. */
  take(state: TaskState): void {
    if (this.isTerminal) return
    const before = this.state
    this.state = state
    this.outcome ??= state.outcome
    const { status, statusMessage, lastUpdatedAt } = state
    if (status !== before?.status || statusMessage !== before.statusMessage || lastUpdatedAt !== before.lastUpdatedAt) {
      this.changes++
      this.#host.changed(this)
      this.onChanged?.()
    }
    this.#tell()
    this.#nap?.abort()
  }

  /** Asks once. */
  async poll(options?: RequestOptions): Promise<void> {
    const dialect = await this.#host.dialect('tasks/get', options)
    this.take(await this.#get(dialect, options))
  }

  /** Asks for the result where that is a request of its own, and waits for it however long it takes. Only for who follows. */
  async fetchOutcome(signal: AbortSignal): Promise<void> {
    const { resultMethod } = await this.#host.dialect('tasks/result', { signal })
    for (let failures = 0; resultMethod !== undefined && this.outcome === undefined; failures++) {
      try {
        await bounded(this.#fetch(resultMethod), [signal])
      } catch (error) {
        await this.#bear(error, failures, signal)
      }
    }
  }

  async #follow(run: AbortController): Promise<void> {
    const { signal } = run
    const questions = new AbortController()
    let unfollow = (): void => {}
    try {
      const dialect = await this.#host.dialect('tasks/get', { signal })
      unfollow = this.#host.follow(this, dialect)
      let failures = 0
      for (let first = this.state === undefined; !this.isTerminal; first = false) {
        if (this.state !== undefined) this.#attend(dialect, this.state, questions.signal)
        const told = !first && (await this.#rest(pollPause(this.state?.pollIntervalMs), signal))
        signal.throwIfAborted()
        if (told) continue
        try {
          this.take(await this.#get(dialect, { signal }))
          failures = 0
        } catch (error) {
          await this.#bear(error, failures++, signal)
        }
      }
    } catch (error) {
      if (!signal.aborted) this.#fail(error)
    } finally {
      unfollow()
      // Nobody answers a task that is over, or that nobody follows.
      questions.abort(new DOMException('the task is not followed any more', 'AbortError'))
    }
  }

  /** Does what a state asks for: its questions are answered, or its result is waited for, during which the server asks. */
  #attend(dialect: TaskDialect, { status, inputRequests }: TaskState, signal: AbortSignal): void {
    if (status !== 'input_required') return
    const work =
      dialect.resultMethod === undefined
        ? this.#questions.take(inputRequests ?? {}, signal)
        : this.#fetch(dialect.resultMethod).catch((error: unknown) => {
            if (!isPassing(error)) throw error
          })
    work.catch((error: unknown) => {
      if (!signal.aborted) this.#fail(error)
    })
  }

  async #get(dialect: TaskDialect, options?: RequestOptions): Promise<TaskState> {
    const { session } = this.#host
    let result: Params
    try {
      // A look that is given up is not worth a message.
      result = await session.request('tasks/get', { taskId: this.id }, options, { quiet: true })
    } catch (error) {
      throw taskError(error, this.id, this.state, session.name)
    }
    const state = dialect.state(result)
    if (state?.id === this.id) return state
    throw new ProtocolError('the answer to tasks/get is not the task that was asked for', {
      server: session.name,
      method: 'tasks/get',
      outcome: 'answered',
    })
  }

  /** One request for all who want the result. */
  #fetch(method: string): Promise<void> {
    if (this.#fetching !== undefined) return this.#fetching
    const fetching: Promise<void> = this.#host.session
      .request(method, { taskId: this.id }, { signal: this.#run?.signal, timeoutMs: Number.POSITIVE_INFINITY })
      .then(
        (result) => {
          this.outcome = { result }
          // It comes when the task has ended, and before the next look at it. A tool that failed makes a failed task.
          if (this.state !== undefined) this.take({ ...this.state, status: result.isError === true ? 'failed' : 'completed' })
        },
        async (error: unknown) => {
          // The error of the call itself comes so as well: the state tells.
          if (error instanceof RpcError && !this.isTerminal) await this.poll().catch(() => {})
          if (error instanceof RpcError && this.state?.status === 'failed')
            this.outcome = { error: { code: error.rpcCode, message: error.message, data: error.data } }
          else throw taskError(error, this.id, this.state, this.#host.session.name)
        },
      )
      .finally(() => {
        if (this.#fetching === fetching) this.#fetching = undefined
        this.#tell()
        this.#nap?.abort()
      })
    this.#fetching = fetching
    return fetching
  }

  /** Waits for a while; true when something was told meanwhile. */
  async #rest(ms: number, signal: AbortSignal): Promise<boolean> {
    const nap = new AbortController()
    this.#nap = nap
    await pause(ms, signal, nap.signal).catch(() => {})
    this.#nap = undefined
    return nap.signal.aborted
  }

  /** A failure in passing is borne a number of times, with growing pauses, while the task can still be there. */
  async #bear(error: unknown, failures: number, signal: AbortSignal): Promise<void> {
    const { session } = this.#host
    if (!isPassing(error) || session.state === 'closed' || failures >= MAX_FAILED_POLLS || isExpired(this.state)) throw error
    await pause(backoff(failures, { retries: 0, retryBackoffMs: BACKOFF_MS }), signal)
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }

  #fail(error: unknown): void {
    this.#failure = { error }
    this.#stop(error)
    this.#tell()
  }

  #stop(reason: unknown): void {
    this.#run?.abort(reason)
    this.#run = undefined
    // It ends with this run; who waits next asks anew.
    this.#fetching = undefined
  }

  #tell(): void {
    for (const tell of this.#news.splice(0)) tell()
  }
}

/** The first pause after a poll that failed; doubled each time. */
const BACKOFF_MS = 500
