import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { Duplex, Transform } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { ResponseTooLargeError } from '../../errors.ts'
import type { Limits } from '../../limits.ts'
import type { HeaderBlock } from './header-block.ts'
import type { HttpClient, HttpHead, HttpPort, HttpReceiver, HttpRequest, HttpStream } from './http-port.ts'

/** HTTP by `node:http` and `node:https`, at a third of the CPU of `fetch`. Only the module that the URL needs is loaded. */
export function nodeHttp(tls: Readonly<Record<string, unknown>> = {}): HttpPort {
  return {
    async connect(url, limits) {
      if (url.protocol === 'https:') {
        const https = await import('node:https')
        const make = (): Connections =>
          new Connections(new https.Agent({ keepAlive: true, maxFreeSockets: Infinity, ...tls }), 'secureConnect')
        return new NodeHttpClient(https.request, make, url, limits)
      }
      const http = await import('node:http')
      const make = (): Connections => new Connections(new http.Agent({ keepAlive: true, maxFreeSockets: Infinity }), 'connect')
      return new NodeHttpClient(http.request, make, url, limits)
    },
  }
}

type StartRequest = (options: RequestOptions) => ClientRequest

class NodeHttpClient implements HttpClient {
  readonly #request: StartRequest
  readonly #make: () => Connections
  // Calls and all else share no connections, so that nothing can wait behind a call.
  #calls: Connections | undefined
  #side: Connections | undefined
  readonly #limits: Limits
  readonly #url: string
  readonly #host: string
  readonly #hostname: string
  readonly #port: string
  readonly #path: string
  readonly #lists = new WeakMap<HeaderBlock, readonly string[]>()

  constructor(request: StartRequest, make: () => Connections, url: URL, limits: Limits) {
    this.#request = request
    this.#make = make
    this.#limits = limits
    this.#url = url.href
    this.#host = url.host
    this.#hostname = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
    this.#port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
    this.#path = `${url.pathname}${url.search}`
  }

  start(request: HttpRequest, receiver: HttpReceiver): HttpStream {
    const { method, body, extra } = request
    // A list is written as it stands; from an object every header would be set, checked and stored one by one.
    const headers = this.#list(request.headers).slice()
    for (const name in extra) headers.push(name, extra[name] ?? '')
    if (body !== undefined) headers.push('Content-Length', String(Buffer.byteLength(body)))
    const connections = this.#connections(request.side)
    connections.freshen()
    const sent = this.#request({
      hostname: this.#hostname,
      port: this.#port,
      path: request.url === this.#url ? this.#path : pathOf(request.url),
      method,
      headers,
      agent: connections.agent,
      maxHeaderSize: this.#limits.maxHeaderBytes,
    })
    const stream = new NodeStream(sent, receiver, connections, this.#limits)
    sent.end(body)
    return stream
  }

  close(): void {
    this.#calls?.close()
    this.#side?.close()
  }

  #connections(side: boolean): Connections {
    if (side) {
      this.#side ??= this.#make()
      return this.#side
    }
    this.#calls ??= this.#make()
    return this.#calls
  }

  #list(block: HeaderBlock): readonly string[] {
    let list = this.#lists.get(block)
    if (list === undefined) {
      list = ['Host', this.#host, ...Object.entries(block.record).flat()]
      this.#lists.set(block, list)
    }
    return list
  }
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}

/** One request and its reply. */
class NodeStream implements HttpStream {
  // Dropped when all is over: what outlives its reply would keep it from being collected with the young.
  #request: ClientRequest | undefined
  readonly #connections: Connections
  readonly #limits: Limits
  #receiver: HttpReceiver | undefined
  #replied = false
  #decoder: StringDecoder | undefined

