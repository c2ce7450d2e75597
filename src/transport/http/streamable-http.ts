import { VERSION } from '../../version.ts'
import type { Connection, Inbound, OpenOptions, Transport } from '../transport.ts'
import { checkCallerHeaders } from './caller-headers.ts'
import { HeaderBlock } from './header-block.ts'
import { HttpConnection } from './http-connection.ts'
import type { HttpTransportOptions } from './http-options.ts'
import type { HttpPort } from './http-port.ts'
import { RequestSender } from './request-sender.ts'

export type StreamableHttpOptions = Pick<HttpTransportOptions, 'url' | 'headers' | 'signer'>

/** MCP's Streamable HTTP: a POST per message, JSON or an event stream in reply. @see spec basic/transports#streamable-http */
export function streamableHttp(options: StreamableHttpOptions, port: HttpPort): Transport {
  const endpoint = endpointOf(options.url)
  const { headers } = options
  if (typeof headers === 'object') checkCallerHeaders(headers)
  const common = new HeaderBlock({ 'User-Agent': `mcp-switchboard/${VERSION}` })
    .with(endpoint.authorization === undefined ? {} : { Authorization: endpoint.authorization })
    .with(typeof headers === 'object' ? headers : {})
  return {
    kind: 'streamable-http',
    label: endpoint.url.host,
    identity: endpoint.url.href,
    async open(inbound: Inbound, openOptions: OpenOptions): Promise<Connection> {
      openOptions.signal?.throwIfAborted()
      const { limits, report } = openOptions
      const client = await port.connect(endpoint.url, limits)
      const sender = new RequestSender(client, {
        url: endpoint.url.href,
        headers: typeof headers === 'function' ? headers : undefined,
        signer: options.signer,
        maxRedirects: limits.maxRedirects,
      })
      return new HttpConnection({ sender, common, shown: endpoint.shown, limits, inbound, report: report ?? (() => {}) })
    },
  }
}

interface Endpoint {
  /** Without credentials and fragment, which are no part of a request's target. */
  readonly url: URL
  readonly authorization: string | undefined
  /** For messages: without the query too, which often holds a key. */
  readonly shown: string
}

function endpointOf(given: string): Endpoint {
  if (!URL.canParse(given)) throw new TypeError('the url of an HTTP server must be an absolute http(s) URL')
  const url = new URL(given)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError(`the url must be http or https, not ${url.protocol}`)
  let authorization: string | undefined
  if (url.username !== '' || url.password !== '') {
    const credentials = new TextEncoder().encode(`${decoded(url.username)}:${decoded(url.password)}`)
    authorization = `Basic ${btoa(String.fromCharCode(...credentials))}`
    url.username = ''
    url.password = ''
  }
  url.hash = ''
  return { url, authorization, shown: `${url.origin}${url.pathname}` }
}

/** Percent-decoded; a stray percent sign is itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
