import { ResponseTooLargeError } from '../../errors.ts'
import type { Limits } from '../../limits.ts'
import { isCertificateCode } from './certificate-error.ts'
import { DecompressedBytes } from './decompressed-bytes.ts'
import type { Fetch } from './http-options.ts'
import type { HttpClient, HttpHead, HttpPort, HttpReceiver, HttpRequest, HttpStream } from './http-port.ts'
import { bodyForm } from './media-type.ts'
import { codeOf } from './network-error.ts'

/** HTTP by `fetch`: for runtimes without `node:http`, and for a `fetch` of the caller's. */
export function fetchHttp(fetch?: Fetch): HttpPort {
  return {
    acceptEncoding: undefined,
    async connect(_url, limits) {
      // The global is looked up at each request, as tools that replace it do so at any time; and it must be called without a receiver.
      return new FetchHttpClient(fetch ?? ((input, init) => globalThis.fetch(input, init)), limits)
    },
  }
}

class FetchHttpClient implements HttpClient {
  readonly #fetch: Fetch
  readonly #limits: Limits

  constructor(fetch: Fetch, limits: Limits) {
    this.#fetch = fetch
    this.#limits = limits
  }

  start(request: HttpRequest, receiver: HttpReceiver): HttpStream {
    const stream = new FetchStream(receiver, this.#limits)
    stream.run(this.#fetch, request)
    return stream
  }

  /** Every stream has been aborted by then, and the connections are the runtime's. */
  close(): void {}
}

const whole = new TextDecoder('utf-8', { ignoreBOM: true })

class FetchStream implements HttpStream {
  readonly #limits: Limits
  // One for each request: with a shared signal every request would add a listener to it.
  readonly #control = new AbortController()
  #receiver: HttpReceiver | undefined
  #decoder: InstanceType<typeof TextDecoder> | undefined

  constructor(receiver: HttpReceiver, limits: Limits) {
    this.#receiver = receiver
    this.#limits = limits
  }

  /** Its own failure handling is complete, so nobody waits for this promise. */
  async run(fetch: Fetch, request: HttpRequest): Promise<void> {
    const { url, method, body, extra } = request
    const headers = extra === undefined ? request.headers.record : { ...request.headers.record, ...extra }
    try {
      const init = { method, headers, redirect: 'manual' as const, signal: this.#control.signal }
      const reply = await fetch(url, body === undefined ? init : { ...init, body })
      this.#receiver?.head(new FetchHead(reply))
      await this.#read(reply)
      this.#finish()?.end()
    } catch (error) {
      this.#finish()?.fail({ error: cause(error), sent: !provesUnsent(error) })
    }
  }

  abort(): void {
    if (this.#finish() !== undefined) this.#control.abort()
  }

  async #read(reply: Response): Promise<void> {
    if (this.#receiver === undefined || reply.body === null) {
      await reply.body?.cancel()
      return
    }
    const compressed = reply.headers.has('content-encoding')
    if (!compressed && this.#isShort(reply)) {
      this.#receiver.data(await reply.text(), Number(reply.headers.get('content-length')))
      return
    }
    const bytes = compressed
      ? new DecompressedBytes(this.#limits.maxDecompressedBytes, reply.headers.get('content-type') ?? undefined)
      : undefined
    const reader = reply.body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (bytes?.take(value) === false) {
        this.#finish()?.fail({ error: new ResponseTooLargeError('maxDecompressedBytes', this.#limits.maxDecompressedBytes), sent: true })
        this.#control.abort()
        return
      }
      this.#receiver?.data(this.#decode(value), value.length)
    }
    const rest = this.#decoder?.decode() ?? ''
    if (rest !== '') this.#receiver?.data(rest, 0)
  }

  /** A JSON body of a known, permitted length can be taken whole, which costs a third less. */
  #isShort(reply: Response): boolean {
    const length = reply.headers.get('content-length')
    return (
      length !== null &&
      Number(length) <= this.#limits.maxMessageBytes &&
      bodyForm(reply.headers.get('content-type') ?? undefined) === 'json'
    )
  }

  /** Most chunks end with a whole character, and are decoded without state. */
  #decode(chunk: Uint8Array): string {
    if (this.#decoder === undefined) {
      if ((chunk[chunk.length - 1] ?? 0) < 0x80) return whole.decode(chunk)
      this.#decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    }
    return this.#decoder.decode(chunk, STREAMING)
  }

  #finish(): HttpReceiver | undefined {
    const receiver = this.#receiver
    this.#receiver = undefined
    return receiver
  }
}

const STREAMING = { stream: true }

class FetchHead implements HttpHead {
  readonly status: number
  readonly #headers: Headers

  constructor(reply: Response) {
    this.status = reply.status
    this.#headers = reply.headers
  }

  header(name: string): string | undefined {
    return this.#headers.get(name) ?? undefined
  }
}

/** `fetch` wraps the error of the network in one that says nothing. */
function cause(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error
}

/** Only failures of name lookup, of connecting and of the TLS handshake prove that; a runtime that names none proves nothing. */
function provesUnsent(error: unknown): boolean {
  const code = codeOf(error)
  return code !== undefined && (BEFORE_SENDING.has(code) || isCertificateCode(code))
}

const BEFORE_SENDING: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])
