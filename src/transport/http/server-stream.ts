import type { Limits } from '../../limits.ts'
import { backgroundTimer } from '../background-timer.ts'
import { byteString } from './byte-string.ts'
import type { HeaderBlock } from './header-block.ts'
import { isRedirect, retryAfter } from './http-error.ts'
import type { HttpFailure, HttpHead, HttpReceiver, HttpStream } from './http-port.ts'
import { bodyForm } from './media-type.ts'
import type { RequestSender } from './request-sender.ts'
import { SseReader, type SseSink } from './sse-reader.ts'

export interface ServerStreamHost {
  readonly limits: Limits
  readonly sender: RequestSender
  readonly getHeaders: HeaderBlock
  readonly hasSession: boolean
  /** One parsed message, or a batch, that belongs to no exchange's reply. */
  receive(value: unknown): void
  report(problem: string): void
  sessionLost(status: number): void
}

/** The pause after a stream that had lived, when the server asked for none; doubled after each failure in a row. */
const BASE_MS = 1_000
const MAX_MS = 30_000
/** The shortest pause that a server may ask for. */
const MIN_RETRY_MS = 100
/** A stream that was open for so long counts as one that worked, even if it was quiet: idle streams are cut by many gateways. */
const LIVED_MS = 5_000
/** How long a stream that was given up stays so, at least, before a call starts it again. */
const REST_MS = 30_000
/** Spread of the pauses of our own choosing, so that clients do not return in step. A pause the server asked for is kept exactly. */
const JITTER = 0.25

/**
 * The stream that the server may open towards us, kept open quietly: its absence or its failing is no failure of the connection.
 * Servers without one answer 405, 404, 400 or a page; that ends it for good. Failures in a row end it until a call is made.
 */
export class ServerStream implements HttpReceiver, SseSink {
  readonly #host: ServerStreamHost
  readonly #events: SseReader
  #stream: HttpStream | undefined
  #stopTimer: (() => void) | undefined
  #state: 'idle' | 'running' | 'resting' | 'over' = 'idle'
  #failures = 0
  /** The server has offered this stream before. */
  #offered = false
  #openedAt: number | undefined
  /** A message has come since the stream was opened. */
  #spoke = false
  #restUntil = 0

  constructor(host: ServerStreamHost) {
    this.#host = host
    this.#events = new SseReader(this, host.limits)
  }

  start(): void {
    if (this.#state !== 'idle') return
    this.#state = 'running'
    this.#connect()
  }

  /** A call is made, so the server is wanted: a stream that was given up gets one more chance. */
  wake(): void {
    if (this.#state !== 'resting' || performance.now() < this.#restUntil) return
    this.#state = 'running'
    this.#failures = this.#host.limits.maxReconnects
    this.#connect()
  }

  stop(): void {
    this.#state = 'over'
    this.#stopTimer?.()
    this.#stream?.abort()
    this.#events.stop()
  }

  head(head: HttpHead): void {
    const { status } = head
    if (status >= 200 && status < 300 && bodyForm(head.header('content-type')) === 'events') {
      this.#offered = true
      this.#openedAt = performance.now()
      this.#events.restart()
      return
    }
    this.#stream?.abort()
    if (status >= 500 || status === 429 || status === 408) this.#failed(`the server answered ${status}`, retryAfter(head))
    else if (status === 401 || status === 403) this.#rest(`the server answered ${status}`)
    else this.#notOffered(status)
  }

  data(text: string): void {
    this.#events.push(text)
  }

  end(): void {
    this.#ended('it ended at once')
  }

  fail(failure: HttpFailure): void {
    this.#ended(failure.sent ? 'the connection broke' : 'the server was not reached')
  }

  message(data: string): void {
    this.#spoke = true
    let value: unknown
    try {
      value = JSON.parse(data)
    } catch {
      this.#host.report(`skipped an event that is no JSON (${data.length} characters)`)
      return
    }
    this.#host.receive(value)
  }

  tooLong(): void {
    this.#stream?.abort()
    this.#failed(`an event exceeds maxMessageBytes (${this.#host.limits.maxMessageBytes})`, undefined)
  }

  #connect(): void {
    this.#openedAt = undefined
    this.#spoke = false
    const { lastEventId } = this.#events
    const extra = lastEventId === undefined ? undefined : { 'Last-Event-ID': byteString(lastEventId) }
    const stream = this.#host.sender.send({ method: 'GET', headers: this.#host.getHeaders, extra, body: undefined }, this)
    if (this.#state === 'running') this.#stream = stream
    else stream.abort()
  }

  #notOffered(status: number): void {
    this.#state = 'over'
    // A server that has had this stream in this session and now knows nothing of it has forgotten the session.
    if (this.#offered && status === 404 && this.#host.hasSession) this.#host.sessionLost(status)
    else if (isRedirect(status)) this.#host.report("the server's event stream is not used: it is redirected")
  }

  #ended(why: string): void {
    if (this.#state !== 'running') return
    const lived = this.#openedAt !== undefined && performance.now() - this.#openedAt >= LIVED_MS
    if (!lived && !this.#spoke) {
      this.#failed(why, undefined)
      return
    }
    this.#failures = 0
    const asked = this.#events.retryMs
    this.#again(asked === undefined ? spread(BASE_MS) : Math.max(asked, MIN_RETRY_MS))
  }

  #failed(why: string, askedMs: number | undefined): void {
    this.#failures++
    if (this.#failures > this.#host.limits.maxReconnects) {
      this.#rest(`${this.#failures} failures in a row, the last: ${why}`)
      return
    }
    const backoff = spread(Math.min(BASE_MS * 2 ** (this.#failures - 1), MAX_MS))
    this.#again(Math.max(backoff, this.#events.retryMs ?? 0, Math.min(askedMs ?? 0, MAX_MS)))
  }

  #again(ms: number): void {
    this.#stopTimer = backgroundTimer(() => this.#connect(), ms)
  }

  #rest(why: string): void {
    this.#state = 'resting'
    this.#restUntil = performance.now() + REST_MS
    this.#host.report(`the server's event stream was given up until a later call: ${why}`)
  }
}

function spread(ms: number): number {
  return ms * (1 + JITTER * Math.random())
}
