import type { Transport } from '../transport.ts'
import type { HttpPort } from './http-port.ts'
import type { HttpServerOptions } from './http-server.ts'
import { streamableHttp } from './streamable-http.ts'

/**
 * Plain JSON-RPC over HTTP: a POST per message and JSON in reply. The sessions and failures of Streamable HTTP without its event streams,
 * for servers that refuse to hear of those; no revision describes it.
 */
export function jsonHttp(options: HttpServerOptions, port: HttpPort): Transport {
  return streamableHttp(options, port, true)
}
