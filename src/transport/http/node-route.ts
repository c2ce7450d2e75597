import type { Agent, ClientRequest, RequestOptions } from 'node:http'
import type { LookupFunction } from 'node:net'
import type { Limits } from '../../limits.ts'
import { isLoopback } from './loopback.ts'
import { Connections } from './node-connections.ts'
import type { Tunnels } from './node-tunnels.ts'
import { type ProxyServer, proxyOf } from './proxy-url.ts'
import { SharedRoutes } from './shared-routes.ts'
import type { TlsOptions } from './tls-options.ts'

export interface NodeHttpSettings {
  readonly tls?: TlsOptions | undefined
  /** The URL of a proxy, or false for none whatever the environment says. */
  readonly proxy?: string | false | undefined
}

/** How the requests to one origin go out. */
export interface Route {
  readonly request: (options: RequestOptions) => ClientRequest
  readonly connections: Connections
  /** Where they are made to. */
  readonly hostname: string
  readonly port: string
  /** What stands before the path of each request: the origin, for a proxy that passes requests on. */
  readonly prefix: string
  /** Further headers of each request, as a list. */
  readonly headers: readonly string[]
  /** The proxy that reads the requests and answers some itself. */
  readonly forwards: ProxyServer | undefined
  /** Its user needs it no more. */
  release(): void
}

/** Loads what the route needs and nothing else. */
export async function routeTo(url: URL, settings: NodeHttpSettings, limits: Limits): Promise<Route> {
  const { tls } = settings
  const proxy = await proxyFor(url, settings.proxy)
  const secured = url.protocol === 'https:'
  if (proxy !== undefined && !secured) return forwarded(url, proxy)
  const speaker = secured ? await secure(url.hostname, await contextOf(tls)) : await plain(url.hostname)
  if (proxy !== undefined) return tunnelled(url, speaker, proxy, tls?.ca, limits)
  // What is asked of TLS is of its own kind, and no other client may meet such a connection.
  return tls === undefined ? routes.get(url.origin, () => direct(url, speaker)) : direct(url, speaker)
}

/** For all clients of this process that want the route as it is by default: many servers stand behind one gateway. */
const routes = new SharedRoutes<Route>()

/** A protocol of Node's, and the agents that speak it. */
interface Speaker {
  readonly request: Route['request']
  readonly agent: () => Agent
  /** The event at which a connection has been made. */
  readonly openEvent: 'connect' | 'secureConnect'
}

async function plain(hostname: string): Promise<Speaker> {
  const http = await import('node:http')
  return { request: http.request, agent: () => new http.Agent({ ...KEPT, ...lookupOf(hostname) }), openEvent: 'connect' }
}

async function secure(hostname: string, tls: object): Promise<Speaker> {
  const https = await import('node:https')
  return { request: https.request, agent: () => new https.Agent({ ...KEPT, ...lookupOf(hostname), ...tls }), openEvent: 'secureConnect' }
}

const KEPT = { keepAlive: true, maxFreeSockets: Infinity }

function direct(url: URL, { request, agent, openEvent }: Speaker, tunnels?: Tunnels): Route {
  const connections = new Connections(agent(), openEvent, tunnels)
  return {
    ...placeOf(url),
    request,
    connections,
    prefix: '',
    headers: [],
    forwards: undefined,
    release: () => connections.close(),
  }
}

/** Requests in plain text are told to the proxy whole, with the URL in place of the path. */
async function forwarded(url: URL, proxy: ProxyServer): Promise<Route> {
  const { authorization } = proxy
  const speaker = proxy.url.protocol === 'https:' ? await secure(proxy.url.hostname, {}) : await plain(proxy.url.hostname)
  return {
    ...direct(proxy.url, speaker),
    prefix: url.origin,
    headers: authorization === undefined ? [] : ['Proxy-Authorization', authorization],
    forwards: proxy,
  }
}

/** A server with TLS is spoken to through the proxy, which sees nothing of it. */
async function tunnelled(url: URL, speaker: Speaker, proxy: ProxyServer, ca: TlsOptions['ca'], limits: Limits): Promise<Route> {
  const [{ Tunnels, requestThrough }, { request }] = await Promise.all([
    import('./node-tunnels.ts'),
    proxy.url.protocol === 'https:' ? import('node:https') : import('node:http'),
  ])
  const target = `${url.hostname}:${placeOf(url).port}`
  const own: Readonly<Record<string, unknown>> = { ...lookupOf(proxy.url.hostname), ...(ca === undefined ? {} : { ca }) }
  const setup = {
    request: (options: RequestOptions) => request({ ...options, ...own }),
    proxy,
    target,
    maxHeaderBytes: limits.maxHeaderBytes,
  }
  return {
    ...direct(url, speaker, new Tunnels(setup)),
    request: (options) => requestThrough(speaker.request, options),
  }
}

function placeOf(url: URL): { hostname: string; port: string } {
  return {
    hostname: url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname,
    port: url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port,
  }
}

/** The environment has no say about this machine; and when it names no proxy at all, nothing is loaded to find out. */
async function proxyFor(url: URL, given: NodeHttpSettings['proxy']): Promise<ProxyServer | undefined> {
  if (given === false) return undefined
  if (given !== undefined) return proxyOf(given, 'options')
  if (isLoopback(url.hostname)) return undefined
  if (!Object.keys(process.env).some((name) => /^(?:https?|all)_proxy$/i.test(name) && process.env[name] !== '')) return undefined
  const { environmentProxy } = await import('./node-env-proxy.ts')
  return environmentProxy(url)
}

/** Certificates and keys are read once, not for each connection. What cannot be read is the caller's mistake. */
async function contextOf(tls: TlsOptions | undefined): Promise<object> {
  if (tls === undefined) return {}
  const { createSecureContext } = await import('node:tls')
  try {
    return { ...tls, secureContext: createSecureContext({ ...(tls as object) }) }
  } catch (cause) {
    // OpenSSL says where it stopped, and quotes nothing.
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new TypeError(`the tls options cannot be used: ${why}; check cert, key, passphrase, pfx and ca`, { cause })
  }
}

/**
 * `localhost` is both addresses of this machine, whatever its table of hosts says: many list one of them, and a server listens on the
 * other.
 */
function lookupOf(hostname: string): { lookup?: LookupFunction; autoSelectFamily?: boolean } {
  return hostname === 'localhost' ? { lookup: bothFamilies, autoSelectFamily: true } : {}
}

const bothFamilies: LookupFunction = (_hostname, options, found) => {
  if (options.all === true) found(null, BOTH)
  else found(null, '127.0.0.1', 4)
}

const BOTH = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]
