import type { Connection, Inbound, OpenOptions, Transport } from '../transport.ts'
import type { HttpPort } from './http-port.ts'
import { HttpServer, type HttpServerOptions, withEndpoint } from './http-server.ts'

/**
 * HTTP+SSE, the HTTP transport of 2024-11-05: one event stream from the server for everything it says, and a POST for each message of ours.
 * @see spec 2024-11-05 basic/transports#http-with-sse
 */
export function legacySse(options: HttpServerOptions, port: HttpPort): Transport {
  const server = new HttpServer(options)
  const endpoint = options.endpoint === undefined ? undefined : withEndpoint(server.url, options.endpoint)
  return {
    kind: 'sse',
    label: server.url.host,
    identity: `sse ${server.href}`,
    origin: server.url.origin,
    legacyOnly: true,
    async open(inbound: Inbound, openOptions: OpenOptions): Promise<Connection> {
      // Most servers are reached without.
      const { SseLink } = await import('./sse-link.ts')
      openOptions.signal?.throwIfAborted()
      const client = await port.connect(server.url, openOptions.limits)
      return new SseLink(server, client, endpoint, inbound, openOptions).open(openOptions.signal)
    },
  }
}
