import type { Declaration, Extended, Link } from '../era/era.ts'
import { type CloseReason, ConnectionError, UnsupportedError } from '../errors.ts'
import type { JSONRPCNotification, JSONRPCRequest, Params, RequestId } from '../jsonrpc/message.ts'
import { CANCELLED, LOG_MESSAGE, PROGRESS } from '../protocol/methods.ts'
import type { Implementation, LoggingLevel } from '../protocol/types.ts'
import type { Connection, Transport } from '../transport/transport.ts'
import { Inbound } from './inbound.ts'
import { type CallContext, type CallHandler, compose, type Interceptor } from './interceptor.ts'
import { KeepAlive } from './keep-alive.ts'
import { type LegHost, type LegSettings, Legs } from './legs.ts'
import { type LinkHost, type LinkSettings, Links, type SessionState } from './links.ts'
import type { Logger } from './logger.ts'
import type { RequestOptions } from './request-options.ts'
import { type StreamHost, type StreamOptions, Streams } from './streams.ts'

export interface SessionSettings extends LinkSettings, LegSettings {
  readonly clientInfo: Implementation
  readonly handlerTimeoutMs: number
  /** How long a link may be quiet before it is asked. Default: by the kind of its transport. */
  readonly keepAliveMs: number | undefined
  readonly interceptors: readonly Interceptor[]
  readonly extended: Extended
}

/** `during`: the exchange whose own reply stream carried the notification; undefined on a shared channel. */
export type NotificationListener = (notification: JSONRPCNotification, during: RequestId | undefined) => void

export type StateListener = (state: SessionState, reason?: CloseReason, nextAttemptMs?: number) => void

/** Where a link that is dead shows it by silence alone. */
const KEEP_ALIVE_MS: ReadonlyMap<string, number> = new Map([['sse', 10_000]])

/** The only way to the wire: turns calls into legs over the current link, and messages of the server into answers and events. */
export class Session implements LinkHost, LegHost, StreamHost {
  readonly inbound: Inbound
  readonly #settings: SessionSettings
  readonly links: Links
  readonly #legs: Legs
  readonly #calls: CallHandler | undefined
  #linkSteps: readonly ((link: Link) => Promise<void> | void)[] = []
  /** Made when somebody waits for it: idle sessions are many. */
  #closing: AbortController | undefined
  #keepAlive: KeepAlive | undefined
  declared: Declaration
  oddity: string | undefined
  #listens = false
  #streams: Streams | undefined
  #beforeNextCall: (() => void) | undefined
  #waitsForServer: (() => boolean) | undefined
  #onNotification: NotificationListener = () => {}
  #onState: StateListener = () => {}

  constructor(settings: SessionSettings, transports: readonly Transport[]) {
    this.#settings = settings
    this.declared = { clientInfo: settings.clientInfo, capabilities: {}, extended: settings.extended }
    this.inbound = new Inbound(settings)
    this.links = new Links(settings, this, transports)
    this.#legs = new Legs(settings, this)
    this.#calls = compose(settings.interceptors, (call) => this.#legs.perform(call.method, call.params, call.options, call.context))
  }

  get name(): string {
    return this.#settings.name
  }

  get logger(): Logger {
    return this.#settings.logger
  }

  /** How often and after which pauses things are tried again, and how long an answer may take. */
  get settings(): Pick<SessionSettings, 'retryBackoffMs' | 'timeoutMs' | 'limits'> {
    return this.#settings
  }

  get state(): SessionState {
    return this.links.state
  }

  /** Why the session is closed for good. */
  get ended(): CloseReason | undefined {
    return this.links.ended
  }

  /** Opens the first link. The session can be used when this has resolved. */
  async connect(signal?: AbortSignal): Promise<void> {
    this.declare()
    try {
      await this.links.open(signal)
    } catch (error) {
      throw this.#legs.addressed(error, 'connect')
    }
  }

  /** The current link; what it says may change after a recovery. */
  get link(): Link {
    const link = this.current
    if (link === undefined) throw new UnsupportedError('the client is not connected yet', { server: this.name })
    return link
  }

  /** The current link, if there has been one. */
  get current(): Link | undefined {
    return this.links.current
  }

  /** The current link; opens the first one if need be, for a request with these options. */
  linked(method: string, options: RequestOptions = {}): Promise<Link> {
    return this.#legs.linked(method, options)
  }

  /** Computes what is declared again, after a handler came or went. */
  declare(logLevel: LoggingLevel | undefined = this.declared.logLevel): void {
    const { clientInfo, extended } = this.#settings
    const own = this.inbound.capabilities()
    const capabilities = Object.keys(extended.settings).length > 0 ? { ...own, extensions: extended.settings } : own
    this.declared = { clientInfo, capabilities, logLevel, extended }
  }

  /** Steps that bring to each new link what is wanted of the server, as it forgets that with the one before; they run in this order. */
  onLink(step: (link: Link) => Promise<void> | void): void {
    this.#linkSteps = this.#linkSteps.concat(step)
  }

