import type { Limits } from '../../limits.ts'
import type { HeaderBlock } from './header-block.ts'

/**
 * What this transport needs of an HTTP implementation. Replies are pushed, not pulled: a pull costs a promise per chunk, and lets
 * messages overtake one another.
 */
export interface HttpPort {
  /** The content encodings that it decodes, for those who want to ask for them; undefined where the runtime always asks by itself. */
  readonly acceptEncoding: string | undefined
  /** A client for one origin. Makes no connection yet. */
  connect(url: URL, limits: Limits): Promise<HttpClient>
}

export interface HttpClient {
  /**
   * Throws, with nothing sent, when the request cannot be written as HTTP. Calls the receiver later, never before it returns. No request
   * waits for a connection that another one uses: how many run at once is for others to bound.
   */
  start(request: HttpRequest, receiver: HttpReceiver): HttpStream
  /** Needs its connections no more; those that nobody else uses are cut. What still runs has been aborted before. Called once. */
  close(): void
}

export interface HttpRequest {
  readonly method: 'POST' | 'GET' | 'DELETE'
  /** On the client's origin, without credentials. */
  readonly url: string
  readonly headers: HeaderBlock
  /** Further headers; none of them is in `headers`. */
  readonly extra: Readonly<Record<string, string>> | undefined
  /** Sent as UTF-8. */
  readonly body: string | undefined
}

/** Gets `head`, any number of `data`, then `end`; or `fail` at any point; nothing after `end`, `fail` or an abort. */
export interface HttpReceiver {
  head(head: HttpHead): void
  /** Decoded text, never cut within a character. `bytes` is what it came as, after decompression. */
  data(text: string, bytes: number): void
  end(): void
  fail(failure: HttpFailure): void
}

export interface HttpHead {
  readonly status: number
  /** The value of a header by its lower-case name; several of one name are joined by a comma. */
  header(name: string): string | undefined
}

export interface HttpFailure {
  /** What the implementation threw; an `McpError` is the error to reject with. */
  readonly error: unknown
  /** False only when it is proved that no byte of the request left this process. */
  readonly sent: boolean
}

export interface HttpStream {
  /** Cuts the request or its reply. Idempotent. */
  abort(): void
}
