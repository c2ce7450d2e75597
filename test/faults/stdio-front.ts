import { createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type CountingServer, failure, messageIn } from './counting-server.ts'
import { type Faults, FaultyStream } from './faulty-stream.ts'
import { outletTo } from './tcp-proxy.ts'
import { lines } from './units.ts'

const RELAY = fileURLToPath(new URL('relay.mjs', import.meta.url))

/** What one conversation over server processes knows of them. */
export interface StdioTarget {
  readonly command: readonly [string, ...string[]]
  /** Process ids of all relays that said who they are. */
  readonly pids: readonly number[]
  kill(): void
  close(): void
}

interface Waiting {
  joined(socket: Socket, pid: number, rest: Buffer): void
}

/** Server processes of many conversations at once: each is a relay to this process, where the server and the faults are. */
export class StdioFront {
  readonly #conversations = new Map<string, Waiting>()
  readonly #server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#greet(socket))
  #last = 0

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve))
  }

  target(counting: CountingServer, faults: Faults, deaf: boolean): StdioTarget {
    const name = `conversation-${++this.#last}`
    const pids: number[] = []
    const sockets = new Set<Socket>()
    this.#conversations.set(name, {
      joined(socket, pid, rest) {
        pids.push(pid)
        sockets.add(socket)
        socket.on('close', () => sockets.delete(socket))
        serve(counting, faults, socket, rest)
      },
    })
    const address = this.#server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    return {
      command: [process.execPath, RELAY, String(port), name, ...(deaf ? ['deaf'] : [])],
      pids,
      kill() {
        for (const socket of sockets) socket.resetAndDestroy()
      },
      close: () => {
        this.#conversations.delete(name)
        for (const socket of sockets) socket.destroy()
      },
    }
  }

  /** The first line of a relay says which conversation it belongs to. */
  #greet(socket: Socket): void {
    let kept = Buffer.alloc(0)
    socket.on('error', () => {})
    // One that was ended before it said who it is belongs to nobody.
    const unknown = (): void => void socket.destroy()
    socket.on('end', unknown)
    const read = (chunk: Buffer): void => {
      kept = Buffer.concat([kept, chunk])
      const end = kept.indexOf(10)
      if (end === -1) return
      socket.off('data', read).off('end', unknown)
      const [name = '', pid = ''] = kept.subarray(0, end).toString().split(' ')
      const conversation = this.#conversations.get(name)
      if (conversation === undefined) socket.destroy()
      else conversation.joined(socket, Number(pid), kept.subarray(end + 1))
    }
    socket.on('data', read)
  }
}

/** One server process: it reads lines until its stdin ends, and then ends itself. */
function serve(counting: CountingServer, faults: Faults, socket: Socket, rest: Buffer): void {
  const cut = (hard: boolean): void => {
    if (hard) socket.resetAndDestroy()
    else socket.destroy()
  }
  const down = new FaultyStream(faults, 'down', outletTo(socket, cut), lines)
  const reply = {
    send: (message: object) => down.push(Buffer.from(`${JSON.stringify(message)}\n`)),
    get gone() {
      return socket.destroyed
    },
  }
  let kept = Buffer.alloc(0)
  const server = {
    write(bytes: Buffer) {
      kept = Buffer.concat([kept, bytes])
      for (let end = kept.indexOf(10); end !== -1; end = kept.indexOf(10)) {
        const text = kept.subarray(0, end).toString()
        kept = kept.subarray(end + 1)
        const message = messageIn(text)
        if (message === undefined) reply.send(failure(null, -32700, 'no JSON object'))
        else counting.receive(message, reply)
      }
    },
    end: () => down.end(),
    cut,
  }
  const up = new FaultyStream(faults, 'up', server, lines)
  if (rest.length > 0) up.push(rest)
  socket.on('data', (chunk) => up.push(chunk)).on('end', () => up.end())
}
