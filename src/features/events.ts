import { McpError } from '../errors.ts'
import type { Params } from '../jsonrpc/message.ts'
import type { LogLine } from '../protocol/types.ts'
import type { SessionState } from '../session/links.ts'
import type { Logger } from '../session/logger.ts'
import type { Task } from './tasks/task.ts'

/** What `on` can listen to, with what a listener gets. */
export interface ClientEvents {
  toolsChanged: object
  promptsChanged: object
  resourcesChanged: object
  resourceUpdated: { uri: string }
  /**
   * Untrusted text of the server.
   * @deprecated in 2026-07-28: servers log to stderr or to OpenTelemetry. It works until the protocol has no logging.
   */
  log: LogLine
  progress: { token: string | number; progress: number; total?: number; message?: string }
  /** A task whose state is another than before, however that was learnt. */
  taskStatus: Task
  /** A page that this client was asked for is done with, says the server; told once, and of no other id. */
  elicitationComplete: { elicitationId: string }
  state: { state: SessionState; reason?: string; nextAttemptMs?: number }
  error: McpError
  /** Every notification, after the client has done its part. */
  notification: { method: string; params?: Params }
}

export type EventName = keyof ClientEvents

const NAMES: Readonly<Record<EventName, true>> = {
  toolsChanged: true,
  promptsChanged: true,
  resourcesChanged: true,
  resourceUpdated: true,
  log: true,
  progress: true,
  taskStatus: true,
  elicitationComplete: true,
  state: true,
  error: true,
  notification: true,
}

/** Listeners of one client. One that throws is reported and disturbs nobody. */
export class Events {
  #listeners: Map<EventName, Set<(payload: never) => void>> | undefined
  readonly #logger: Logger
  readonly #failed = new WeakSet<object>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** Listens until the returned function is called or the signal aborts; `ended` is called then, once. @throws TypeError for an event that does not exist. */
  on<Name extends EventName>(
    name: Name,
    listener: (payload: ClientEvents[Name]) => void,
    options: { signal?: AbortSignal } = {},
    ended: () => void = () => {},
  ): () => void {
    if (!Object.hasOwn(NAMES, name)) throw new TypeError(`there is no event ${String(name)}; there are ${Object.keys(NAMES).join(', ')}`)
    if (typeof listener !== 'function') throw new TypeError(`the listener of "${name}" must be a function`)
    const { signal } = options
    if (signal?.aborted) return () => {}
    this.#listeners ??= new Map()
    const set = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, set)
    // A function may listen twice.
    const own = (payload: ClientEvents[Name]): void => listener(payload)
    set.add(own)
    const stop = (): void => {
      if (!set.delete(own)) return
      signal?.removeEventListener('abort', stop)
      ended()
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

  /** Something failed that nobody waits for; an error that struck several is told once. */
  failed(error: unknown): void {
    const told = error instanceof McpError ? error : new McpError(error instanceof Error ? error.message : String(error), { cause: error })
    if (typeof error === 'object' && error !== null) {
      if (this.#failed.has(error)) return
      this.#failed.add(error)
    }
    this.emit('error', told)
  }

  has(name: EventName): boolean {
    return (this.#listeners?.get(name)?.size ?? 0) > 0
  }
}
