import type { Transport } from '../transport.ts'
import { fetchHttp } from './fetch-http.ts'
import { type HttpKind, httpTransportOf } from './http-kinds.ts'
import type { HttpTransportOptions } from './http-options.ts'
import { nodeHttp } from './node-http.ts'

/** A transport over Node's own HTTP, or over a `fetch` that is given. */
export function httpTransport(options: HttpTransportOptions, kind: HttpKind = 'streamable-http'): Transport {
  const { fetch, tls } = options
  if (fetch !== undefined && tls !== undefined) {
    throw new TypeError('tls has no effect on a fetch that is given; configure that fetch instead')
  }
  return httpTransportOf(kind, options, fetch === undefined ? nodeHttp(tls) : fetchHttp(fetch))
}
