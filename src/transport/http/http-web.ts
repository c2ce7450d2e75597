import type { Transport } from '../transport.ts'
import { fetchHttp } from './fetch-http.ts'
import { type HttpKind, httpTransportOf } from './http-kinds.ts'
import type { HttpTransportOptions } from './http-options.ts'

/** A transport over `fetch`. */
export function httpTransport(options: HttpTransportOptions, kind: HttpKind = 'streamable-http'): Transport {
  if (options.tls !== undefined) throw new TypeError('tls cannot be set in this runtime')
  return httpTransportOf(kind, options, fetchHttp(options.fetch))
}
