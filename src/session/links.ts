import type { Declaration, Link, Wire } from '../era/era.ts'
import { type Dial, negotiate } from '../era/negotiate.ts'
import type { VerdictCache } from '../era/verdict-cache.ts'
import type { Allowed } from '../era/versions.ts'
import { type CloseReason, ConnectionError, TimeoutError } from '../errors.ts'
import type { Params } from '../jsonrpc/message.ts'
import type { Limits } from '../limits.ts'
import type { Answer, Connection, Inbound, Transport } from '../transport/transport.ts'
import { timerDelay } from './deadline.ts'
import { onAbort } from './on-abort.ts'

export type SessionState = 'connecting' | 'ready' | 'recovering' | 'closed'

export interface LinkSettings {
  readonly name: string
  readonly transport: Transport
  readonly allowed: Allowed
  readonly verdicts: VerdictCache
  readonly connectTimeoutMs: number
  readonly probeTimeoutMs: number
  readonly limits: Limits
}

/** What opening a link needs of the session. */
export interface LinkHost {
  readonly declared: Declaration
  readonly receive: Inbound
  /** One sentence about something of the server that could not be understood. */
  report(problem: string): void
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
  /** A new link is there; it counts when this has resolved. */
  linked(link: Link, again: boolean): Promise<void>
  changed(state: SessionState, reason?: CloseReason): void
}

/** The current link of a session: opened, replaced once for all who wait when the server forgot the session, and ended. */
export class Links {
  readonly #settings: LinkSettings
  readonly #host: LinkHost
  #opening: Promise<Link> | undefined
  #ended: CloseReason | undefined
  /** The current link takes no new call. */
  #lost = false
  current: Link | undefined
  state: SessionState = 'connecting'

  constructor(settings: LinkSettings, host: LinkHost) {
    this.#settings = settings
    this.#host = host
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

  async close(reason: CloseReason): Promise<void> {
    this.#end(reason)
    await this.#opening?.catch(() => {})
    await this.current?.connection.close()
  }

  async #open(signal: AbortSignal | undefined): Promise<Link> {
    const { transport, connectTimeoutMs, allowed, verdicts, name } = this.#settings
    const again = this.current !== undefined
    this.#become(again ? 'recovering' : 'connecting')
    const controller = new AbortController()
    const unwatch = signal === undefined ? undefined : onAbort(signal, (reason) => controller.abort(reason))
    const timers = [setTimeout(() => controller.abort(this.#timeout(name, connectTimeoutMs)), timerDelay(connectTimeoutMs))]
    try {
      signal?.throwIfAborted()
      const dial: Dial = (candidate) => this.#dial(candidate, controller.signal, timers)
      const link = await negotiate(transport, dial, allowed, verdicts)
      if (this.#ended !== undefined) {
        await link.connection.close()
        throw new ConnectionError(this.#ended, { outcome: 'not-run' })
      }
      this.#adopt(link)
      await this.#host.linked(link, again)
      this.#become('ready')
      return link
    } catch (error) {
      if (!again) this.#end({ kind: 'closed', message: 'the server could not be reached' })
      else if (!this.#lost) this.#become('ready')
      const { aborted, reason } = controller.signal
      if (!aborted) throw error
      if (reason instanceof TimeoutError && error !== reason) reason.cause ??= error
      throw reason
    } finally {
      for (const timer of timers) clearTimeout(timer)
      unwatch?.()
    }
  }

  #timeout(name: string, ms: number): TimeoutError {
    const last = this.#host.oddity === undefined ? '' : `; meanwhile: ${this.#host.oddity}`
    return new TimeoutError(`no connection to ${name} within ${ms} ms (connectTimeoutMs)${last}`, ms, {
      outcome: 'not-run',
      retryable: true,
    })
  }

  #adopt(link: Link): void {
    this.current = link
    this.#lost = false
    void link.connection.lost.then((reason) => {
      // A session that the server forgot can be had anew; a process or a pipe that is gone cannot.
      if (this.current !== link) return
      this.#lost = true
      if (reason.kind !== 'session') this.#end(reason)
    })
  }

  async #dial(transport: Transport, signal: AbortSignal, timers: ReturnType<typeof setTimeout>[]): Promise<Wire> {
    const { limits, probeTimeoutMs } = this.#settings
    const silent = new Promise<void>((resolve) => timers.push(setTimeout(resolve, timerDelay(probeTimeoutMs))))
    const host = this.#host
    const connection = await transport.open(host.receive, { limits, signal, report: (problem) => host.report(problem) })
    return {
      connection,
      declared: host.declared,
      silent: connection.ownReplyStream ? undefined : silent,
      notify: (method) => connection.post({ jsonrpc: '2.0', method }),
      request: (method, params, headers) => host.greet(connection, method, params, headers, signal),
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
