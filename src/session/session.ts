import { answerError } from '../era/answer-error.ts'
import type { Declaration, Era, InputRequired, Link } from '../era/era.ts'
import { type CloseReason, ConnectionError, type HttpError, McpError, ProtocolError, TimeoutError, UnsupportedError } from '../errors.ts'
import { isErrorResponse, isObject } from '../jsonrpc/codec.ts'
import type { JSONRPCNotification, JSONRPCRequest, Params, RequestId } from '../jsonrpc/message.ts'
import { PROGRESS } from '../protocol/methods.ts'
import type { Implementation, LoggingLevel, Progress } from '../protocol/types.ts'
import type { Answer, Connection, ExchangeOptions } from '../transport/transport.ts'
import { Deadlines } from './deadline.ts'
import { InFlight } from './in-flight.ts'
import { Inbound } from './inbound.ts'
import { answerInputs } from './input-required.ts'
import { type CallContext, type CallHandler, compose, type Interceptor } from './interceptor.ts'
import { type LinkSettings, Links, type SessionState } from './links.ts'
import type { Logger } from './logger.ts'
import { checkRequestOptions, type RequestOptions } from './request-options.ts'
import { mendFor, refusalOf } from './resend.ts'

export interface SessionSettings extends LinkSettings {
  readonly clientInfo: Implementation
  readonly timeoutMs: number
  readonly resetTimeoutOnProgress: boolean
  readonly maxTotalTimeoutMs: number
  readonly handlerTimeoutMs: number
  readonly logger: Logger
  readonly interceptors: readonly Interceptor[]
  /** Logs in when the server wants it; true when the refused leg may be sent again. Its time does not count. */
  readonly authorize?: ((refusal: HttpError, signal: AbortSignal | undefined) => Promise<boolean>) | undefined
}

/** The only way to the wire: turns calls into legs over the current link, and messages of the server into answers and events. */
export class Session {
  readonly inbound: Inbound
  readonly #settings: SessionSettings
  readonly #links: Links
  readonly #calls: CallHandler | undefined
  readonly #deadlines = new Deadlines<InFlight>((run) => this.#expired(run))
  readonly #byToken = new Map<RequestId, InFlight>()
  readonly #restoreSteps: ((link: Link) => Promise<void>)[] = []
  readonly #closing = new AbortController()
  #declared: Declaration
  #lastId = 0
  #oddity: string | undefined
  #onNotification: (notification: JSONRPCNotification) => void = () => {}
  #onState: (state: SessionState, reason?: CloseReason) => void = () => {}

  constructor(settings: SessionSettings) {
    const { name: server, logger, handlerTimeoutMs, limits } = settings
    this.#settings = settings
    this.inbound = new Inbound({ server, logger, handlerTimeoutMs, ...limits })
    this.#declared = { clientInfo: settings.clientInfo, capabilities: {} }
    this.#calls = compose(settings.interceptors, (call) => this.#perform(call.method, call.params, call.options, call.context))
    this.#links = new Links(settings, this.#linkHost())
  }

  get name(): string {
    return this.#settings.name
  }

  get state(): SessionState {
    return this.#links.state
  }

  /** Opens the first link. The session can be used when this has resolved. */
  async connect(signal?: AbortSignal): Promise<void> {
    this.declare()
    try {
      await this.#links.open(signal)
    } catch (error) {
      throw this.#addressed(error, 'connect')
    }
  }

