import { ConnectionError, McpError } from '../../errors.ts'
import { checkCallerHeaders, type HeaderRecord, type HeaderSource } from './caller-headers.ts'
import type { HeaderBlock } from './header-block.ts'
import type { HttpClient, HttpFailure, HttpHead, HttpReceiver, HttpStream } from './http-port.ts'
import type { Signer } from './signer.ts'

/** One request before credentials and the caller's own headers are on it. */
export interface Outgoing {
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly headers: HeaderBlock
  readonly extra: HeaderRecord | undefined
  readonly body: string | undefined
}

export interface SentRequest extends HttpStream {
  /** Where it has been sent last: redirects are followed. */
  readonly url: string
}

export interface SenderOptions {
  /** The endpoint, without credentials. */
  readonly url: string
  /** Asked before each request; fixed headers stand in the blocks already. */
  readonly headers: HeaderSource | undefined
  readonly signer: Signer | undefined
  readonly maxRedirects: number
}

/**
 * Sends requests with the caller's headers and signature on them, repeats one whose refusal the signer mended, and follows a redirect
 * that keeps method, body and origin. A receiver sees one request and one reply.
 */
export class RequestSender {
  readonly options: SenderOptions
  readonly client: HttpClient

  constructor(client: HttpClient, options: SenderOptions) {
    this.client = client
    this.options = options
  }

  /** Never throws: what is wrong with a request is told to the receiver, before this returns where it is known by then. */
  send(outgoing: Outgoing, receiver: HttpReceiver): SentRequest {
    const sending = new Sending(this, outgoing, receiver)
    sending.begin()
    return sending
  }
}

/** How much of a refusal's body is kept while the signer thinks. */
const MAX_HELD_CHARS = 65_536

class Sending implements HttpReceiver, SentRequest {
  readonly #sender: RequestSender
  readonly #outgoing: Outgoing
  /** Undefined when nobody listens any more. */
  #receiver: HttpReceiver | undefined
  #stream: HttpStream | undefined
  #url: string
  #redirects = 0
  #mended = false
  #held: Held | undefined
  /** The headers that were signed, for the signer's second look. */
  #signed: HeaderBlock | undefined

  constructor(sender: RequestSender, outgoing: Outgoing, receiver: HttpReceiver) {
    this.#sender = sender
    this.#outgoing = outgoing
    this.#receiver = receiver
    this.#url = sender.options.url
  }

  get url(): string {
    return this.#url
  }

