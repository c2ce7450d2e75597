import type { ClientRequest, RequestOptions } from 'node:http'
import type { Duplex } from 'node:stream'
import { ConnectionError } from '../../errors.ts'
import { networkError } from './network-error.ts'
import { refusedByProxy } from './proxy-refusal.ts'
import type { ProxyServer } from './proxy-url.ts'

type StartRequest = (options: RequestOptions) => ClientRequest

/** The tunnel that a request waits for; it stands among the request's options, which the agent gets. */
class Digging {
  stop: (() => void) | undefined
}
const DIGGING = Symbol('digging')

/** Starts a request that may have to wait for a tunnel. One that is over before that leaves no digging behind. */
export function requestThrough(request: StartRequest, options: RequestOptions): ClientRequest {
  const digging = new Digging()
  const more: RequestOptions & { [DIGGING]: Digging } = { ...options, [DIGGING]: digging }
  const sent = request(more)
  // Nothing is emitted by a request that is destroyed while it has no connection.
  const destroy = sent.destroy.bind(sent)
  sent.destroy = (error) => {
    digging.stop?.()
    return destroy(error)
  }
  return sent
}

export interface TunnelSetup {
  /** `request` of `node:http` or `node:https`, as the proxy is spoken to. */
  readonly request: StartRequest
  readonly proxy: ProxyServer
  /** The server's host and port. */
  readonly target: string
  readonly maxHeaderBytes: number
}

/** Gets the connection, which may be none, or why there is none. */
type Opened = (error: Error | null, socket: Duplex) => void

/** Ways through a proxy to one server, made by CONNECT: one for each connection. The proxy sees nothing of what passes. */
export class Tunnels {
  readonly #setup: TunnelSetup
  readonly #digging = new Set<ClientRequest>()

  constructor(setup: TunnelSetup) {
    this.#setup = setup
  }

  /** Asks the proxy for a way, and makes the connection over it. Always calls back, once. */
  dig(options: object, over: (socket: Duplex) => Duplex | null | undefined, opened: Opened | undefined): undefined {
    const { request, proxy, target, maxHeaderBytes } = this.#setup
    const { url, authorization } = proxy
    const asking = request({
      method: 'CONNECT',
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port,
      path: target,
      headers: { Host: target, ...(authorization === undefined ? {} : { 'Proxy-Authorization': authorization }) },
      agent: false,
      maxHeaderSize: maxHeaderBytes,
    })
    const waits = DIGGING in options && options[DIGGING] instanceof Digging ? options[DIGGING] : undefined
    this.#digging.add(asking)
    if (waits !== undefined) waits.stop = () => asking.destroy()
    const done = (error: Error | null, socket?: Duplex | null): void => {
      if (!this.#digging.delete(asking)) return
      if (waits !== undefined) waits.stop = undefined
      // On an error nobody looks at the socket.
      opened?.(error, socket as Duplex)
    }
    asking.on('connect', (reply, socket, head) => {
      const status = reply.statusCode ?? 0
      if (status < 200 || status > 299) {
        socket.destroy()
        done(refusedByProxy(proxy, status, target))
        return
      }
      if (head.length > 0) socket.unshift(head)
      try {
        done(null, over(socket))
      } catch (error) {
        socket.destroy()
        done(error instanceof Error ? error : new Error(String(error)))
      }
    })
    asking.on('error', (error) => done(networkError({ error, sent: false }, proxy.shown, false, maxHeaderBytes)))
    asking.on('close', () => {
      const message = `${proxy.shown} ended the connection without an answer`
      done(new ConnectionError({ kind: 'network', message }, { outcome: 'not-run', retryable: true }))
    })
    asking.end()
  }

  close(): void {
    for (const asking of this.#digging) asking.destroy()
  }
}
