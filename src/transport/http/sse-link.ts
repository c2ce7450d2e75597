import { type CloseReason, ConnectionError, HttpError, ResponseTooLargeError } from '../../errors.ts'
import type { JSONRPCMessage, RequestId } from '../../jsonrpc/message.ts'
import type { Limits } from '../../limits.ts'
import { peerText } from '../../protocol/peer-text.ts'
import { idAtEdge } from '../id-at-edge.ts'
import { type Pipe, type PipeEnd, pipeConnection } from '../pipe-connection.ts'
import type { Connection, Inbound, LinkTerms, OpenOptions } from '../transport.ts'
import { CallSlots } from './call-slots.ts'
import { checkRequestHeaders } from './caller-headers.ts'
import { Delivery } from './delivery.ts'
import { Drains } from './drains.ts'
import type { HeaderBlock } from './header-block.ts'
import { httpError } from './http-error.ts'
import type { HttpClient, HttpFailure, HttpHead, HttpReceiver } from './http-port.ts'
import { type HttpServer, shownOf } from './http-server.ts'
import { bodyForm } from './media-type.ts'
import { networkError } from './network-error.ts'
import { QueuedPost, type QueuedPostHost } from './queued-post.ts'
import type { Outgoing, RequestSender, SentRequest } from './request-sender.ts'
import { SseReader, type SseSink } from './sse-reader.ts'

const POST_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json' }
const GET_HEADERS = { Accept: 'text/event-stream' }
const CLOSED: CloseReason = { kind: 'closed', message: 'the connection was closed' }

/** What is read of a body that is no event stream. */
const MAX_EXCERPT_CHARS = 65_536

/** One link by HTTP+SSE: the event stream that carries all answers, and the POSTs to the address which it announces. */
export class SseLink implements Pipe, HttpReceiver, SseSink, QueuedPostHost {
  readonly limits: Limits
  readonly drains: Drains
  readonly slots: CallSlots
  /** Where messages go, without the query. */
  shown: string
  sender: RequestSender
  hasSession = false

  readonly #server: HttpServer
  readonly #client: HttpClient
  /** The caller's own address for messages. */
  readonly #override: URL | undefined
  readonly #report: (problem: string) => void
  readonly #end: PipeEnd
  readonly #events: SseReader
  readonly #queued = new Map<RequestId, QueuedPost>()
  readonly #sides = new Set<Delivery>()
  #postHeaders: HeaderBlock
  #stream: SentRequest | undefined
  #opening: { resolve(connection: Connection): void; reject(error: unknown): void } | undefined
  #announced = false
  #over = false
  #head: HttpHead | undefined
  #streaming = false
  #text = ''

  constructor(server: HttpServer, client: HttpClient, override: URL | undefined, inbound: Inbound, options: OpenOptions) {
    const { limits } = options
    this.limits = limits
    this.drains = new Drains(limits.maxCallsPerOrigin)
    this.slots = new CallSlots(limits.maxCallsPerOrigin)
    this.shown = server.shown
    this.sender = server.sender(client, limits)
    this.#server = server
    this.#client = client
    this.#override = override
    this.#report = options.report ?? (() => {})
    this.#postHeaders = server.common.with(POST_HEADERS)
    this.#events = new SseReader(this, limits, true)
    this.#end = pipeConnection(this, inbound, options)
  }

