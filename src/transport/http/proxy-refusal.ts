import { ConnectionError } from '../../errors.ts'
import type { ProxyServer } from './proxy-url.ts'

/** The statuses of a proxy that got no connection to the server, this time. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** A proxy answered in the place of the server, to which nothing was passed on. `target` is the server's host. */
export function refusedByProxy(proxy: ProxyServer, status: number, target: string): ConnectionError {
  const why = status === 407 ? credentialsWanted(proxy) : `gives no way to ${target} (${status})`
  return new ConnectionError(
    { kind: 'network', message: `${proxy.shown} ${why}`, status },
    { outcome: 'not-run', retryable: PASSING.has(status) },
  )
}

function credentialsWanted(proxy: ProxyServer): string {
  return proxy.authorization === undefined
    ? 'wants credentials (407); put them in its URL, as in http://user:password@host:3128'
    : 'does not accept the credentials in its URL (407)'
}
