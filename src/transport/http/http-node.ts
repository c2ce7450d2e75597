import type { Transport } from '../transport.ts'
import { fetchHttp } from './fetch-http.ts'
import type { HttpTransportOptions } from './http-options.ts'
import { nodeHttp } from './node-http.ts'
import { streamableHttp } from './streamable-http.ts'

/** Streamable HTTP over Node's own HTTP, or over a `fetch` that is given. */
export function httpTransport(options: HttpTransportOptions): Transport {
  const { fetch, tls } = options
  if (fetch === undefined) return streamableHttp(options, nodeHttp(tls))
  if (tls !== undefined) throw new TypeError('tls has no effect on a fetch that is given; configure that fetch instead')
  return streamableHttp(options, fetchHttp(fetch))
}