  /** The current link; what it says may change after a recovery. */
  get link(): Link {
    if (this.#links.current === undefined) throw new UnsupportedError('the client is not connected yet', { server: this.name })
    return this.#links.current
  }

  /** Computes what is declared again, after a handler came or went. */
  declare(logLevel: LoggingLevel | undefined = this.#declared.logLevel): void {
    this.#declared = { clientInfo: this.#settings.clientInfo, capabilities: this.inbound.capabilities(), logLevel }
  }

  /** Steps that bring back what a server forgets with a session; they run in this order after a new link is there. */
  onRestore(step: (link: Link) => Promise<void>): void {
    this.#restoreSteps.push(step)
  }

  onNotification(listener: (notification: JSONRPCNotification) => void): void {
    this.#onNotification = listener
  }

  onState(listener: (state: SessionState, reason?: CloseReason) => void): void {
    this.#onState = listener
  }

  /** Sends a request and resolves with its complete result, whatever legs that takes. */
  request(method: string, params?: Params, options: RequestOptions = {}, context: CallContext = {}): Promise<Params> {
    return this.#calls === undefined
      ? this.#perform(method, params, options, context)
      : this.#calls({ method, params, options, context, server: this.name })
  }

  async notify(method: string, params?: Params): Promise<void> {
    const { connection } = this.#links.current ?? (await this.#links.get())
    await connection.post(params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params })
  }

  /** Keeps the server's own stream open, where it has one. */
  listen(): void {
    this.#links.current?.connection.listen()
  }