  /** While this holds, a session that the server forgot is opened anew before a call needs it. */
  keepLinkedWhile(wanted: () => boolean): void {
    this.#waitsForServer = wanted
  }

  get waitsForServer(): boolean {
    return this.#waitsForServer?.() ?? false
  }

  onNotification(listener: NotificationListener): void {
    this.#onNotification = listener
  }

  onState(listener: StateListener): void {
    this.#onState = listener
  }

  /** Sends a request and resolves with its complete result, whatever legs that takes. */
  request(method: string, params?: Params, options: RequestOptions = {}, context: CallContext = {}): Promise<Params> {
    if (this.#beforeNextCall !== undefined) this.#wake(this.#beforeNextCall)
    return this.#calls === undefined
      ? this.#legs.perform(method, params, options, context)
      : this.#calls({ method, params, options, context, server: this.name })
  }

  /** Opens a stream over a link. No interceptor sees it: nobody called. */
  stream(link: Link, method: string, params: Params, options: StreamOptions): Promise<Params> {
    this.#streams ??= new Streams(this)
    return this.#streams.open(link, method, params, options)
  }

  /** Runs a step once, before the next call: the server is wanted again. */
  beforeNextCall(step: () => void): void {
    this.#beforeNextCall = step
  }

  async notify(method: string, params?: Params): Promise<void> {
    const { connection } = await this.linked(method)
    await connection.post(params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params })
  }

  /** Keeps the server's own stream open, where it has one. */
  listen(): void {
    this.#listens = true
    this.links.current?.connection.listen()
  }

  async close(): Promise<void> {
    const reason: CloseReason = { kind: 'closed', message: 'the client was closed' }
    const error = new ConnectionError(reason, { server: this.name, outcome: 'unknown' })
    this.#closing ??= new AbortController()
    this.#closing.abort(error)
    this.inbound.close(error)
    this.#keepAlive?.stop()
    await this.links.close(reason, error)
    this.#legs.close()
  }

  get closing(): AbortSignal {
    this.#closing ??= new AbortController()
    return this.#closing.signal
  }

  greet(...leg: Parameters<Legs['greet']>): ReturnType<Legs['greet']> {
    return this.#legs.greet(...leg)
  }

  nextId(): RequestId {
    return this.#legs.nextId()
  }

  changed(...change: Parameters<StateListener>): void {
    this.#onState(...change)
  }

  retire(link: Link): void {
    this.#legs.retire(link)
  }

  /** The server's own stream is wanted when it may tell something, or ask. */
  async greeted(link: Link): Promise<void> {
    const { tools, prompts, resources } = link.discovered.capabilities
    const mayTell = tools?.listChanged || prompts?.listChanged || resources?.listChanged || resources?.subscribe
    if (mayTell || this.#listens || this.inbound.size > 0) link.connection.listen()
    this.#keepAsking(link)
    for (const step of this.#linkSteps) await step(link)
  }

  #wake(step: () => void): void {
    this.#beforeNextCall = undefined
    step()
  }

  /** Three questions without an answer, and the link is replaced. */
  #keepAsking(link: Link): void {
    this.#keepAlive?.stop()
    const ms = this.#settings.keepAliveMs ?? KEEP_ALIVE_MS.get(link.transport.kind)
    if (ms === undefined || !link.era.keepsAlive) return
    const ask = (timeoutMs: number): Promise<unknown> => this.#legs.perform(link.era.ping, undefined, { timeoutMs }, {})
    this.#keepAlive = new KeepAlive(
      ms,
      ask,
      () =>
        void this.links
          .get(link)
          .then(() => link.connection.close())
          .catch(() => {}),
    )
    this.#keepAlive.start()
  }

  readonly report = (problem: string): void => {
    this.oddity = problem
    this.#settings.logger.debug(`${this.name}: ${problem}`)
  }

  /** Whatever a message brings about, the reading goes on. */
  readonly receive = (message: JSONRPCRequest | JSONRPCNotification, from: Connection, during?: RequestId): void => {
    try {
      this.#receive(message, from, during)
    } catch (error) {
      this.#settings.logger.error(
        `a message of ${this.name} could not be handled: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }

  #receive(message: JSONRPCRequest | JSONRPCNotification, from: Connection, during: RequestId | undefined): void {
    if ('id' in message && message.id !== undefined && message.id !== null) {
      const link = this.links.current
      if (link?.connection === from && !link.era.takesRequests)
        this.report('the server sent a request, which its protocol revision forbids')
      else this.inbound.request(message, from, () => this.#legs.hold(from, during), link?.era.tasks?.ofQuestions ?? false)
      return
    }
    if (message.method === PROGRESS) this.#legs.progressed(message.params)
    else if (message.method === LOG_MESSAGE && during !== undefined) this.#legs.logged(message.params, during)
    if (message.method === CANCELLED && this.#streams?.ended(message.params?.requestId)) return
    if (!this.inbound.cancelled(message)) this.#onNotification(message, during)
  }
}
