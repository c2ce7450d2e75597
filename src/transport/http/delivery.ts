import type { HttpError } from '../../errors.ts'
import type { Limits } from '../../limits.ts'
import type { Draining, Drains } from './drains.ts'
import { errorIn } from './error-body.ts'
import { httpError } from './http-error.ts'
import type { HttpFailure, HttpHead, HttpReceiver } from './http-port.ts'
import { networkError } from './network-error.ts'
import type { Outgoing, RequestSender } from './request-sender.ts'
import { namesSession } from './session-id.ts'

export interface DeliveryHost {
  readonly limits: Limits
  readonly shown: string
  readonly sender: RequestSender
  readonly drains: Drains
  readonly hasSession: boolean
  sessionLost(status: number): void
}

const MAX_EXCERPT_CHARS = 65_536

/**
 * Sends a message that wants no answer. `done` resolves at the head of any 2xx, whatever it says about its content: servers answer 200
 * with `ok`, with nothing, or with `null`, where 202 is due.
 */
export class Delivery implements HttpReceiver, Draining {
  readonly done: Promise<void>
  readonly #host: DeliveryHost
  readonly #inSession: boolean
  readonly #stream: { abort(): void }
  #resolve: () => void = () => {}
  #reject: (error: unknown) => void = () => {}
  #head: HttpHead | undefined
  #text = ''

  constructor(host: DeliveryHost, outgoing: Outgoing) {
    this.#host = host
    this.#inSession = host.hasSession
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.#stream = host.sender.send(outgoing, this)
  }

  head(head: HttpHead): void {
    this.#host.drains.add(this)
    if (head.status >= 200 && head.status < 300) this.#resolve()
    else this.#head = head
  }

  data(text: string): void {
    if (this.#head === undefined) return
    this.#text += text
    if (this.#text.length > MAX_EXCERPT_CHARS) this.cut()
  }

  end(): void {
    this.#host.drains.delete(this)
    this.#refuse()
  }

  fail(failure: HttpFailure): void {
    this.#host.drains.delete(this)
    // Nothing to reject when the head has resolved it.
    if (this.#head === undefined) this.#reject(networkError(failure, this.#host.shown, false, this.#host.limits.maxHeaderBytes))
    else this.#refuse()
  }

  cut(): void {
    this.#stream.abort()
    this.end()
  }

  abandon(reason: unknown): void {
    this.#stream.abort()
    this.#host.drains.delete(this)
    this.#reject(reason)
  }

  #refuse(): void {
    const head = this.#head
    if (head === undefined) return
    const text = this.#text
    this.#text = ''
    const rpc = errorIn(text)
    const lost = this.#inSession && (head.status === 404 || (head.status === 400 && namesSession(rpc, text)))
    if (lost) this.#host.sessionLost(head.status)
    this.#reject(this.#error(head, text, lost, rpc?.error))
  }

  #error(head: HttpHead, body: string, sessionLost: boolean, rpc: NonNullable<ReturnType<typeof errorIn>>['error'] | undefined): HttpError {
    const { shown, limits } = this.#host
    const { maxPeerTextChars } = limits
    return httpError({ head, shown, body, maxPeerTextChars, inSession: this.#inSession, sessionLost, rpc })
  }
}
