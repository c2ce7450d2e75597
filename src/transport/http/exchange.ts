import { ConnectionError, ResponseTooLargeError } from '../../errors.ts'
import type { JSONRPCRequest, RequestId } from '../../jsonrpc/message.ts'
import { peerText } from '../../protocol/peer-text.ts'
import type { Answer, ExchangeOptions } from '../transport.ts'
import { byteString } from './byte-string.ts'
import type { Slotted } from './call-slots.ts'
import type { Draining } from './drains.ts'
import { errorIn } from './error-body.ts'
import type { ExchangeHost, PendingExchange } from './exchange-host.ts'
import { httpError, retryAfter, type UnusableReply } from './http-error.ts'
import type { HttpFailure, HttpHead, HttpReceiver, HttpStream } from './http-port.ts'
import { bodyForm } from './media-type.ts'
import { lostReply, networkError } from './network-error.ts'
import { namesSession } from './session-id.ts'
import { SseReader, type SseSink } from './sse-reader.ts'

export interface Waiter {
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** The pause before a reply stream is continued, when the server asked for none, and the shortest one it may ask for. */
const DEFAULT_RESUME_MS = 1_000
const MIN_RESUME_MS = 10

/** What is read of a body that can hold no answer. */
const MAX_EXCERPT_CHARS = 65_536

type Mode = 'json' | 'events' | 'excerpt'

/**
 * One request and its answer: a POST, the body or stream that replies to it, and where the link allows it, the GETs that continue a
 * stream which ended early.
 */
export class Exchange implements PendingExchange, HttpReceiver, SseSink, Slotted, Draining {
  readonly id: RequestId
  readonly #host: ExchangeHost
  // What is no longer needed is dropped at once, the waiter and the reply above all. The table of pending exchanges leaves copies of itself
  // behind as it turns over, and all that these reach lives on to the next full collection: a fifth more CPU at 256 in flight.
  #waiter: Waiter | undefined
  #body: string | undefined
  readonly #extra: Readonly<Record<string, string>> | undefined
  readonly #resumable: boolean
  readonly #bulky: boolean
  #begun = false
  /** Holds one of the slots for calls. */
  #inSlot = false
  #stream: HttpStream | undefined
  #inSession = false
  #head: HttpHead | undefined
  #mode: Mode = 'json'
  #text = ''
  #bytes = 0
  #events: SseReader | undefined
  /** The GETs since the last message that came. */
  #attempts = 0
  #resuming = false
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The id of an answer that came here and belongs elsewhere. */
  #foreignId: string | undefined

  constructor(host: ExchangeHost, request: JSONRPCRequest, options: ExchangeOptions | undefined, waiter: Waiter) {
    this.id = request.id
    this.#host = host
    this.#body = JSON.stringify(request)
    this.#extra = options?.headers
    this.#resumable = options?.resumable === true
    this.#bulky = options?.bulky === true
    this.#waiter = waiter
  }

  get begun(): boolean {
    return this.#begun
  }