  async close(): Promise<void> {
    const reason: CloseReason = { kind: 'closed', message: 'the client was closed' }
    this.#closing.abort(new ConnectionError(reason, { server: this.name, outcome: 'unknown' }))
    this.inbound.close(this.#closing.signal.reason)
    await this.#links.close(reason)
    this.#deadlines.close()
  }

  /** Every leg is one promise: the exchange's. What a leg needs before and after it stands around the one `await`. */
  async #perform(method: string, params: Params | undefined, options: RequestOptions, context: CallContext): Promise<Params> {
    const { signal } = options
    checkRequestOptions(options)
    signal?.throwIfAborted()
    const run = new InFlight(method, options, context, this.#settings)
    const abort = signal === undefined ? undefined : (): void => this.#giveUp(run, signal.reason, 'the caller gave up')
    if (abort !== undefined) signal?.addEventListener('abort', abort, { once: true })
    try {
      let legParams = params
      for (let round = 1; ; ) {
        const link = this.#links.current ?? (await this.#links.get())
        try {
          const result = resultOf(await this.#leg(run, link, legParams, options), method, link.era)
          this.#legEnded(run, link)
          const asked = link.era.decode(method, result)
          if (asked === undefined) return result
          legParams = { ...params, ...(await this.#answered(run, asked, signal, round++)) }
        } catch (error) {
          this.#legEnded(run, link)
          await this.#mend(run, error, link, signal)
        }
      }
    } catch (error) {
      throw signal?.aborted ? signal.reason : this.#addressed(error, method)
    } finally {
      if (abort !== undefined) signal?.removeEventListener('abort', abort)
    }
  }

  #leg(run: InFlight, link: Link, params: Params | undefined, options: RequestOptions): Promise<Answer> {
    const { era, connection } = link
    const { method, wantsProgress } = run
    const id = ++this.#lastId
    const encoded = era.encode(params, wantsProgress ? { ...options.meta, progressToken: id } : options.meta, this.#declared)
    const message: JSONRPCRequest = encoded === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params: encoded }
    const exchangeOptions: ExchangeOptions | undefined = connection.ownReplyStream
      ? { headers: merged(options.headers, era.headers(method, encoded, run.definition)), resumable: era.resumable }
      : undefined
    this.#begin(run, id, connection, era)
    if (wantsProgress) this.#byToken.set(id, run)
    return connection.exchange(message, exchangeOptions)
  }

  #begin(run: InFlight, id: RequestId, connection: Connection, era: Era | undefined): void {
    const { maxPendingRequests } = this.#settings.limits
    if (this.#deadlines.size >= maxPendingRequests) {
      const what = `more than maxPendingRequests (${maxPendingRequests}) requests wait for an answer; send fewer at once or raise limits.maxPendingRequests`
      throw new ConnectionError({ kind: 'limit', message: what }, { outcome: 'not-run' })
    }
    run.start(id, connection, era)
    this.#deadlines.add(run)
  }

  /** Nothing is on the wire for this call: no clock runs, and nobody has to be told when it is given up. */
  #legEnded(run: InFlight, link: Link): void {
    if (run.connection === undefined) return
    this.#deadlines.delete(run)
    run.connection = undefined
    if (run.wantsProgress) this.#byToken.delete(run.id)
    if (link !== this.#links.current) this.#retire(link)
  }

  /** The answers to what the server asked instead of a result. No clock runs while handlers work. */
  async #answered(run: InFlight, asked: InputRequired, signal: AbortSignal | undefined, round: number): Promise<Params> {
    const { maxRounds } = this.#settings.limits
    if (round > maxRounds)
      throw new ProtocolError(`the server asked for input more than maxRounds (${maxRounds}) times`, { outcome: 'answered' })
    const since = performance.now()
    const answers = await answerInputs(asked, this.inbound, [signal, this.#closing.signal], round)
    run.totalDue += performance.now() - since
    return answers
  }

  /** Mends what a leg failed of, once per cause, so that it may be sent again; throws the error when that is not possible. */
  async #mend(run: InFlight, error: unknown, link: Link, signal: AbortSignal | undefined): Promise<void> {
    const mend = await mendFor(error, link)
    if (mend === undefined || run.mended.includes(mend) || signal?.aborted) throw error
    run.mended = [...run.mended, mend]
    if (mend === 'link') {
      await this.#links.get(link)
    } else if (mend === 'definition') {
      if (run.context.refreshDefinition === undefined) throw error
      run.definition = await run.context.refreshDefinition()
    } else if (!(await this.#authorized(error, signal))) {
      throw error
    }
  }

  /** A link that was replaced is closed when nothing runs over it any more. */
  #retire(link: Link): void {
    for (const run of this.#deadlines) if (run.connection === link.connection) return
    void link.connection.close()
  }

  #expired(run: InFlight): void {
    const now = performance.now()
    const [limit, name] = run.totalDue <= now ? [run.maxTotalTimeoutMs, 'maxTotalTimeoutMs'] : [run.timeoutMs, 'timeoutMs']
    const parts = [`no answer to ${run.method} within ${limit} ms (${name})`]
    if (run.lastProgressAt !== undefined && !run.resetTimeoutOnProgress) {
      parts.push(`the last progress came ${Math.round(now - run.lastProgressAt)} ms ago: resetTimeoutOnProgress lets such a call live`)
    }
    if (this.#oddity !== undefined) parts.push(`meanwhile: ${this.#oddity}`)
    this.#giveUp(run, new TimeoutError(parts.join('; '), limit, { outcome: 'unknown' }), 'timeout')
  }

  /** Stops waiting and tells the server in the way of its era. */
  #giveUp(run: InFlight, reason: unknown, why: string): void {
    const { connection, era, id, method } = run
    if (connection === undefined) return
    connection.abandon(id, reason)
    const notice = era?.cancel(id, method, why, connection.ownReplyStream)
    if (notice !== undefined)
      connection.post(notice).catch(() => this.#settings.logger.debug(`${this.name} could not be told of a cancellation`))
  }

  async #authorized(error: unknown, signal: AbortSignal | undefined): Promise<boolean> {
    const refusal = refusalOf(error)
    return refusal !== undefined && ((await this.#settings.authorize?.(refusal, signal)) ?? false)
  }

  #addressed(error: unknown, method: string): unknown {
    if (error instanceof McpError) {
      error.server ??= this.name
      error.method ??= method
    }
    return error
  }

  // What a link needs of the session, and what it brings.

  #linkHost(): ConstructorParameters<typeof Links>[1] {
    const session = this
    return {
      get declared() {
        return session.#declared
      },
      get oddity() {
        return session.#oddity
      },
      receive: (message, from, during) => session.#receive(message, from, during),
      report: (problem) => session.#report(problem),
      greet: (connection, method, params, headers, signal) => session.#greetingLeg(connection, { method, params }, headers, signal),
      linked: (link, again) => session.#linked(link, again),
      changed: (state, reason) => session.#onState(state, reason),
    }
  }

  async #linked(link: Link, again: boolean): Promise<void> {
    const { tools, prompts, resources } = link.discovered.capabilities
    const mayTell = tools?.listChanged || prompts?.listChanged || resources?.listChanged || resources?.subscribe
    if (mayTell || this.inbound.size > 0) link.connection.listen()
    if (again) for (const step of this.#restoreSteps) await step(link)
  }

  /** A leg of the handshake: bounded by the connecting as a whole, never cancelled on the server. */
  async #greetingLeg(
    connection: Connection,
    { method, params }: { method: string; params: Params },
    headers: Readonly<Record<string, string>> | undefined,
    signal: AbortSignal,
  ): Promise<Answer> {
    for (let authorized = false; ; authorized = true) {
      signal.throwIfAborted()
      const run = new InFlight(method, { timeoutMs: Number.POSITIVE_INFINITY }, {}, this.#settings)
      const id = ++this.#lastId
      this.#begin(run, id, connection, undefined)
      const abort = (): void => connection.abandon(id, signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      try {
        return await connection.exchange({ jsonrpc: '2.0', id, method, params }, { headers })
      } catch (error) {
        if (authorized || !(await this.#authorized(error, signal))) throw error
      } finally {
        this.#deadlines.delete(run)
        signal.removeEventListener('abort', abort)
      }
    }
  }

  #report(problem: string): void {
    this.#oddity = problem
    this.#settings.logger.debug(`${this.name}: ${problem}`)
  }

  // What the server sends.

  #receive(message: JSONRPCRequest | JSONRPCNotification, from: Connection, during: RequestId | undefined): void {
    if ('id' in message && message.id !== undefined && message.id !== null) {
      const link = this.#links.current
      if (link?.connection === from && !link.era.takesRequests)
        this.#report('the server sent a request, which its protocol revision forbids')
      else this.inbound.request(message, from, () => this.#hold(from, during))
      return
    }
    if (message.method === PROGRESS) this.#progressed(message.params)
    if (!this.inbound.cancelled(message)) this.#onNotification(message)
  }

  /** Stops the clocks of the calls that a question may belong to: the one on whose stream it came, or all of a shared channel. */
  #hold(from: Connection, during: RequestId | undefined): () => void {
    const held = [...this.#deadlines].filter((run) => run.connection === from && (during === undefined || run.id === during))
    for (const run of held) this.#deadlines.hold(run)
    return () => {
      for (const run of held) this.#deadlines.release(run)
    }
  }

  #progressed(params: Params | undefined): void {
    const token = params?.progressToken
    const run = typeof token === 'string' || typeof token === 'number' ? this.#byToken.get(token) : undefined
    if (run === undefined || typeof params?.progress !== 'number') return
    run.progressed(performance.now())
    if (run.onProgress === undefined) return
    const progress: Progress = { progress: params.progress }
    if (typeof params.total === 'number') progress.total = params.total
    if (typeof params.message === 'string') progress.message = params.message
    try {
      run.onProgress(progress)
    } catch (error) {
      this.#settings.logger.error(`onProgress of ${run.method} threw: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

function resultOf(answer: Answer, method: string, era: Era): Params {
  if (isErrorResponse(answer)) throw answerError(answer, method)
  if (isObject(answer.result)) return answer.result
  // Any result is a pong.
  if (method === era.ping) return {}
  throw new ProtocolError(`the result of ${method} is no object`, { outcome: 'answered' })
}

function merged(ofCaller: ExchangeOptions['headers'], ofEra: ExchangeOptions['headers']): ExchangeOptions['headers'] {
  return ofCaller === undefined ? ofEra : { ...ofCaller, ...ofEra }
}
