import type { Transport } from '../transport.ts'
import type { HttpTransportOptions } from './http-options.ts'
import type { HttpPort } from './http-port.ts'
import { jsonHttp } from './json-http.ts'
import { legacySse } from './legacy-sse.ts'
import { streamableHttp } from './streamable-http.ts'

/** The transports that reach a server behind a URL: what `client.transport` says of them. */
export type HttpKind = 'streamable-http' | 'sse' | 'http'

const MAKERS: Readonly<Record<HttpKind, (options: HttpTransportOptions, port: HttpPort) => Transport>> = {
  'streamable-http': (options, port) => streamableHttp(options, port),
  sse: legacySse,
  http: jsonHttp,
}

export function httpTransportOf(kind: HttpKind, options: HttpTransportOptions, port: HttpPort): Transport {
  return MAKERS[kind](options, port)
}
