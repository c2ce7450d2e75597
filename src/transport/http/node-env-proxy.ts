import ipaddr from 'ipaddr.js'
import { getProxyForUrl } from 'proxy-from-env'
import { ConnectionError } from '../../errors.ts'
import { type ProxyServer, proxyOf, proxyProblem } from './proxy-url.ts'

/**
 * The proxy that `HTTP_PROXY`, `HTTPS_PROXY` or `ALL_PROXY` names for a URL, in either case, unless `NO_PROXY` exempts its host.
 * @throws ConnectionError for a variable that is no URL of a proxy: going without could send elsewhere what was meant to pass it.
 */
export function environmentProxy(url: URL): ProxyServer | undefined {
  const named = getProxyForUrl(url.href)
  if (named === '' || exempt(url)) return undefined
  const value = withScheme(named)
  const problem = proxyProblem(value)
  if (problem === undefined) return proxyOf(value, 'environment')
  const message = `the proxy that the environment sets for ${url.protocol}// ${problem}; correct the variable, or ignore it with \`proxy: false\``
  throw new ConnectionError({ kind: 'network', message }, { outcome: 'not-run' })
}

/** A proxy named without a scheme speaks HTTP, whatever the target speaks; the library takes the target's. */
function withScheme(named: string): string {
  const bare = named.slice(named.indexOf('://') + 3)
  return VARIABLES.some((name) => process.env[name] === bare) ? `http://${bare}` : named
}

const VARIABLES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY']

/** What the library does not know of `NO_PROXY`: networks, addresses in any spelling, and a domain as the end of the host's name. */
function exempt(url: URL): boolean {
  const list = process.env.no_proxy || process.env.NO_PROXY || ''
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const address = ipaddr.isValid(host) ? ipaddr.process(host) : undefined
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return list.split(/[,\s]+/).some((entry) => {
    const { name, only } = parts(entry.toLowerCase())
    if (name === '' || (only !== undefined && only !== port)) return false
    if (name === '*') return true
    return address === undefined ? within(host, name) : covers(name, address)
  })
}

/** An entry as a name or an address, and the port that follows it. An IPv6 address has one only behind brackets. */
function parts(entry: string): { name: string; only: string | undefined } {
  const [, bracketed, plain = entry, only] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? []
  return { name: bracketed ?? plain, only }
}

function within(host: string, domain: string): boolean {
  const end = domain.replace(/^\*?\.|\.$/g, '')
  return end !== '' && (host === end || host.endsWith(`.${end}`))
}

type Address = ReturnType<typeof ipaddr.process>

function covers(entry: string, address: Address): boolean {
  if (ipaddr.isValidCIDR(entry)) {
    const [network, bits] = ipaddr.parseCIDR(entry)
    return network.kind() === address.kind() && address.match(network, bits)
  }
  return ipaddr.isValid(entry) && ipaddr.process(entry).toString() === address.toString()
}
