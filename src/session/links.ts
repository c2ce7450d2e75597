import type { Declaration, Link, Wire } from '../era/era.ts'
import { type Dial, negotiate } from '../era/negotiate.ts'
import type { VerdictCache } from '../era/verdict-cache.ts'
import type { Allowed } from '../era/versions.ts'
import { type CloseReason, ConnectionError, McpError, TimeoutError } from '../errors.ts'
import type { Params } from '../jsonrpc/message.ts'
import type { Limits } from '../limits.ts'
import type { Answer, Connection, Inbound, Transport } from '../transport/transport.ts'
import { bounded } from './bounded.ts'
import { timerDelay } from './deadline.ts'
import { onAbort } from './on-abort.ts'
import { pause } from './pause.ts'
import { backoff, type RetryRules, retryPause } from './resend.ts'

export type SessionState = 'idle' | 'connecting' | 'ready' | 'recovering' | 'closed'

export interface LinkSettings extends RetryRules {
  readonly name: string
  readonly allowed: Allowed
  readonly verdicts: VerdictCache
  readonly connectTimeoutMs: number
  readonly probeTimeoutMs: number
  readonly limits: Limits
  /** A process that died is started again; without it, it stays dead. */
  readonly restart: boolean
}

/** What opening a link needs of the session. */
export interface LinkHost {
  readonly declared: Declaration
  readonly receive: Inbound
  /** Takes one sentence about something of the server that could not be understood. */
  readonly report: (problem: string) => void
  /** The newest such sentence, for errors. */
  readonly oddity: string | undefined
  /** One leg of the handshake. */
  greet(
    connection: Connection,
    method: string,
    params: Params,
    headers: Readonly<Record<string, string>> | undefined,
    signal: AbortSignal,
  ): Promise<Answer>
  /** Closes a link that was replaced, when nothing runs over it. */
  retire(link: Link): void
  /** A new link is there; it counts when this has resolved. */
  greeted(link: Link): Promise<void>
  /** `nextAttemptMs`: the pause before a lost link is tried again. */
  changed(state: SessionState, reason?: CloseReason, nextAttemptMs?: number): void
  /** Aborted when the session is closed. */
  readonly closing: AbortSignal
  /** Somebody waits for what the server tells unasked, so that a lost session is missed before the next call. */
  readonly waitsForServer: boolean
}

/** The current link of a session: opened, replaced once for all who wait when the server forgot the session, and ended. */
export class Links {
  readonly #settings: LinkSettings
  readonly #host: LinkHost
  #opening: Promise<Link> | undefined
  /** Ends the opening. */
  #attempt: AbortController | undefined
  #candidates: readonly Transport[]
  #ended: CloseReason | undefined
  /** Why the current link takes no new call. */
  #lost: CloseReason | undefined
  /** Links that another one replaced and over which something may still run. */
  readonly #replaced = new Set<Link>()
  current: Link | undefined
  state: SessionState = 'idle'

  /** @param candidates What may reach the server, in this order; forgotten when one has. */
  constructor(settings: LinkSettings, host: LinkHost, candidates: readonly Transport[]) {
    this.#settings = settings
    this.#candidates = candidates
    this.#host = host
  }

  /** Why there will be no link any more. */
  get ended(): CloseReason | undefined {
    return this.#ended
  }

