import type { JSONRPCNotification } from '../../jsonrpc/message.ts'
import { PROGRESS } from '../../protocol/methods.ts'
import type { Progress } from '../../protocol/types.ts'
import type { Logger } from '../../session/logger.ts'

/** Tasks whose progress is listened to at once; the oldest is forgotten. */
export const MAX_TASK_TOKENS = 1_000

/** Progress of tasks: a token outlives the request that brought it, until its task has ended. @see spec 2025-11-25 basic/utilities/progress */
export class TaskProgress {
  readonly #listeners = new Map<unknown, (progress: Progress) => void>()
  readonly #logger: Logger

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** A token for one call. */
  listen(listener: (progress: Progress) => void): string {
    const token = `task-${crypto.randomUUID()}`
    this.#listeners.set(token, listener)
    for (const oldest of this.#listeners.keys()) {
      if (this.#listeners.size <= MAX_TASK_TOKENS) break
      this.#listeners.delete(oldest)
    }
    return token
  }

  /** No more progress comes with this token. */
  ended(token: string): void {
    this.#listeners.delete(token)
  }

  notified({ method, params }: JSONRPCNotification): void {
    const listener = method === PROGRESS ? this.#listeners.get(params?.progressToken) : undefined
    if (listener === undefined || typeof params?.progress !== 'number') return
    const progress: Progress = { progress: params.progress }
    if (typeof params.total === 'number') progress.total = params.total
    if (typeof params.message === 'string') progress.message = params.message
    try {
      listener(progress)
    } catch (error) {
      this.#logger.error(`onProgress of a task threw: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}
