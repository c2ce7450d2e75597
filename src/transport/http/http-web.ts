import type { Transport } from '../transport.ts'
import { fetchHttp } from './fetch-http.ts'
import { type HttpKind, httpTransportOf } from './http-kinds.ts'
import { checkNotWithFetch, type HttpTransportOptions } from './http-options.ts'

/** A transport over `fetch`. */
export function httpTransport(options: HttpTransportOptions, kind: HttpKind = 'streamable-http'): Transport {
  checkNotWithFetch(options, 'cannot be set in this runtime, whose own it is')
  return httpTransportOf(kind, options, fetchHttp(options.fetch))
}
