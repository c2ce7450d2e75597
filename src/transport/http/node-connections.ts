import type { Agent, ClientRequestArgs } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Tunnels } from './node-tunnels.ts'

/** The longest time that a connection may have been idle to be used again: servers close idle ones, and a request that meets it is lost. */
const MAX_IDLE_MS = 2_000
/** Subtracted from what the server announces in `Keep-Alive`. */
const IDLE_MARGIN_MS = 1_000

// Kept on the sockets themselves: weak maps of them make every garbage collection slower.
const OPEN: unique symbol = Symbol('open')
const IDLE_SINCE: unique symbol = Symbol('idle since')
type Pooled = Duplex & { [OPEN]?: boolean; [IDLE_SINCE]?: number }

/** An agent for one origin, which never hands out a connection that has been idle for too long. */
export class Connections {
  readonly agent: Agent
  readonly #tunnels: Tunnels | undefined
  #maxIdleMs = MAX_IDLE_MS
  #announced: string | undefined
  #sweeper: NodeJS.Timeout | undefined

  /** @param tunnels Where the agent's connections lead through; without, they go straight to the host of each request. */
  constructor(agent: Agent, openEvent: 'connect' | 'secureConnect', tunnels?: Tunnels) {
    this.agent = agent
    this.#tunnels = tunnels
    // The name tells origins apart, and here is but one; making it up costs more than the rest of the agent's work.
    agent.getName = () => ORIGIN
    const connect = agent.createConnection.bind(agent)
    const watched = (socket: Pooled | null | undefined): Pooled | null | undefined => {
      socket?.once(openEvent, () => {
        socket[OPEN] = true
      })
      return socket
    }
    agent.createConnection =
      tunnels === undefined
        ? (options, callback) => watched(connect(options, callback))
        : (options, callback) => tunnels.dig(options, (socket) => watched(connect(over(options, socket))), callback)
    agent.keepSocketAlive = (socket: Pooled): boolean => {
      if (this.#maxIdleMs <= 0) return false
      if ('unref' in socket && typeof socket.unref === 'function') socket.unref()
      socket[IDLE_SINCE] = performance.now()
      this.#sweeper ??= setTimeout(() => this.#sweep(), this.#maxIdleMs).unref()
      return true
    }
  }

  /** Whether the connection was ever made, TLS included; before that no byte of a request leaves. */
  wasOpen(socket: Pooled): boolean {
    return socket[OPEN] === true
  }

  /** Takes the server's word on how long it keeps idle connections. */
  learn(keepAlive: string): void {
    if (keepAlive === this.#announced) return
    this.#announced = keepAlive
    const seconds = /(?:^|[,;\s])timeout=(\d+)/i.exec(keepAlive)?.[1]
    if (seconds !== undefined) this.#maxIdleMs = Math.min(MAX_IDLE_MS, Number(seconds) * 1_000 - IDLE_MARGIN_MS)
  }

  /** Before a request: the newest free connection is taken next, and when it is too old, all are. A timer alone may come too late. */
  freshen(): void {
    const free = this.agent.freeSockets[ORIGIN]
    const newest: Pooled | undefined = free?.[free.length - 1]
    if (free === undefined || newest === undefined) return
    if (!newest.destroyed && newest.writable && performance.now() - (newest[IDLE_SINCE] ?? 0) < this.#maxIdleMs) return
    for (const socket of [...free]) socket.destroy()
  }

  close(): void {
    clearTimeout(this.#sweeper)
    this.#tunnels?.close()
    this.agent.destroy()
  }

  #sweep(): void {
    this.#sweeper = undefined
    const now = performance.now()
    let next = Infinity
    const free: Pooled[] = [...(this.agent.freeSockets[ORIGIN] ?? [])]
    for (const socket of free) {
      const left = (socket[IDLE_SINCE] ?? 0) + this.#maxIdleMs - now
      if (left <= 0) socket.destroy()
      else next = Math.min(next, left)
    }
    if (next !== Infinity) this.#sweeper = setTimeout(() => this.#sweep(), next).unref()
  }
}

function over(options: ClientRequestArgs, socket: Duplex): ClientRequestArgs & { readonly socket: Duplex } {
  return { ...options, socket }
}

const ORIGIN = 'origin'
