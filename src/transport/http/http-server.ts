import type { Limits } from '../../limits.ts'
import { VERSION } from '../../version.ts'
import { basicAuthorization } from './basic-authorization.ts'
import { checkCallerHeaders, type HeaderSource } from './caller-headers.ts'
import { HeaderBlock } from './header-block.ts'
import type { HttpTransportOptions } from './http-options.ts'
import type { HttpClient } from './http-port.ts'
import { RequestSender } from './request-sender.ts'
import type { Signer } from './signer.ts'

/** What every transport behind a URL needs to know. */
export type HttpServerOptions = Pick<HttpTransportOptions, 'url' | 'endpoint' | 'headers' | 'signer' | 'compression'>

const USER_AGENT = new HeaderBlock({ 'User-Agent': `mcp-switchboard/${VERSION}` })

/** A server behind a URL, and how requests to it look. Kept with each connection, so it holds texts and no `URL`, which is large. */
export class HttpServer {
  /** Without credentials and fragment, which are no part of a request's target. */
  readonly href: string
  /** For messages: without the query too, which often holds a key. */
  readonly shown: string
  /** The headers of every request. */
  readonly common: HeaderBlock
  readonly #headers: HeaderSource | undefined
  readonly #signer: Signer | undefined

  /** @throws TypeError for a URL that is no absolute http(s) one, and for headers that a caller cannot set. */
  constructor({ url: given, headers, signer }: HttpServerOptions) {
    if (!URL.canParse(given)) throw new TypeError('the url of an HTTP server must be an absolute http(s) URL')
    const url = new URL(given)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError(`the url must be http or https, not ${url.protocol}`)
    const authorization = basicAuthorization(url)
    url.username = ''
    url.password = ''
    url.hash = ''
    if (typeof headers === 'object') checkCallerHeaders(headers)
    const signed = authorization === undefined ? USER_AGENT : USER_AGENT.with({ Authorization: authorization })
    this.common = typeof headers === 'object' ? signed.with(headers) : signed
    this.href = url.href
    this.shown = shownOf(url)
    this.#headers = typeof headers === 'function' ? headers : undefined
    this.#signer = signer
  }

  get url(): URL {
    return new URL(this.href)
  }

  /** A sender of requests to this URL, or to another one of the same origin. */
  sender(client: HttpClient, { maxRedirects }: Limits, href: string = this.href): RequestSender {
    return new RequestSender(client, { url: href, headers: this.#headers, signer: this.#signer, maxRedirects })
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
