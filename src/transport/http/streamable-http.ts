import type { Connection, Inbound, OpenOptions, Transport } from '../transport.ts'
import { HttpConnection } from './http-connection.ts'
import type { HttpPort } from './http-port.ts'
import { HttpServer, type HttpServerOptions, shownOf, withEndpoint } from './http-server.ts'
import { isLoopback } from './loopback.ts'

/**
 * MCP's Streamable HTTP: a POST per message, JSON or an event stream in reply. @see spec basic/transports#streamable-http
 * @param plain The same without event streams, asked for or kept open.
 */
export function streamableHttp(options: HttpServerOptions, port: HttpPort, plain = false): Transport {
  const server = new HttpServer(options)
  const { url } = server
  const target = options.endpoint === undefined ? undefined : withEndpoint(url, options.endpoint)
  const { host } = url
  const href = target?.href ?? server.href
  const shown = target === undefined ? server.shown : shownOf(target)
  const acceptEncoding = options.compression === false || isLoopback(url.hostname) ? undefined : port.acceptEncoding
  const kind = plain ? 'http' : 'streamable-http'
  return {
    kind,
    label: host,
    identity: `${kind} ${href}`,
    origin: url.origin,
    async open(inbound: Inbound, openOptions: OpenOptions): Promise<Connection> {
      openOptions.signal?.throwIfAborted()
      const { limits, report } = openOptions
      const client = await port.connect(new URL(href), limits)
      return new HttpConnection({
        sender: server.sender(client, limits, href),
        common: server.common,
        shown,
        limits,
        inbound,
        report: report ?? (() => {}),
        plain,
        acceptEncoding,
      })
    },
  }
}