  begin(): void {
    this.#begun = true
    this.#inSlot = true
    const host = this.#host
    this.#inSession = host.hasSession
    const body = this.#body
    this.#body = undefined
    const headers = this.#bulky ? host.bulkyHeaders : host.postHeaders
    const stream = host.sender.send({ method: 'POST', headers, extra: this.#extra, body }, this)
    if (this.#settled) stream.abort()
    else this.#stream = stream
  }

  abandon(reason: unknown): void {
    this.#fail(reason)
    this.#release()
  }

  answer(message: Answer): void {
    const status = this.#mode === 'events' ? this.#head?.status : undefined
    const waiter = this.#settle()
    if (waiter === undefined) return
    waiter.resolve(status === undefined || status < 300 ? message : { ...message, status })
    if (this.#mode === 'events' && this.#stream !== undefined) {
      this.#events?.stop()
      this.#host.drains.add(this)
      if (this.#inSlot) this.#host.slots.answered(this)
    } else {
      this.#release()
    }
  }

  /** The rest of the reply did not come in time: an answer stands before it, or it could hold none. */
  cut(): void {
    this.#stream?.abort()
    this.#stream = undefined
    this.#conclude()
    this.#over()
  }

  yieldSlot(): void {
    this.#leaveSlot()
  }

  noteForeign(id: string): void {
    this.#foreignId = id
  }

  head(head: HttpHead): void {
    const ok = head.status >= 200 && head.status < 300
    this.#head = head
    this.#text = ''
    this.#bytes = 0
    if (!this.#resuming) this.#host.replied(head)
    const form = bodyForm(head.header('content-type'))
    if (form === 'events' && (ok || (head.status !== 401 && head.status !== 403))) {
      this.#mode = 'events'
      this.#events ??= new SseReader(this, this.#host.limits)
      this.#events.restart()
      return
    }
    this.#mode = form === 'json' ? 'json' : 'excerpt'
    if (this.#mode === 'excerpt') this.#host.drains.add(this)
    else if (Number(head.header('content-length')) > this.#host.limits.maxMessageBytes) this.tooLong()
  }

  data(text: string, bytes: number): void {
    if (this.#settled) return
    if (this.#mode === 'events') {
      this.#events?.push(text)
      return
    }
    this.#text += text
    this.#bytes += bytes
    if (this.#mode === 'json') {
      if (this.#bytes > this.#host.limits.maxMessageBytes) this.tooLong()
    } else if (this.#text.length > MAX_EXCERPT_CHARS) {
      this.cut()
    }
  }

  end(): void {
    if (this.#mode === 'events') {
      this.#events?.end()
      if (!this.#settled) this.#streamEnded('it was closed', undefined)
    } else {
      this.#conclude()
    }
    // Last, as it lets the next call begin, which must not go out when this reply has shown that the session is lost.
    this.#over()
  }

  fail(failure: HttpFailure): void {
    if (!this.#settled) this.#failed(failure)
    this.#over()
  }

  #failed(failure: HttpFailure): void {
    const streaming = this.#head !== undefined && this.#mode === 'events'
    const error = networkError(failure, this.#host.shown, this.#head !== undefined, this.#host.limits.maxHeaderBytes)
    if (this.#canResume() && (streaming || this.#resuming) && error instanceof ConnectionError) {
      this.#streamEnded(error.message, failure.error)
      return
    }
    if ('outcome' in error && (this.#resuming || this.#head !== undefined)) error.outcome = 'unknown'
    this.#fail(error)
  }

  message(data: string): void {
    let value: unknown
    try {
      value = JSON.parse(data)
    } catch {
      this.#host.report(`skipped an event that is no JSON (${data.length} characters)`)
      return
    }
    this.#attempts = 0
    this.#host.receive(value, this)
  }

  tooLong(): void {
    this.#fail(new ResponseTooLargeError('maxMessageBytes', this.#host.limits.maxMessageBytes, { outcome: 'unknown' }))
    this.#release()
  }

  /** A body is complete, or as much of it as is wanted. */
  #conclude(): void {
    const head = this.#head
    if (head === undefined || this.#settled) return
    const text = this.#text.charCodeAt(0) === 0xfeff ? this.#text.slice(1) : this.#text
    this.#text = ''
    const ok = head.status >= 200 && head.status < 300
    if (ok && this.#mode === 'json') this.#readJson(head, text)
    else if (this.#resuming) this.#resumeRefused(head, text)
    else if (!ok) this.#refused(head, text)
    else this.#fail(this.#httpError(head, text))
  }

  #readJson(head: HttpHead, text: string): void {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      // The parser's own message quotes the text.
      const problem = text.trim() === '' ? undefined : 'a body that is no JSON, although it says so'
      this.#fail(this.#httpError(head, text, { problem }))
      return
    }
    this.#host.receive(value, this)
    if (this.#settled) return
    this.#fail(this.#httpError(head, text, { problem: `a body without the answer to this request${this.#foreignNote()}` }))
  }

  /** A status that is no success: the session is gone, the body holds the server's error, or the status is all there is. */
  #refused(head: HttpHead, text: string): void {
    const rpc = errorIn(text, this.id)
    const { status } = head
    const lost = this.#inSession && (status === 404 || (status === 400 && namesSession(rpc, text)))
    if (lost) this.#host.sessionLost(status)
    if (lost || status === 401 || status === 403 || rpc === undefined) {
      this.#fail(this.#httpError(head, text, { sessionLost: lost, rpc: rpc?.error }))
      return
    }
    const retryAfterMs = retryAfter(head)
    this.answer({ ...rpc, status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) })
  }

  #streamEnded(why: string, cause: unknown): void {
    if (!this.#canResume()) {
      const status = this.#head?.status ?? 200
      if (status >= 300 && this.#head !== undefined && !this.#resuming) this.#fail(this.#httpError(this.#head, ''))
      else this.#fail(lostReply(this.#host.shown, `${why}${this.#foreignNote()}`, cause))
      return
    }
    if (this.#attempts >= this.#host.limits.maxReconnects) {
      this.#fail(lostReply(this.#host.shown, `${why}, and ${this.#attempts} attempts to continue it brought nothing`, cause))
      return
    }
    this.#attempts++
    this.#timer = setTimeout(() => this.#resume(), Math.max(this.#events?.retryMs ?? DEFAULT_RESUME_MS, MIN_RESUME_MS))
  }

  #canResume(): boolean {
    return this.#resumable && this.#host.stateful && this.#events?.lastEventId !== undefined
  }

  #resume(): void {
    this.#timer = undefined
    this.#resuming = true
    this.#head = undefined
    const extra = { 'Last-Event-ID': byteString(this.#events?.lastEventId ?? '') }
    const stream = this.#host.sender.send({ method: 'GET', headers: this.#host.getHeaders, extra, body: undefined }, this)
    if (this.#settled) stream.abort()
    else if (this.#timer === undefined) this.#stream = stream
  }

  /** The request itself was taken, so no refusal of a GET behind it proves that nothing ran. */
  #resumeRefused(head: HttpHead, text: string): void {
    const { status } = head
    if (status >= 500 || status === 429 || status === 408) {
      this.#streamEnded(`continuing it was answered ${status}`, undefined)
      return
    }
    if (status === 404 && this.#inSession) this.#host.sessionLost(status)
    this.#fail(this.#httpError(head, text, { outcome: 'unknown', problem: 'the reply stream ended early and cannot be continued' }))
  }

  #httpError(head: HttpHead, body: string, more: Partial<UnusableReply> = {}): unknown {
    const { shown, limits } = this.#host
    return httpError({ head, shown, body, maxPeerTextChars: limits.maxPeerTextChars, inSession: this.#inSession, ...more })
  }

  #foreignNote(): string {
    return this.#foreignId === undefined
      ? ''
      : ` (an answer with the id ${this.#foreignId} came instead of ${peerText(String(this.id), 100)})`
  }

  #fail(error: unknown): void {
    this.#settle()?.reject(error)
  }

  /** The one who waits, once. */
  #settle(): Waiter | undefined {
    const waiter = this.#waiter
    if (waiter === undefined) return undefined
    this.#waiter = undefined
    this.#head = undefined
    this.#text = ''
    this.#host.settled(this)
    return waiter
  }

  get #settled(): boolean {
    return this.#waiter === undefined
  }

  /** The wire part is over by itself. */
  #over(): void {
    this.#stream = undefined
    this.#host.drains.delete(this)
    this.#leaveSlot()
  }

  /** The wire part is ended from here. */
  #cutWire(): void {
    this.#stream?.abort()
    this.#over()
  }

  /** Nothing of this exchange is left, on the wire or in wait for it. */
  #release(): void {
    this.#events?.stop()
    clearTimeout(this.#timer)
    if (!this.#begun) this.#host.slots.withdraw(this)
    this.#cutWire()
  }

  #leaveSlot(): void {
    if (!this.#inSlot) return
    this.#inSlot = false
    this.#host.slots.leave(this)
  }
}
