import type { CallerHeaders } from './caller-headers.ts'
import type { Signer } from './signer.ts'

export type Fetch = typeof globalThis.fetch

/** What a caller may set for a server behind a URL. */
export interface HttpOptions {
  /**
   * Sent with every request; a function is asked before each one. A header that the protocol owns is a `TypeError`; `User-Agent` replaces
   * ours. Default none.
   */
  readonly headers?: CallerHeaders | undefined
  /** Makes the requests instead of the runtime's own HTTP. */
  readonly fetch?: Fetch | undefined
  /** Signs the exact bytes of every request. Default none. */
  readonly signer?: Signer | undefined
  /**
   * A path on the URL's origin, query included, that messages are posted to instead of the URL's own. On HTTP+SSE it replaces the path that
   * the server announces, whose query stays unless this one has its own. Default none; a URL without a path has `/rpc` with
   * `transport: 'http'`.
   */
  readonly endpoint?: string | undefined
}

export interface HttpTransportOptions extends HttpOptions {
  /** The endpoint, used exactly as given, query included. Credentials in it become Basic authorization. */
  readonly url: string
  /** Options of `node:tls` such as `ca`, `cert` and `key`. In Node only, and not together with `fetch`. */
  readonly tls?: Readonly<Record<string, unknown>> | undefined
}