  constructor(request: ClientRequest, receiver: HttpReceiver, connections: Connections, limits: Limits) {
    this.#request = request
    this.#receiver = receiver
    this.#connections = connections
    this.#limits = limits
    request.on('response', (reply) => this.#reply(reply))
    request.on('error', (error) => this.#fail(error))
    // A switch of protocols closes the connection without an error. With a reply at hand, its own end may still come after this.
    request.on('close', () => {
      if (!this.#replied) this.#fail(new Error('the connection was closed without a reply'))
    })
  }

  abort(): void {
    const request = this.#request
    this.#finish()
    request?.destroy()
  }

  #reply(reply: IncomingMessage): void {
    this.#replied = true
    reply.on('error', (error) => this.#fail(error))
    if (this.#receiver === undefined) return
    const { 'keep-alive': keepAlive, 'content-encoding': encoding } = reply.headers
    if (typeof keepAlive === 'string') this.#connections.learn(keepAlive)
    this.#receiver.head(new NodeHead(reply))
    if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity') {
      this.#decompress(reply, encoding.toLowerCase().trim())
      return
    }
    reply.on('data', (chunk: Buffer) => this.#receiver?.data(this.#decode(chunk), chunk.length))
    reply.on('end', () => this.#end())
  }

  /** The format is known when the first byte is. What comes is counted as it comes, so a bomb costs no more than the limit. */
  #decompress(reply: IncomingMessage, encoding: string): void {
    let transform: Transform | undefined
    let total = 0
    reply.on('data', (chunk: Buffer) => {
      if (this.#receiver === undefined) return
      transform ??= this.#transform(encoding, chunk[0] ?? 0, (plain) => {
        total += plain.length
        if (total <= this.#limits.maxDecompressedBytes) {
          this.#receiver?.data(this.#decode(plain), plain.length)
          return
        }
        transform?.destroy()
        this.#cut(new ResponseTooLargeError('maxDecompressedBytes', this.#limits.maxDecompressedBytes))
      })
      if (transform?.write(chunk) !== false) return
      reply.pause()
      transform.once('drain', () => reply.resume())
    })
    reply.on('end', () => {
      if (transform === undefined) this.#end()
      else transform.end()
    })
    reply.on('close', () => {
      if (!reply.complete) transform?.destroy()
    })
  }

  #transform(encoding: string, firstByte: number, data: (plain: Buffer) => void): Transform | undefined {
    const zlib = process.getBuiltinModule('node:zlib')
    let transform: Transform
    if (encoding === 'gzip' || encoding === 'x-gzip') transform = zlib.createGunzip()
    else if (encoding === 'br') transform = zlib.createBrotliDecompress()
    // Some servers send the bare format under this name: without the zlib header, whose low four bits are 8.
    else if (encoding === 'deflate') transform = (firstByte & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()
    else {
      this.#cut(Object.assign(new Error('the content encoding of the reply is not known'), { code: 'ERR_CONTENT_ENCODING' }))
      return undefined
    }
    transform.on('data', data)
    transform.on('end', () => this.#end())
    transform.on('error', (error) => this.#cut(error))
    return transform
  }

  /** Most chunks end with a whole character, and are decoded without state. */
  #decode(chunk: Buffer): string {
    if (this.#decoder === undefined) {
      if ((chunk[chunk.length - 1] ?? 0) < 0x80) return chunk.toString()
      this.#decoder = new StringDecoder('utf8')
    }
    return this.#decoder.write(chunk)
  }

  #end(): void {
    const rest = this.#decoder?.end() ?? ''
    if (rest !== '') this.#receiver?.data(rest, 0)
    this.#finish()?.end()
  }

  #cut(error: Error): void {
    const request = this.#request
    this.#fail(error)
    request?.destroy()
  }

  #fail(error: Error): void {
    const socket = this.#request?.socket
    const sent = socket !== null && socket !== undefined && this.#connections.wasOpen(socket)
    this.#finish()?.fail({ error, sent })
  }

  #finish(): HttpReceiver | undefined {
    const receiver = this.#receiver
    this.#receiver = undefined
    this.#request = undefined
    return receiver
  }
}

class NodeHead implements HttpHead {
  readonly #reply: IncomingMessage

  constructor(reply: IncomingMessage) {
    this.#reply = reply
  }

  get status(): number {
    return this.#reply.statusCode ?? 0
  }

  header(name: string): string | undefined {
    const value = this.#reply.headers[name]
    return typeof value === 'string' || value === undefined ? value : value.join(', ')
  }
}

/** The longest time that a connection may have been idle to be used again: servers close idle ones, and a request that meets it is lost. */
const MAX_IDLE_MS = 2_000
/** Subtracted from what the server announces in `Keep-Alive`. */
const IDLE_MARGIN_MS = 1_000

// Kept on the sockets themselves: weak maps of them make every garbage collection slower.
const OPEN = Symbol('open')
const IDLE_SINCE = Symbol('idle since')
type Pooled = Duplex & { [OPEN]?: boolean; [IDLE_SINCE]?: number }

/** An agent for one origin, which never hands out a connection that has been idle for too long. */
class Connections {
  readonly agent: Agent
  #maxIdleMs = MAX_IDLE_MS
  #announced: string | undefined
  #sweeper: NodeJS.Timeout | undefined

  constructor(agent: Agent, openEvent: 'connect' | 'secureConnect') {
    this.agent = agent
    // The name tells origins apart, and here is but one; making it up costs more than the rest of the agent's work.
    agent.getName = () => ORIGIN
    const connect = agent.createConnection.bind(agent)
    agent.createConnection = (options, callback) => {
      const socket: Pooled | null | undefined = connect(options, callback)
      socket?.once(openEvent, () => {
        socket[OPEN] = true
      })
      return socket
    }
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

const ORIGIN = 'origin'
