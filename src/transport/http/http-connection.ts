import { type CloseReason, ConnectionError } from '../../errors.ts'
import { isNotification, isObject, isRequest, isResponse } from '../../jsonrpc/codec.ts'
import type { JSONRPCNotification, JSONRPCRequest, JSONRPCResponse, RequestId } from '../../jsonrpc/message.ts'
import type { Limits } from '../../limits.ts'
import { peerText } from '../../protocol/peer-text.ts'
import { Settleable } from '../settleable.ts'
import type { Answer, Connection, ExchangeOptions, Inbound, LinkTerms } from '../transport.ts'
import { CallSlots } from './call-slots.ts'
import { checkRequestHeaders } from './caller-headers.ts'
import { Delivery, type DeliveryHost } from './delivery.ts'
import { Drains } from './drains.ts'
import { Exchange } from './exchange.ts'
import type { ExchangeHost, PendingExchange } from './exchange-host.ts'
import type { HeaderBlock } from './header-block.ts'
import type { HttpHead } from './http-port.ts'
import type { RequestSender } from './request-sender.ts'
import { ServerStream, type ServerStreamHost } from './server-stream.ts'
import { isSessionId } from './session-id.ts'

export interface HttpConnectionSetup {
  readonly sender: RequestSender
  /** The headers of every request, whatever it is. */
  readonly common: HeaderBlock
  /** The URL without its query and credentials. */
  readonly shown: string
  readonly limits: Limits
  readonly inbound: Inbound
  readonly report: (problem: string) => void
  /** Without event streams: none is asked for, kept open or continued. */
  readonly plain?: boolean
  /** The value of `Accept-Encoding` where a reply may be long. Default: none is sent. */
  readonly acceptEncoding?: string | undefined
}

/** How long closing waits for the server to hear that its session is over. */
const FAREWELL_MS = 1_500

/** One link to a Streamable HTTP endpoint: which headers a message carries, whom a message that comes is for, and when it is all over. */
export class HttpConnection implements Connection, ExchangeHost, DeliveryHost, ServerStreamHost {
  readonly ownReplyStream = true
  readonly sender: RequestSender
  readonly limits: Limits
  readonly shown: string
  readonly report: (problem: string) => void
  readonly slots: CallSlots
  postHeaders: HeaderBlock
  stateful: boolean = false

  readonly #inbound: Inbound
  readonly #plain: boolean
  readonly #bulky: Readonly<Record<string, string>> | undefined
  readonly #lost = new Settleable<CloseReason>()
  readonly #closed = new Settleable<CloseReason>()
  // What only some connections need is made when it is: idle ones are many.
  #pending: Map<RequestId, PendingExchange> | undefined
  #drains: Drains | undefined
  #deliveries: Set<Delivery> | undefined
  #bulkyHeaders: HeaderBlock | undefined
  #getHeaders: HeaderBlock | undefined
  #serverStream: ServerStream | undefined
  /** Of the newest successful reply until the handshake is done; then the session's. */
  #sessionId: string | undefined
  #adopted = false
  #closing: Promise<void> | undefined