  /** Resolves when the server has said where messages go. */
  open(signal: AbortSignal | undefined): Promise<Connection> {
    const giveUp = (): void => this.#refuse(this.#streaming ? this.#silent(signal?.reason) : signal?.reason)
    const opened = new Promise<Connection>((resolve, reject) => {
      this.#opening = { resolve, reject }
      signal?.addEventListener('abort', giveUp, { once: true })
      const headers = this.#server.common.with(GET_HEADERS)
      const stream = this.sender.send({ method: 'GET', headers, extra: undefined, body: undefined }, this)
      if (this.#over) stream.abort()
      else this.#stream = stream
    })
    return opened.finally(() => signal?.removeEventListener('abort', giveUp))
  }

  write(message: JSONRPCMessage, headers?: Readonly<Record<string, string>>): Promise<void> {
    if (headers !== undefined) checkRequestHeaders(headers)
    const outgoing: Outgoing = { method: 'POST', headers: this.#postHeaders, extra: headers, body: JSON.stringify(message) }
    if (!('method' in message && 'id' in message)) return this.#deliver(outgoing)
    const post = new QueuedPost(this, outgoing)
    this.#queued.set(message.id, post)
    return post.done.catch((error: unknown) => Promise.reject(this.#explained(error)))
  }

  adopt(terms: LinkTerms): void {
    // From here on the address stands for a session; a server that no longer knows it has forgotten that.
    this.hasSession = terms.stateful
    this.#postHeaders = this.#server.common.with(terms.headers).with(POST_HEADERS)
  }

  settled(id: RequestId): void {
    this.#queued.get(id)?.release()
    this.#queued.delete(id)
  }

  async close(): Promise<void> {
    this.#finish(CLOSED)
  }

  sessionLost(status: number): void {
    const reason: CloseReason = { kind: 'session', message: `the session at ${this.shown} is no longer known by the server`, status }
    this.#end.lose(reason)
    for (const [id, post] of this.#queued) {
      if (!post.begun) this.#end.reject(id, new ConnectionError(reason, { outcome: 'not-run' }))
    }
  }

  head(head: HttpHead): void {
    this.#head = head
    this.#streaming = head.status >= 200 && head.status < 300 && bodyForm(head.header('content-type')) === 'events'
  }

  data(text: string): void {
    if (this.#streaming) {
      this.#events.push(text)
      return
    }
    this.#text += text
    if (this.#text.length > MAX_EXCERPT_CHARS) this.#refuse(this.#unusable())
  }

  end(): void {
    if (this.#streaming) {
      this.#events.end()
      this.#broken('it was closed', undefined)
    } else {
      this.#refuse(this.#unusable())
    }
  }

  fail(failure: HttpFailure): void {
    if (this.#head !== undefined && !this.#streaming) {
      this.#refuse(this.#unusable())
      return
    }
    const error = networkError(failure, this.#server.shown, this.#streaming, this.limits.maxHeaderBytes)
    // A stream that could not be opened has run nothing.
    if ('outcome' in error) error.outcome = 'not-run'
    if (this.#opening === undefined) this.#broken(error.message, failure.error)
    else this.#refuse(error)
  }

  message(data: string): void {
    let value: unknown
    try {
      value = JSON.parse(data)
    } catch {
      this.#report(`skipped an event that is no JSON (${data.length} characters)`)
      return
    }
    this.#end.receive(value)
  }

  event(type: string, data: string): void {
    if (type !== 'endpoint') return
    if (this.#announced) {
      this.#report('ignored an endpoint event behind the first one')
      return
    }
    this.#announced = true
    const target = this.#target(data)
    if (!(target instanceof URL)) {
      this.#refuse(new ConnectionError({ kind: 'network', message: target }, { outcome: 'not-run' }))
      return
    }
    this.shown = shownOf(target)
    this.sender = this.#server.sender(this.#client, this.limits, target.href)
    this.#opening?.resolve(this.#end.connection)
    this.#opening = undefined
  }

  tooLong(head: string, tail: string): void {
    const id = idAtEdge(head, tail)
    const { maxMessageBytes } = this.limits
    if (id === undefined || !this.#end.reject(id, new ResponseTooLargeError('maxMessageBytes', maxMessageBytes))) {
      this.#report(`skipped an event that exceeds maxMessageBytes (${maxMessageBytes})`)
    }
  }

  /** Where messages go by what was announced, or what is wrong with it. Credentials and messages never leave the origin. */
  #target(announced: string): URL | string {
    const base = this.#stream?.url ?? this.#server.href
    const target = URL.canParse(announced, base) ? new URL(announced, base) : undefined
    const { origin } = this.#server.url
    if (this.#override !== undefined) {
      const own = new URL(this.#override)
      // It names the session.
      if (own.search === '') own.search = target?.search ?? ''
      return own
    }
    const { shown } = this.#server
    if (target === undefined) return `${shown} announced an endpoint that is no URL: ${peerText(announced, 100)}`
    if (target.origin !== origin) {
      const theirs = target.origin === 'null' ? target.protocol : target.origin
      return `${shown} announced an endpoint on another origin, ${peerText(theirs, 300)} instead of ${origin}; nothing is sent there. If only the announcement is wrong, give the path with the option endpoint`
    }
    target.username = ''
    target.password = ''
    target.hash = ''
    return target
  }

  async #deliver(outgoing: Outgoing): Promise<void> {
    const delivery = new Delivery(this, outgoing)
    this.#sides.add(delivery)
    try {
      await delivery.done
    } finally {
      this.#sides.delete(delivery)
    }
  }

  /** A wrong address is the server's announcement, so it says where that came from. */
  #explained(error: unknown): unknown {
    if (!(error instanceof HttpError) || this.hasSession || (error.status !== 404 && error.status !== 405)) return error
    const { message, details, outcome, retryable, cause } = error
    const hint = `the event stream at ${this.#server.shown} announced this address; behind a path prefix, give the right one with the option endpoint`
    return new HttpError(`${message}; ${hint}`, details, { outcome, retryable, cause })
  }

  /** A reply that is no event stream. */
  #unusable(): unknown {
    const head = this.#head
    if (head === undefined) return undefined
    const { shown } = this.#server
    const { maxPeerTextChars } = this.limits
    const ok = head.status >= 200 && head.status < 300
    const type = head.header('content-type')
    const problem = ok ? `content of type ${peerText(type ?? '(none)', 100)} instead of the event stream of HTTP+SSE` : undefined
    return httpError({ head, shown, body: this.#text, maxPeerTextChars, inSession: false, outcome: 'not-run', problem })
  }

  #silent(cause: unknown): ConnectionError {
    const message = `the event stream at ${this.#server.shown} is open, but the endpoint event that HTTP+SSE begins with has not come`
    return new ConnectionError({ kind: 'timeout', message, cause }, { outcome: 'not-run' })
  }

  /** The link was never usable. */
  #refuse(error: unknown): void {
    this.#opening?.reject(error)
    this.#opening = undefined
    this.#finish(CLOSED)
  }

  /** The event stream is over. It cannot be continued, but the server can be greeted anew. */
  #broken(why: string, cause: unknown): void {
    const head = this.#head
    if (this.#opening !== undefined && head !== undefined) {
      const { shown } = this.#server
      const problem = `the event stream ended before the endpoint event of HTTP+SSE: ${why}`
      const { maxPeerTextChars } = this.limits
      this.#refuse(httpError({ head, shown, body: '', maxPeerTextChars, inSession: false, outcome: 'not-run', problem }))
      return
    }
    const message = `the event stream of ${this.#server.shown} ended: ${why}`
    this.#end.lose({ kind: 'session', message, cause })
    this.#finish({ kind: 'stream', message, cause })
  }

  #finish(reason: CloseReason): void {
    if (this.#over) return
    this.#over = true
    const lost = reason.kind === 'stream'
    this.#stream?.abort()
    this.#events.stop()
    this.slots.close()
    for (const [id, post] of [...this.#queued]) {
      this.#end.reject(id, new ConnectionError(reason, { outcome: post.begun ? 'unknown' : 'not-run', retryable: lost }))
      post.abandon(new ConnectionError(reason, { outcome: 'unknown' }))
    }
    this.#end.fail(reason)
    for (const delivery of this.#sides) delivery.abandon(new ConnectionError(reason, { outcome: 'unknown' }))
    this.drains.close()
    this.#client.close()
  }
}
