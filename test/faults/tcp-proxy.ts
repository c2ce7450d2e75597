import { connect, createServer, type Socket } from 'node:net'
import { type Faults, FaultyStream, type Outlet } from './faulty-stream.ts'
import { httpUnits } from './units.ts'

export interface TcpProxy {
  readonly port: number
  /** Connections that the client has not ended. */
  readonly open: number
  /** Breaks every connection, and takes none for `ms`. */
  kill(ms: number): void
  close(): Promise<void>
}

/** Stands between a client and an HTTP server, and does to the bytes what the faults say. */
export async function tcpProxy(target: number, faults: Faults): Promise<TcpProxy> {
  const clients = new Set<Socket>()
  const servers = new Set<Socket>()
  const using = new Set<Socket>()
  let deadUntil = 0

  const accept = (client: Socket): void => {
    if (performance.now() < deadUntil) {
      client.destroy()
      return
    }
    const server = connect({ host: '127.0.0.1', port: target, allowHalfOpen: true })
    const cut = (hard: boolean): void => {
      if (hard) client.resetAndDestroy()
      else client.destroy()
      server.destroy()
    }
    track(clients, client)
    track(servers, server)
    const up = new FaultyStream(faults, 'up', outletTo(server, cut), httpUnits)
    const down = new FaultyStream(faults, 'down', outletTo(client, cut), httpUnits)
    client.on('data', (chunk) => up.push(chunk)).on('end', () => up.end())
    server.on('data', (chunk) => down.push(chunk)).on('end', () => down.end())
    // What one side gave up is given up on the other, so that a server learns that nobody waits.
    client.on('close', () => server.destroy())
    using.add(client)
    client.on('end', () => using.delete(client)).on('close', () => using.delete(client))
    server.on('close', (failed) => failed && client.destroy())
  }

  const proxy = createServer({ allowHalfOpen: true, noDelay: true }, accept)
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const breakAll = (): void => {
    for (const socket of [...clients, ...servers]) socket.destroy()
  }
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    get open() {
      return using.size
    },
    kill(ms) {
      deadUntil = performance.now() + ms
      breakAll()
    },
    async close() {
      const closed = new Promise((resolve) => proxy.close(resolve))
      breakAll()
      await closed
    },
  }
}

function track(set: Set<Socket>, socket: Socket): void {
  set.add(socket)
  socket.on('error', () => {})
  socket.on('close', () => set.delete(socket))
}

export function outletTo(socket: Socket, cut: (hard: boolean) => void): Outlet {
  return {
    write: (bytes) => {
      if (socket.writable) socket.write(bytes)
    },
    end: () => socket.end(),
    cut,
  }
}