  /** The current link, or the one that is being opened instead of `stale`. */
  get(stale?: Link): Promise<Link> {
    if (this.current !== undefined && this.current !== stale) return Promise.resolve(this.current)
    if (this.#ended !== undefined) return Promise.reject(new ConnectionError(this.#ended, { outcome: 'not-run' }))
    return this.open(undefined)
  }

  open(signal: AbortSignal | undefined): Promise<Link> {
    this.#opening ??= this.#open(signal).finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  /** @param error What ends a link that is being opened. */
  async close(reason: CloseReason, error: ConnectionError): Promise<void> {
    this.#end(reason)
    this.#attempt?.abort(error)
    await this.#opening?.catch(() => {})
    await Promise.all([...this.#replaced, this.current].map((link) => link?.connection.close()))
  }

  async #open(signal: AbortSignal | undefined): Promise<Link> {
    const { connectTimeoutMs, allowed, verdicts, name } = this.#settings
    const again = this.current !== undefined
    this.#become(again ? 'recovering' : 'connecting', this.#lost)
    const controller = new AbortController()
    this.#attempt = controller
    const unwatch = signal === undefined ? undefined : onAbort(signal, (reason) => controller.abort(reason))
    const timers = [setTimeout(() => controller.abort(this.#timeout(name, connectTimeoutMs)), timerDelay(connectTimeoutMs))]
    try {
      signal?.throwIfAborted()
      const dial: Dial = (candidate) => this.#dial(candidate, controller.signal, timers)
      // What has reached the server once is what reaches it.
      const candidates = this.current === undefined ? this.#candidates : [this.current.transport]
      const link = await negotiate(candidates, dial, allowed, verdicts)
      if (this.#ended !== undefined) {
        await link.connection.close()
        throw new ConnectionError(this.#ended, { outcome: 'not-run' })
      }
      this.#adopt(link)
      await this.#host.greeted(link)
      this.#become('ready')
      return link
    } catch (error) {
      // The next use tries again.
      if (!again) this.#become('idle')
      else if (this.#lost === undefined) this.#become('ready')
      const { aborted, reason } = controller.signal
      if (!aborted) throw error
      throw reason instanceof TimeoutError && error !== reason ? this.#timeout(name, connectTimeoutMs, error) : reason
    } finally {
      for (const timer of timers) clearTimeout(timer)
      this.#attempt = undefined
      unwatch?.()
    }
  }

  /** @param waiting What the time ran out on, as far as the transport can say. */
  #timeout(name: string, ms: number, waiting?: unknown): TimeoutError {
    const meanwhile = waiting instanceof McpError ? waiting.message : this.#host.oddity
    const last = meanwhile === undefined ? '' : `; meanwhile: ${meanwhile}`
    return new TimeoutError(`no connection to ${name} within ${ms} ms (connectTimeoutMs)${last}`, ms, {
      outcome: 'not-run',
      retryable: true,
      cause: waiting,
    })
  }

  #adopt(link: Link): void {
    const { current } = this
    this.current = link
    if (current !== undefined) this.#replace(current)
    this.#candidates = []
    this.#lost = undefined
    void link.connection.lost.then((reason) => {
      if (this.current !== link) return
      this.#lost = reason
      if (!this.recovers(reason)) this.#end(reason)
      else if (reason.kind !== 'session' || this.#host.waitsForServer) void this.#restart(link, reason)
    })
  }

  /** What runs over a link that was replaced may finish; without that it is closed. */
  #replace(link: Link): void {
    this.#replaced.add(link)
    void link.connection.closed.then(() => this.#replaced.delete(link))
    this.#host.retire(link)
  }

  /** A session that the server forgot can be had anew, by the next call that needs it; a process that died only where the caller wants it. */
  recovers(reason: CloseReason): boolean {
    return reason.kind === 'session' || (this.#settings.restart && (reason.kind === 'exit' || reason.kind === 'stream'))
  }

  /** Brings back what was lost without being asked, a bounded number of times; after that the next call tries. */
  async #restart(lost: Link, reason: CloseReason): Promise<void> {
    const { limits } = this.#settings
    try {
      for (let attempt = 0; attempt < limits.maxReconnects && this.current === lost; attempt++) {
        const ms = backoff(attempt, this.#settings)
        this.state = 'recovering'
        this.#host.changed('recovering', reason, Math.round(ms))
        await pause(ms, this.#host.closing)
        if (this.current === lost) await this.open(undefined).catch(() => {})
      }
    } catch {
      // The session was closed meanwhile.
    }
  }

  async #dial(transport: Transport, signal: AbortSignal, timers: ReturnType<typeof setTimeout>[]): Promise<Wire> {
    const { probeTimeoutMs } = this.#settings
    const silent = new Promise<void>((resolve) => timers.push(setTimeout(resolve, timerDelay(probeTimeoutMs))))
    const host = this.#host
    const connection = await this.#connection(transport, signal)
    return {
      connection,
      declared: host.declared,
      silent: connection.ownReplyStream ? undefined : silent,
      notify: (method) => bounded(connection.post({ jsonrpc: '2.0', method }), [signal]),
      request: (method, params, headers) => host.greet(connection, method, params, headers, signal),
    }
  }

  /** Opens a transport, again where it failed in passing: some reach the server before the first message does. */
  async #connection(transport: Transport, signal: AbortSignal): Promise<Connection> {
    const { limits } = this.#settings
    const { receive, report } = this.#host
    for (let attempt = 0; ; attempt++) {
      try {
        return await transport.open(receive, { limits, signal, report })
      } catch (error) {
        const ms = retryPause(error, 'initialize', true, attempt, this.#settings)
        if (ms === undefined || signal.aborted) throw error
        await pause(ms, signal)
      }
    }
  }

  #become(state: SessionState, reason?: CloseReason): void {
    if (this.state === state || this.state === 'closed') return
    this.state = state
    this.#host.changed(state, reason)
  }

  #end(reason: CloseReason): void {
    this.#ended ??= reason
    this.#become('closed', reason)
  }
}
