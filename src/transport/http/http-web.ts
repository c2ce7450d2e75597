import type { Transport } from '../transport.ts'
import { fetchHttp } from './fetch-http.ts'
import type { HttpTransportOptions } from './http-options.ts'
import { streamableHttp } from './streamable-http.ts'

/** Streamable HTTP over `fetch`. */
export function httpTransport(options: HttpTransportOptions): Transport {
  if (options.tls !== undefined) throw new TypeError('tls cannot be set in this runtime')
  return streamableHttp(options, fetchHttp(options.fetch))
}
