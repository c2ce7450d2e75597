import type { Transport } from '../transport.ts'
import { fetchHttp } from './fetch-http.ts'
import { type HttpKind, httpTransportOf } from './http-kinds.ts'
import { checkNotWithFetch, type HttpTransportOptions } from './http-options.ts'
import { nodeHttp } from './node-http.ts'

const PLAIN = nodeHttp()

/** A transport over Node's own HTTP, or over a `fetch` that is given. */
export function httpTransport(options: HttpTransportOptions, kind: HttpKind = 'streamable-http'): Transport {
  const { fetch, tls, proxy } = options
  if (fetch !== undefined) {
    checkNotWithFetch(options, 'has no effect on a fetch that is given; configure that fetch instead')
    return httpTransportOf(kind, options, fetchHttp(fetch))
  }
  if (tls !== undefined && /^http:/i.test(options.url)) throw new TypeError('tls is for https URLs, and this one is http')
  return httpTransportOf(kind, options, tls === undefined && proxy === undefined ? PLAIN : nodeHttp({ tls, proxy }))
}
