import { RpcError } from '../../errors.ts'
import { INTERNAL_ERROR, INVALID_PARAMS } from '../../jsonrpc/error-code.ts'
import type { Params } from '../../jsonrpc/message.ts'
import type { Question } from './call.ts'
import type { Changes } from './changes.ts'
import { DEFAULT_TASK_TTL_MS, MAX_TASK_TTL_MS, MAX_TASKS } from './limits.ts'
import type { Task } from './task.ts'

/** How often a client is asked to poll. */
export const POLL_INTERVAL_MS = 50

/** The running and the ended tasks of all conversations. A task is known to whoever knows its id. */
export class TaskStore {
  readonly #tasks = new Map<string, Task>()
  readonly #changes: Changes

  constructor(changes: Changes) {
    this.#changes = changes
  }

  begin(
    owner: object,
    ttlMs: unknown,
    run: (signal: AbortSignal, ask: (key: string, question: Question) => Promise<Params>) => Promise<Params>,
  ): Task {
    this.#forget()
    const now = new Date().toISOString()
    let end: () => void = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const task: Task = {
      id: crypto.randomUUID(),
      owner,
      createdAt: now,
      lastUpdatedAt: now,
      ttlMs: typeof ttlMs === 'number' && ttlMs >= 0 ? Math.min(Math.trunc(ttlMs), MAX_TASK_TTL_MS) : DEFAULT_TASK_TTL_MS,
      abort: new AbortController(),
      ended,
      questions: new Map(),
      status: 'working',
      outcome: undefined,
    }
    this.#tasks.set(task.id, task)
    const finish = (status: Task['status'], outcome: Task['outcome']): void => {
      if (isTerminal(task)) return
      task.outcome = outcome
      task.questions.clear()
      this.#set(task, status)
      end()
    }
    task.abort.signal.addEventListener('abort', () => finish('cancelled', undefined), { once: true })
    run(task.abort.signal, (key, question) => this.#ask(task, key, question)).then(
      (result) => finish('completed', { result }),
      (error) => finish('failed', { error: error instanceof RpcError ? error : new RpcError(INTERNAL_ERROR, 'the task failed') }),
    )
    return task
  }

  find(id: unknown): Task | undefined {
    this.#expire()
    return typeof id === 'string' ? this.#tasks.get(id) : undefined
  }

  get(id: unknown): Task {
    const task = this.find(id)
    if (task === undefined) throw new RpcError(INVALID_PARAMS, `there is no task ${JSON.stringify(id)}`)
    return task
  }

  ownedBy(owner: object): readonly Task[] {
    this.#expire()
    return [...this.#tasks.values()].filter((task) => task.owner === owner)
  }

  close(): void {
    for (const task of this.#tasks.values()) task.abort.abort()
    this.#tasks.clear()
  }

  #ask(task: Task, key: string, question: Question): Promise<Params> {
    return new Promise((resolve, reject) => {
      const settled = (settle: () => void): void => {
        if (!task.questions.delete(key)) return
        if (task.questions.size === 0) this.#set(task, 'working')
        settle()
      }
      task.questions.set(key, {
        question,
        answer: (answer) => settled(() => resolve(answer)),
        refuse: (error) => settled(() => reject(error)),
      })
      task.abort.signal.addEventListener('abort', () => reject(task.abort.signal.reason), { once: true })
      this.#set(task, 'input_required')
    })
  }

  #set(task: Task, status: Task['status']): void {
    task.status = status
    task.lastUpdatedAt = new Date().toISOString()
    this.#changes.tell({ task })
  }

  #expire(): void {
    for (const task of this.#tasks.values()) {
      if (Date.parse(task.createdAt) + task.ttlMs > Date.now()) continue
      this.#tasks.delete(task.id)
      task.abort.abort()
    }
  }

  #forget(): void {
    this.#expire()
    if (this.#tasks.size < MAX_TASKS) return
    const oldest = [...this.#tasks.values()].find(isTerminal)
    if (oldest === undefined) throw new RpcError(INTERNAL_ERROR, `more than ${MAX_TASKS} tasks are running`)
    this.#tasks.delete(oldest.id)
  }
}

export function isTerminal(task: Task): boolean {
  return task.status === 'completed' || task.status === 'failed' || task.status === 'cancelled'
}
