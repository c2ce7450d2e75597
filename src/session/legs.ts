import type { Declaration, Era, Link } from '../era/era.ts'
import type { InputRequired } from '../era/input-request.ts'
import { ConnectionError, type HttpError, McpError, ProtocolError, RpcError, TimeoutError } from '../errors.ts'
import type { JSONRPCRequest, Params, RequestId } from '../jsonrpc/message.ts'
import type { Limits } from '../limits.ts'
import { logLine } from '../protocol/log-line.ts'
import { BULKY } from '../protocol/methods.ts'
import type { Progress } from '../protocol/types.ts'
import type { Answer, Connection, ExchangeOptions } from '../transport/transport.ts'
import { bounded } from './bounded.ts'
import { Deadlines } from './deadline.ts'
import { InFlight } from './in-flight.ts'
import type { Inbound } from './inbound.ts'
import { answerInputs } from './input-required.ts'
import type { CallContext } from './interceptor.ts'
import type { Links } from './links.ts'
import type { Logger } from './logger.ts'
import { onAbort } from './on-abort.ts'
import { ownError } from './own-error.ts'
import { pause } from './pause.ts'
import { checkRequestOptions, type RequestOptions } from './request-options.ts'
import { mendFor, type RetryRules, refusalOf, retryPause } from './resend.ts'
import { resultOf } from './result-of.ts'
import { visited } from './url-visits.ts'
import { withdraw } from './withdraw.ts'

export interface LegSettings extends RetryRules {
  readonly name: string
  readonly timeoutMs: number
  readonly resetTimeoutOnProgress: boolean
  readonly maxTotalTimeoutMs: number
  /** How long clocks stand still at most while handlers work. */
  readonly handlerTimeoutMs: number
  readonly limits: Limits
  readonly logger: Logger
  /** Logs in when the server wants it; true when the refused leg may be sent again. Its time does not count. */
  readonly authorize?: ((refusal: HttpError, signal: AbortSignal | undefined) => Promise<boolean>) | undefined
}

/** What the legs need of the session around them. */
export interface LegHost {
  readonly links: Links
  readonly inbound: Inbound
  readonly declared: Declaration
  /** The newest thing of the server that could not be understood. */
  readonly oddity: string | undefined
  /** Aborted when the session is closed. */
  readonly closing: AbortSignal
}

/** Runs calls: each is one leg or more over the current link, with id, deadline, progress, cancellation and re-sending. */
export class Legs {
  readonly #settings: LegSettings
  readonly #host: LegHost
  readonly #deadlines: Deadlines<InFlight>
  /** The calls that hear of notifications, by the id of their leg, which is the progress token too. */
  #hearing: Map<RequestId, InFlight> | undefined
  #lastId = 0

  constructor(settings: LegSettings, host: LegHost) {
    this.#settings = settings
    this.#host = host
    this.#deadlines = new Deadlines((run) => this.#expired(run), settings.handlerTimeoutMs)
  }

