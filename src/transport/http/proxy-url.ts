import { basicAuthorization } from './basic-authorization.ts'

/** A proxy and what it is called. */
export interface ProxyServer {
  /** Without credentials. */
  readonly url: URL
  /** The value of `Proxy-Authorization`, for a proxy whose URL has credentials. */
  readonly authorization: string | undefined
  /** For messages. */
  readonly shown: string
}

/** What is wrong with the URL of a proxy, for a sentence that begins with what it is. Never shows it: it may hold credentials. */
export function proxyProblem(value: unknown): string | undefined {
  if (value === false) return undefined
  if (typeof value !== 'string' || !URL.canParse(value)) return 'must be the URL of a proxy, such as http://host:3128, or false'
  const { protocol, hostname } = new URL(value)
  if (protocol !== 'http:' && protocol !== 'https:') return `must be http or https, not ${protocol}`
  return hostname === '' ? 'names no host' : undefined
}

/** Reads the URL of a proxy in which `proxyProblem` found nothing. `origin` tells who set it. */
export function proxyOf(value: string, origin: 'options' | 'environment'): ProxyServer {
  const given = new URL(value)
  const url = new URL(given.origin)
  const from = origin === 'options' ? '' : ', which the environment sets (`proxy: false` ignores it)'
  return { url, authorization: basicAuthorization(given), shown: `the proxy ${url.origin}${from}` }
}