  /** Nothing here waits for a promise unless the caller's headers or the signer give one. */
  begin(): void {
    const { headers, signer } = this.#sender.options
    if (headers === undefined && signer === undefined) {
      const { headers: block, extra } = this.#outgoing
      if (extra !== undefined && block.meets(extra)) this.#start(block.with(extra), undefined)
      else this.#start(block, extra)
      return
    }
    try {
      const more = headers?.()
      if (isPromise(more)) more.then((given) => this.#compose(given)).catch((cause: unknown) => this.#unprepared(cause))
      else this.#compose(more)
    } catch (cause) {
      this.#unprepared(cause)
    }
  }

  #compose(more: HeaderRecord | undefined): void {
    let block = this.#outgoing.headers
    if (more !== undefined) {
      checkCallerHeaders(more)
      block = block.with(more)
    }
    if (this.#outgoing.extra !== undefined) block = block.with(this.#outgoing.extra)
    const { signer } = this.#sender.options
    if (signer === undefined) {
      this.#start(block, undefined)
      return
    }
    const { method, body } = this.#outgoing
    const signed = signer.sign({ method, url: this.#url, headers: block.record, body })
    if (isPromise(signed)) signed.then((given) => this.#startSigned(block.with(given))).catch((cause: unknown) => this.#unprepared(cause))
    else this.#startSigned(block.with(signed))
  }

  #startSigned(block: HeaderBlock): void {
    this.#signed = block
    this.#start(block, undefined)
  }

  #start(headers: HeaderBlock, extra: HeaderRecord | undefined): void {
    if (this.#receiver === undefined) return
    const { method, body } = this.#outgoing
    try {
      this.#stream = this.#sender.client.start({ method, url: this.#url, headers, extra, body }, this)
    } catch (error) {
      this.fail({ error, sent: false })
    }
  }

  #unprepared(cause: unknown): void {
    const message = 'the headers or the signature of the request could not be made'
    const known = cause instanceof McpError || cause instanceof TypeError
    this.fail({ error: known ? cause : new ConnectionError({ kind: 'network', message, cause }), sent: false })
  }

  head(head: HttpHead): void {
    if (head.status === 401 && this.#mend(head)) return
    if ((head.status === 307 || head.status === 308) && this.#follow(head)) return
    this.#receiver?.head(head)
  }

  data(text: string, bytes: number): void {
    if (this.#held === undefined) this.#receiver?.data(text, bytes)
    else this.#held.data(text, bytes)
  }

  end(): void {
    if (this.#held === undefined) this.#finish()?.end()
    else this.#held.end()
  }

  fail(failure: HttpFailure): void {
    // A refusal that breaks off is a refusal all the same.
    if (this.#held === undefined) this.#finish()?.fail(failure)
    else this.#held.end()
  }

  abort(): void {
    this.#receiver = undefined
    this.#stream?.abort()
  }

  #finish(): HttpReceiver | undefined {
    const receiver = this.#receiver
    this.#receiver = undefined
    this.#stream = undefined
    return receiver
  }

  /** Holds the refusal back and asks the signer; true when the receiver must not see it yet. */
  #mend(head: HttpHead): boolean {
    const { signer } = this.#sender.options
    if (signer === undefined || this.#mended || this.#signed === undefined) return false
    this.#mended = true
    const held = new Held(head)
    this.#held = held
    const { method, body } = this.#outgoing
    const decide = (again: boolean): void => {
      if (this.#receiver === undefined) return
      this.#held = undefined
      if (!again) {
        held.replay(this, this.#receiver)
        return
      }
      if (!held.ended) this.#stream?.abort()
      this.begin()
    }
    try {
      const verdict = signer.refused({
        method,
        url: this.#url,
        headers: this.#signed.record,
        body,
        status: head.status,
        challenge: head.header('www-authenticate'),
        header: (name) => head.header(name),
      })
      // What a failing signer has to say is not lost: the refusal is told, and the next signature fails in its turn.
      if (isPromise(verdict)) verdict.then(decide, () => decide(false))
      else decide(verdict)
    } catch {
      decide(false)
    }
    return true
  }

  /** Only within the origin: neither the body nor the credentials ever leave it. */
  #follow(head: HttpHead): boolean {
    const location = head.header('location')
    if (location === undefined || this.#redirects >= this.#sender.options.maxRedirects || !URL.canParse(location, this.#url)) return false
    const target = new URL(location, this.#url)
    if (target.origin !== new URL(this.#url).origin || target.username !== '' || target.password !== '') return false
    target.hash = ''
    this.#redirects++
    this.#url = target.href
    this.#stream?.abort()
    this.begin()
    return true
  }
}

/** A reply that waits for the signer's verdict. */
class Held {
  readonly #head: HttpHead
  #text = ''
  #bytes = 0
  ended = false

  constructor(head: HttpHead) {
    this.#head = head
  }

  data(text: string, bytes: number): void {
    if (this.#text.length < MAX_HELD_CHARS) this.#text += text.slice(0, MAX_HELD_CHARS - this.#text.length)
    this.#bytes += bytes
  }

  end(): void {
    this.ended = true
  }

  replay(through: HttpReceiver, receiver: HttpReceiver): void {
    receiver.head(this.#head)
    if (this.#text !== '') through.data(this.#text, this.#bytes)
    if (this.ended) through.end()
  }
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