  constructor(setup: HttpConnectionSetup) {
    this.sender = setup.sender
    this.limits = setup.limits
    this.shown = setup.shown
    this.report = setup.report
    this.#inbound = setup.inbound
    this.#plain = setup.plain ?? false
    const { acceptEncoding } = setup
    // The caller's own word on it stands.
    this.#bulky = acceptEncoding === undefined || setup.common.meets(ENCODING) ? undefined : { 'Accept-Encoding': acceptEncoding }
    this.postHeaders = setup.common.with(this.#plain ? PLAIN_HEADERS : POST_HEADERS)
    this.slots = new CallSlots(setup.limits.maxCallsPerOrigin)
  }

  get lost(): Promise<CloseReason> {
    return this.#lost.promise
  }

  get closed(): Promise<CloseReason> {
    return this.#closed.promise
  }

  get drains(): Drains {
    this.#drains ??= new Drains(this.limits.maxCallsPerOrigin)
    return this.#drains
  }

  get bulkyHeaders(): HeaderBlock {
    if (this.#bulky === undefined) return this.postHeaders
    this.#bulkyHeaders ??= this.postHeaders.with(this.#bulky)
    return this.#bulkyHeaders
  }

  get getHeaders(): HeaderBlock {
    this.#getHeaders ??= this.postHeaders.with(GET_HEADERS)
    return this.#getHeaders
  }

  get hasSession(): boolean {
    return this.#adopted && this.#sessionId !== undefined
  }

  exchange(request: JSONRPCRequest, options?: ExchangeOptions): Promise<Answer> {
    if (this.#lost.value !== undefined) return Promise.reject(new ConnectionError(this.#lost.value, { outcome: 'not-run' }))
    const headers = options?.headers
    this.#serverStream?.wake()
    // What throws in here rejects: unusable headers are the caller's mistake.
    return new Promise((resolve, reject) => {
      if (headers !== undefined) checkRequestHeaders(headers)
      const exchange = new Exchange(this, request, options, { resolve, reject })
      this.#pending ??= new Map()
      this.#pending.set(request.id, exchange)
      this.slots.enter(exchange)
    })
  }

  abandon(id: RequestId, reason: unknown): void {
    this.#pending?.get(id)?.abandon(reason)
  }

  async post(message: JSONRPCNotification | JSONRPCResponse): Promise<void> {
    if (this.#lost.value !== undefined) throw new ConnectionError(this.#lost.value, { outcome: 'not-run' })
    const delivery = new Delivery(this, {
      method: 'POST',
      headers: this.postHeaders,
      extra: undefined,
      body: JSON.stringify(message),
    })
    this.#deliveries ??= new Set()
    this.#deliveries.add(delivery)
    try {
      await delivery.done
    } finally {
      this.#deliveries.delete(delivery)
      if (this.#deliveries.size === 0) this.#deliveries = undefined
    }
  }

  adopt(terms: LinkTerms): void {
    this.#adopted = true
    this.stateful = terms.stateful && !this.#plain
    if (!terms.stateful) this.#sessionId = undefined
    const session = this.#sessionId === undefined ? {} : { 'Mcp-Session-Id': this.#sessionId }
    this.postHeaders = this.postHeaders.with({ ...terms.headers, ...session })
    this.#bulkyHeaders = undefined
    this.#getHeaders = undefined
  }

  listen(): void {
    if (!this.stateful || this.#lost.value !== undefined) return
    this.#serverStream ??= new ServerStream(this)
    this.#serverStream.start()
  }

  close(): Promise<void> {
    this.#closing ??= this.#end({ kind: 'closed', message: 'the connection was closed' })
    return this.#closing
  }

  replied(head: HttpHead): void {
    if (this.#adopted || head.status < 200 || head.status >= 300) return
    const id = head.header('mcp-session-id')
    this.#sessionId = id !== undefined && isSessionId(id) ? id : undefined
    if (id !== undefined && this.#sessionId === undefined) this.report('ignored a session id that is too long or not visible ASCII')
  }

  receive(value: unknown, own?: PendingExchange): void {
    // A batch holds messages, never batches: following those would let a peer exhaust the stack.
    if (Array.isArray(value)) for (const message of value) this.#one(message, own)
    else this.#one(value, own)
  }

  #one(value: unknown, own: PendingExchange | undefined): void {
    if (!isObject(value)) {
      const what = value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value
      this.report(`skipped a message that is no JSON-RPC object (${what})`)
    } else if (isResponse(value)) {
      this.#answer(value, own)
    } else if (isNotification(value) || isRequest(value)) {
      this.#inbound(value, this, own?.id)
    } else {
      // Neither its text, which may be secret, nor any walk through it, which may be deep.
      const members = Object.keys(value).slice(0, 10).join(', ')
      this.report(`skipped a message that is no JSON-RPC 2.0, with the members ${peerText(members, 200)}`)
    }
  }

  settled(exchange: PendingExchange): void {
    this.#pending?.delete(exchange.id)
    if (this.#pending?.size === 0) this.#pending = undefined
  }

  sessionLost(status: number): void {
    if (this.#lost.value !== undefined) return
    this.#sessionId = undefined
    this.#serverStream?.stop()
    const reason: CloseReason = { kind: 'session', message: `the session at ${this.shown} is no longer known by the server`, status }
    this.#lost.settle(reason)
    this.#withdrawQueued(reason)
  }

  #answer(message: Answer, own: PendingExchange | undefined): void {
    const { id } = message
    if (own !== undefined && (id === own.id || id === undefined || id === null)) {
      own.answer(message)
      return
    }
    // Ids keep their type, but on a reply of its own "1" can only mean 1, unless somebody waits for "1".
    if (own !== undefined && isId(id) && !this.#pending?.has(id) && String(id) === String(own.id)) {
      this.report(`took an answer with the id ${JSON.stringify(id)} for the request ${JSON.stringify(own.id)}`)
      own.answer(message)
      return
    }
    const waiting = own === undefined && isId(id) ? this.#pending?.get(id) : undefined
    if (waiting !== undefined) {
      waiting.answer(message)
      return
    }
    const shown = isId(id) ? peerText(JSON.stringify(id), 100) : 'null'
    own?.noteForeign(shown)
    this.report(`dropped an answer with the id ${shown}, which ${own === undefined ? 'no request waits for' : 'is not for this reply'}`)
  }

  /** What still waits for its turn is not sent any more. */
  #withdrawQueued(reason: CloseReason): void {
    this.slots.close()
    for (const exchange of [...(this.#pending?.values() ?? [])]) {
      if (!exchange.begun) exchange.abandon(new ConnectionError(reason, { outcome: 'not-run' }))
    }
  }

  async #end(reason: CloseReason): Promise<void> {
    const session = this.hasSession && this.#lost.value === undefined
    this.#lost.settle(reason)
    this.#serverStream?.stop()
    this.#withdrawQueued(reason)
    for (const exchange of [...(this.#pending?.values() ?? [])]) exchange.abandon(new ConnectionError(reason, { outcome: 'unknown' }))
    // What is on its way, such as a cancellation, may still arrive meanwhile.
    if (session) await this.#sayFarewell()
    for (const delivery of this.#deliveries ?? []) delivery.abandon(new ConnectionError(reason, { outcome: 'unknown' }))
    this.#drains?.close()
    this.sender.client.close()
    this.#closed.settle(reason)
  }

  /** Tells the server that the session is over; whatever it answers, and whether it does, changes nothing. */
  async #sayFarewell(): Promise<void> {
    const farewell = new Delivery(this, { method: 'DELETE', headers: this.getHeaders, extra: undefined, body: undefined })
    let timer: ReturnType<typeof setTimeout> | undefined
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FAREWELL_MS)
    })
    await Promise.race([farewell.done.catch(() => {}), patience])
    clearTimeout(timer)
    farewell.abandon(undefined)
  }
}

const POST_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
const PLAIN_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json' }
const ENCODING = { 'Accept-Encoding': '' }
const GET_HEADERS = { Accept: 'text/event-stream', 'Content-Type': undefined }

/** The guard of responses lets anything stand as the id of an error. */
function isId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number'
}