  /** Every leg is one promise: the exchange's. What a leg needs before and after it stands around the one `await`. */
  async perform(method: string, params: Params | undefined, options: RequestOptions, context: CallContext): Promise<Params> {
    const { signal } = options
    const { links } = this.#host
    checkRequestOptions(options)
    signal?.throwIfAborted()
    const run = new InFlight(method, options, context, this.#settings)
    const unwatch = signal === undefined ? undefined : onAbort(signal, (reason) => this.#giveUp(run, reason, 'the caller gave up'))
    try {
      let legParams = params
      for (let round = 1; ; ) {
        const link = links.current ?? (await this.#linkFor(run, undefined, signal))
        // What was mended or opened meanwhile is for a caller who still waits.
        if (signal?.aborted) throw signal.reason
        try {
          const result = resultOf(await this.#leg(run, link, legParams, options), method, link.era)
          this.#legEnded(run, link)
          const asked = link.era.decode(method, result, this.#host.declared.extended)
          if (asked === undefined) return result
          run.mayHaveRun = true
          context.asked?.()
          legParams = { ...params, ...(await this.#answered(run, asked, signal, round++)) }
        } catch (error) {
          this.#legEnded(run, link)
          if (error instanceof McpError && error.outcome !== 'not-run') run.mayHaveRun = true
          await this.#mend(run, error, link, signal)
        }
      }
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (run.mayHaveRun && error instanceof McpError && error.outcome === 'not-run') error.outcome = 'unknown'
      throw this.addressed(error, method)
    } finally {
      unwatch?.()
    }
  }

  /** A leg of the handshake: bounded by the connecting as a whole, never cancelled on the server. */
  async greet(
    connection: Connection,
    method: string,
    params: Params,
    headers: Readonly<Record<string, string>> | undefined,
    signal: AbortSignal,
  ): Promise<Answer> {
    const run = new InFlight(method, { timeoutMs: Number.POSITIVE_INFINITY }, {}, this.#settings)
    const unwatch = onAbort(signal, (reason) => this.#giveUp(run, reason, ''))
    try {
      for (;;) {
        signal.throwIfAborted()
        const id = this.nextId()
        this.#begin(run, id, connection, undefined)
        try {
          return await connection.exchange({ jsonrpc: '2.0', id, method, params }, { headers })
        } catch (error) {
          this.#legEnded(run, undefined)
          if (signal.aborted) throw error
          if (refusalOf(error) === undefined) await this.#waitToRetry(run, error, signal)
          else await this.#authorize(run, error, signal)
        }
      }
    } finally {
      this.#legEnded(run, undefined)
      unwatch()
    }
  }

  /** A progress notification: for the call that it names, in order. Late and unknown tokens are none of our business. */
  progressed(params: Params | undefined): void {
    const token = params?.progressToken
    const run = typeof token === 'string' || typeof token === 'number' ? this.#hearing?.get(token) : undefined
    if (run === undefined || typeof params?.progress !== 'number') return
    run.progressed(performance.now())
    if (run.onProgress === undefined) return
    const progress: Progress = { progress: params.progress }
    if (typeof params.total === 'number') progress.total = params.total
    if (typeof params.message === 'string') progress.message = params.message
    this.#tell(`onProgress of ${run.method}`, run.onProgress, progress)
  }

  /** A line of the server's log: for the call on whose own reply stream it came. */
  logged(params: Params | undefined, during: RequestId): void {
    const run = this.#hearing?.get(during)
    if (run?.onLog === undefined) return
    const line = logLine(params ?? {})
    if (line !== undefined) this.#tell(`onLog of ${run.method}`, run.onLog, line)
  }

  #tell<Event>(name: string, listener: (event: Event) => void, event: Event): void {
    try {
      listener(event)
    } catch (error) {
      this.#settings.logger.error(`${name} threw: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  /** Stops the clocks of the calls that a question may belong to: the one on whose stream it came, or all of a shared channel. */
  hold(from: Connection, during: RequestId | undefined): () => void {
    const held = [...this.#deadlines].filter((run) => run.connection === from && (during === undefined || run.id === during))
    for (const run of held) this.#deadlines.hold(run)
    return () => {
      for (const run of held) this.#deadlines.release(run)
    }
  }

  /** The error with the server and the method in it. */
  addressed(error: unknown, method: string): unknown {
    if (error instanceof McpError) {
      error.server ??= this.#settings.name
      error.method ??= method
    }
    return error
  }

  /** Ids are unique in a session, whoever sends the request. */
  nextId(): RequestId {
    return ++this.#lastId
  }

  close(): void {
    this.#deadlines.close()
  }

  /** The current link, or the one being opened, waited for no longer than a request with these options may take. */
  async linked(what: string, options: RequestOptions): Promise<Link> {
    const { current } = this.#host.links
    if (current !== undefined) return current
    checkRequestOptions(options)
    const { signal } = options
    try {
      signal?.throwIfAborted()
      return await this.#linkFor(new InFlight(what, options, {}, this.#settings), undefined, signal)
    } catch (error) {
      throw signal?.aborted ? signal.reason : this.addressed(error, what)
    }
  }

  /** A link instead of `stale`, waited for no longer than the call may take. Nothing of the call has been sent meanwhile. */
  async #linkFor(run: InFlight, stale: Link | undefined, signal: AbortSignal | undefined): Promise<Link> {
    const ms = Math.min(run.timeoutMs, run.totalDue - performance.now())
    const error = (): TimeoutError => {
      const message = `${run.method} waited ${Math.round(ms)} ms for a connection that is being made`
      return new TimeoutError(message, run.timeoutMs, { outcome: 'not-run', retryable: true })
    }
    try {
      return await bounded(this.#host.links.get(stale), [signal, this.#host.closing], { ms, error })
    } catch (cause) {
      throw ownError(cause)
    }
  }

  #leg(run: InFlight, link: Link, params: Params | undefined, options: RequestOptions): Promise<Answer> {
    const { era, connection } = link
    const { method, wantsProgress } = run
    const id = this.nextId()
    const { declared } = this.#host
    const encoded = era.encode(params, wantsProgress ? { ...options.meta, progressToken: id } : options.meta, declared)
    const message: JSONRPCRequest = encoded === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params: encoded }
    const { headers } = options
    const exchangeOptions: ExchangeOptions | undefined = connection.ownReplyStream
      ? {
          headers: merged(headers, era.headers(method, encoded, run.definition, declared.extended)),
          resumable: era.resumable,
          bulky: BULKY.has(method),
        }
      : headers && { headers }
    run.context.sending?.(id, link)
    this.#begin(run, id, connection, era)
    if (run.hears) {
      this.#hearing ??= new Map()
      this.#hearing.set(id, run)
    }
    return connection.exchange(message, exchangeOptions)
  }

  #begin(run: InFlight, id: RequestId, connection: Connection, era: Era | undefined): void {
    const { maxPendingRequests } = this.#settings.limits
    if (this.#deadlines.size >= maxPendingRequests) {
      const message = `more than maxPendingRequests (${maxPendingRequests}) requests wait for an answer; send fewer at once or raise limits.maxPendingRequests`
      throw new ConnectionError({ kind: 'limit', message }, { outcome: 'not-run' })
    }
    run.start(id, connection, era)
    this.#deadlines.add(run)
  }

  /** Nothing is on the wire for this call: no clock runs, and nobody has to be told when it is given up. */
  #legEnded(run: InFlight, link: Link | undefined): void {
    if (run.connection === undefined) return
    this.#deadlines.delete(run)
    run.connection = undefined
    if (run.hears) this.#hearing?.delete(run.id)
    if (link !== undefined && link !== this.#host.links.current) this.retire(link)
  }

  /** A link that was replaced is closed when nothing runs over it any more. */
  retire(link: Link): void {
    for (const run of this.#deadlines) if (run.connection === link.connection) return
    void link.connection.close()
  }

  /** The answers to what the server asked instead of a result. No clock runs while handlers work. */
  async #answered(run: InFlight, asked: InputRequired, signal: AbortSignal | undefined, round: number): Promise<Params> {
    const { maxRounds, maxInboundRequests } = this.#settings.limits
    const questions = Object.keys(asked.requests).length
    if (round > maxRounds)
      throw new ProtocolError(`the server asked for input more than maxRounds (${maxRounds}) times`, { outcome: 'answered' })
    if (questions > maxInboundRequests)
      throw new ProtocolError(`the server asked more than maxInboundRequests (${maxInboundRequests}) questions at once`, {
        outcome: 'answered',
      })
    const since = performance.now()
    const answers = await answerInputs(asked, this.#host.inbound, [signal, this.#host.closing], round)
    // A pause that the server asked for is the call's own time; a person's is not.
    if (questions > 0) run.totalDue += performance.now() - since
    return answers
  }

  /** Makes it possible that a leg is sent again, once per cause; throws the error when that is not so. */
  async #mend(run: InFlight, error: unknown, link: Link, signal: AbortSignal | undefined): Promise<void> {
    const mend = await mendFor(error, link, (reason) => this.#host.links.recovers(reason))
    if (signal?.aborted) throw error
    if (mend === undefined) return this.#waitToRetry(run, error, signal)
    if (mend === 'authorization') return this.#authorize(run, error, signal)
    if (run.mended.includes(mend)) throw error
    run.mended = [...run.mended, mend]
    if (mend === 'link') {
      await this.#linkFor(run, link, signal)
      this.retire(link)
    } else if (mend === 'visit') {
      const since = performance.now()
      if (!(await visited(error instanceof RpcError ? error.data : undefined, this.#host.inbound, [signal, this.#host.closing])))
        throw error
      run.totalDue += performance.now() - since
    } else {
      if (run.context.refreshDefinition === undefined) throw error
      run.definition = await run.context.refreshDefinition()
    }
  }

  /** The step that needs a login. Its time does not count. */
  async #authorize(run: InFlight, error: unknown, signal: AbortSignal | undefined): Promise<void> {
    const refusal = refusalOf(error)
    if (refusal === undefined || run.mended.includes('authorization')) throw error
    run.mended = [...run.mended, 'authorization']
    const since = performance.now()
    if (!((await this.#settings.authorize?.(refusal, signal)) ?? false)) throw error
    run.totalDue += performance.now() - since
  }

  /** Waits until a leg may be sent again as it is; throws the error when it may not, or not in time. */
  async #waitToRetry(run: InFlight, error: unknown, signal: AbortSignal | undefined): Promise<void> {
    const { method, context, retries } = run
    const ms = retryPause(error, method, context.repeatable ?? false, retries, this.#settings)
    const left = run.totalDue === Number.POSITIVE_INFINITY ? run.timeoutMs : run.totalDue - performance.now()
    if (ms === undefined || ms >= left) throw error
    run.retries++
    this.#settings.logger.debug(`${this.#settings.name}: ${method} is sent again in ${Math.round(ms)} ms`)
    await pause(ms, signal, this.#host.closing)
  }

  #expired(run: InFlight): void {
    const now = performance.now()
    const [limit, name] = run.totalDue <= now ? [run.maxTotalTimeoutMs, 'maxTotalTimeoutMs'] : [run.timeoutMs, 'timeoutMs']
    const parts = [`no answer to ${run.method} within ${limit} ms (${name})`]
    if (run.lastProgressAt !== undefined && !run.resetTimeoutOnProgress) {
      parts.push(`the last progress came ${Math.round(now - run.lastProgressAt)} ms ago: resetTimeoutOnProgress lets such a call live`)
    }
    if (this.#host.oddity !== undefined) parts.push(`meanwhile: ${this.#host.oddity}`)
    this.#giveUp(run, new TimeoutError(parts.join('; '), limit, { outcome: 'unknown' }), 'timeout')
  }

  /** Stops waiting and tells the server in the way of its era. */
  #giveUp(run: InFlight, reason: unknown, why: string): void {
    const { connection, era, id, method } = run
    if (connection === undefined) return
    const untold = (): void => this.#settings.logger.debug(`${this.#settings.name} could not be told of a cancellation`)
    withdraw({ id, method, connection, era: run.context.quiet ? undefined : era }, reason, why, untold)
  }
}

function merged(ofCaller: ExchangeOptions['headers'], ofEra: ExchangeOptions['headers']): ExchangeOptions['headers'] {
  return ofCaller === undefined ? ofEra : { ...ofCaller, ...ofEra }
}
