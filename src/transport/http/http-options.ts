import type { CallerHeaders } from './caller-headers.ts'
import type { Signer } from './signer.ts'
import type { TlsOptions } from './tls-options.ts'

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
  /**
   * Options of TLS as in `node:tls`: `ca`, `cert`, `key`, `passphrase`, `servername`, … An unknown one is a `TypeError`. For https URLs, in
   * Node, not together with `fetch`. Default: what the runtime trusts, `NODE_EXTRA_CA_CERTS` included, and no certificate of ours.
   */
  readonly tls?: TlsOptions | undefined
  /**
   * The URL of an HTTP proxy, with credentials if it wants some, whatever the host and the environment; or false for none. In Node, not
   * together with `fetch`. Default: what `HTTPS_PROXY`, `HTTP_PROXY` or `ALL_PROXY` says for the URL, in either case, except for this
   * machine and for what `NO_PROXY` names: hosts, ends of domains, addresses, networks (`10.0.0.0/8`), each with a port or without, or `*`.
   */
  readonly proxy?: string | false | undefined
  /**
   * Asks for compressed replies to what may be long and holds no secret of a call: lists and reads, and never of this machine. A reply that
   * comes compressed is read whatever this says, up to `limits.maxDecompressedBytes`. In Node, not together with `fetch`, which asks as it
   * likes. Default true.
   */
  readonly compression?: boolean | undefined
}

export interface HttpTransportOptions extends HttpOptions {
  /** The endpoint, used exactly as given, query included. Credentials in it become Basic authorization. */
  readonly url: string
}

/** What is decided below `fetch`, and only Node's own HTTP lets us decide. */
export function checkNotWithFetch(options: HttpOptions, why: string): void {
  for (const name of ['tls', 'proxy', 'compression'] as const) if (options[name] !== undefined) throw new TypeError(`${name} ${why}`)
}
