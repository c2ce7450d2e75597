import type { Transport } from '../transport.ts'
import { type HttpKind, httpTransportOf } from './http-kinds.ts'
import { checkNotWithFetch, type Fetch, type HttpTransportOptions } from './http-options.ts'
import type { HttpPort } from './http-port.ts'
import { nodeHttp } from './node-http.ts'

const PLAIN = nodeHttp()

/** A transport over Node's own HTTP, or over a `fetch` that is given. */
export function httpTransport(options: HttpTransportOptions, kind: HttpKind = 'streamable-http'): Transport {
  const { fetch, tls, proxy } = options
  if (fetch !== undefined) {
    checkNotWithFetch(options, 'has no effect on a fetch that is given; configure that fetch instead')
    return httpTransportOf(kind, options, over(fetch))
  }
  if (tls !== undefined && /^http:/i.test(options.url)) throw new TypeError('tls is for https URLs, and this one is http')
  return httpTransportOf(kind, options, tls === undefined && proxy === undefined ? PLAIN : nodeHttp({ tls, proxy }))
}

/** Few bring a fetch to Node, so what it takes is loaded for them alone. */
function over(fetch: Fetch): HttpPort {
  return {
    acceptEncoding: undefined,
    async connect(url, limits) {
      const { fetchHttp } = await import('./fetch-http.ts')
      return fetchHttp(fetch).connect(url, limits)
    },
  }
}
