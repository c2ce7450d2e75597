import type { McpError } from '../errors.ts'
import type { Params } from '../jsonrpc/message.ts'
import type { LoggingLevel } from '../protocol/types.ts'
import type { SessionState } from '../session/links.ts'
import type { Logger } from '../session/logger.ts'
import type { Task } from './tasks/task.ts'

/** What `on` can listen to, with what a listener gets. */
export interface ClientEvents {
  toolsChanged: object
  promptsChanged: object
  resourcesChanged: object
  resourceUpdated: { uri: string }
  /** Untrusted text of the server. */
  log: { level: LoggingLevel; logger?: string; data: unknown }
  progress: { token: string | number; progress: number; total?: number; message?: string }
  /** A task whose state is another than before, however that was learnt. */
  taskStatus: Task
  elicitationComplete: { elicitationId: string }
  state: { state: SessionState; reason?: string; nextAttemptMs?: number }
  error: McpError
  /** Every notification, after the client has done its part. */
  notification: { method: string; params?: Params }
}

export type EventName = keyof ClientEvents

/** Listeners of one client. One that throws is reported and disturbs nobody. */
export class Events {
  #listeners: Map<EventName, Set<(payload: never) => void>> | undefined
  readonly #logger: Logger

  constructor(logger: Logger) {
    this.#logger = logger
  }

  on<Name extends EventName>(
    name: Name,
    listener: (payload: ClientEvents[Name]) => void,
    options: { signal?: AbortSignal } = {},
  ): () => void {
    const { signal } = options
    if (signal?.aborted) return () => {}
    this.#listeners ??= new Map()
    const set = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, set)
    set.add(listener)
    const stop = (): void => {
      set.delete(listener)
      signal?.removeEventListener('abort', stop)
    }
    signal?.addEventListener('abort', stop, { once: true })
    return stop
  }

  emit<Name extends EventName>(name: Name, payload: ClientEvents[Name]): void {
    for (const listener of [...(this.#listeners?.get(name) ?? [])]) {
      try {
        ;(listener as (payload: ClientEvents[Name]) => void)(payload)
      } catch (error) {
        this.#logger.error(`a listener of "${name}" threw: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }

  has(name: EventName): boolean {
    return (this.#listeners?.get(name)?.size ?? 0) > 0
  }
}
