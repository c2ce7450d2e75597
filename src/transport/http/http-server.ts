import type { Limits } from '../../limits.ts'
import { VERSION } from '../../version.ts'
import { basicAuthorization } from './basic-authorization.ts'
import { checkCallerHeaders } from './caller-headers.ts'
import { HeaderBlock } from './header-block.ts'
import type { HttpTransportOptions } from './http-options.ts'
import type { HttpClient } from './http-port.ts'
import { RequestSender } from './request-sender.ts'

/** What every transport behind a URL needs to know. */
export type HttpServerOptions = Pick<HttpTransportOptions, 'url' | 'endpoint' | 'headers' | 'signer' | 'compression'>

/** A server behind a URL, and how requests to it look. */
export interface HttpServer {
  /** Without credentials and fragment, which are no part of a request's target. */
  readonly url: URL
  /** For messages: without the query too, which often holds a key. */
  readonly shown: string
  /** The headers of every request. */
  readonly common: HeaderBlock
  /** A sender of requests to this URL, or to another one of the same origin. */
  sender(client: HttpClient, limits: Limits, url?: URL): RequestSender
}

/** @throws TypeError for a URL that is no absolute http(s) one, and for headers that a caller cannot set. */
export function httpServer(options: HttpServerOptions): HttpServer {
  if (!URL.canParse(options.url)) throw new TypeError('the url of an HTTP server must be an absolute http(s) URL')
  const url = new URL(options.url)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError(`the url must be http or https, not ${url.protocol}`)
  const authorization = basicAuthorization(url)
  url.username = ''
  url.password = ''
  url.hash = ''
  const { headers, signer } = options
  if (typeof headers === 'object') checkCallerHeaders(headers)
  const common = new HeaderBlock({ 'User-Agent': `mcp-switchboard/${VERSION}` })
    .with(authorization === undefined ? {} : { Authorization: authorization })
    .with(typeof headers === 'object' ? headers : {})
  return {
    url,
    shown: shownOf(url),
    common,
    sender(client, limits, target = url) {
      const source = typeof headers === 'function' ? headers : undefined
      return new RequestSender(client, { url: target.href, headers: source, signer, maxRedirects: limits.maxRedirects })
    },
  }
}

/** A path of the caller's in place of the URL's, query included; the origin stays. */
export function withEndpoint(url: URL, endpoint: string): URL {
  const target = URL.canParse(endpoint, url.origin) ? new URL(endpoint, url.origin) : undefined
  if (target?.origin !== url.origin || target.username !== '' || target.password !== '') {
    throw new TypeError(`the endpoint must be a path on ${url.origin}`)
  }
  target.hash = ''
  return target
}

export function shownOf(url: URL): string {
  return `${url.origin}${url.pathname}`
}
