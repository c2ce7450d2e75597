import type { Connection, Inbound, OpenOptions, Transport } from '../transport.ts'
import { HttpConnection } from './http-connection.ts'
import type { HttpPort } from './http-port.ts'
import { type HttpServerOptions, httpServer, shownOf, withEndpoint } from './http-server.ts'
import { isLoopback } from './loopback.ts'

/**
 * MCP's Streamable HTTP: a POST per message, JSON or an event stream in reply. @see spec basic/transports#streamable-http
 * @param plain The same without event streams, asked for or kept open.
 */
export function streamableHttp(options: HttpServerOptions, port: HttpPort, plain = false): Transport {
  const server = httpServer(options)
  const url = options.endpoint === undefined ? server.url : withEndpoint(server.url, options.endpoint)
  const acceptEncoding = options.compression === false || isLoopback(url.hostname) ? undefined : port.acceptEncoding
  const kind = plain ? 'http' : 'streamable-http'
  return {
    kind,
    label: url.host,
    identity: `${kind} ${url.href}`,
    async open(inbound: Inbound, openOptions: OpenOptions): Promise<Connection> {
      openOptions.signal?.throwIfAborted()
      const { limits, report } = openOptions
      const client = await port.connect(url, limits)
      return new HttpConnection({
        sender: server.sender(client, limits, url),
        common: server.common,
        shown: shownOf(url),
        limits,
        inbound,
        report: report ?? (() => {}),
        plain,
        acceptEncoding,
      })
    },
  }
}
