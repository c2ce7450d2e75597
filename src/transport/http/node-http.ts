import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { ResponseTooLargeError } from '../../errors.ts'
import type { Limits } from '../../limits.ts'
import { DecompressedBytes } from './decompressed-bytes.ts'
import type { HeaderBlock } from './header-block.ts'
import type { HttpClient, HttpHead, HttpPort, HttpReceiver, HttpRequest, HttpStream } from './http-port.ts'
import { networkError } from './network-error.ts'
import { type NodeHttpSettings, type Route, routeTo } from './node-route.ts'
import { refusedByProxy } from './proxy-refusal.ts'

/** HTTP by `node:http` and `node:https`, at a third of the CPU of `fetch`. Only what the URL needs is loaded. */
export function nodeHttp(settings: NodeHttpSettings = {}): HttpPort {
  return {
    acceptEncoding: 'gzip, deflate, br',
    async connect(url, limits) {
      return new NodeHttpClient(await routeTo(url, settings, limits), url, limits)
    },
  }
}

class NodeHttpClient implements HttpClient {
  readonly #route: Route
  readonly #limits: Limits
  readonly #host: string
  /** The newest URL and its path: nearly all requests have the same. */
  #url: string | undefined
  #path = ''
  /** The newest block as a list: nearly all requests have the same. */
  #listed: HeaderBlock | undefined
  #list: readonly string[] = []

  constructor(route: Route, url: URL, limits: Limits) {
    this.#route = route
    this.#limits = limits
    this.#host = url.host
  }

  start(request: HttpRequest, receiver: HttpReceiver): HttpStream {
    const { method, body, extra } = request
    // A list is written as it stands; from an object every header would be set, checked and stored one by one.
    const headers = this.#listOf(request.headers).slice()
    for (const name in extra) headers.push(name, extra[name] ?? '')
    if (body !== undefined) headers.push('Content-Length', String(Buffer.byteLength(body)))
    const route = this.#route
    route.connections.freshen()
    const sent = route.request({
      hostname: route.hostname,
      port: route.port,
      path: this.#pathOf(request.url),
      method,
      headers,
      agent: route.connections.agent,
      maxHeaderSize: this.#limits.maxHeaderBytes,
    })
    const stream = new NodeStream(sent, receiver, route, this.#limits)
    sent.end(body)
    return stream
  }

  close(): void {
    this.#route.release()
  }

  #pathOf(url: string): string {
    if (url !== this.#url) {
      const { pathname, search } = new URL(url)
      this.#url = url
      this.#path = `${this.#route.prefix}${pathname}${search}`
    }
    return this.#path
  }

  #listOf(block: HeaderBlock): readonly string[] {
    if (block !== this.#listed) {
      this.#listed = block
      this.#list = ['Host', this.#host].concat(this.#route.headers, Object.entries(block.record).flat())
    }
    return this.#list
  }
}

/** One request and its reply. */
class NodeStream implements HttpStream {
  // Dropped when all is over: what outlives its reply would keep it from being collected with the young.
  #request: ClientRequest | undefined
  readonly #route: Route
  readonly #limits: Limits
  #receiver: HttpReceiver | undefined
  #replied = false
  #decoder: StringDecoder | undefined

  constructor(request: ClientRequest, receiver: HttpReceiver, route: Route, limits: Limits) {
    this.#request = request
    this.#receiver = receiver
    this.#route = route
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
    if (typeof keepAlive === 'string') this.#route.connections.learn(keepAlive)
    const { forwards } = this.#route
    if (forwards !== undefined && reply.statusCode === 407) {
      this.#cut(refusedByProxy(forwards, 407, ''))
      return
    }
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
    const bytes = new DecompressedBytes(this.#limits.maxDecompressedBytes, reply.headers['content-type'])
    reply.on('data', (chunk: Buffer) => {
      if (this.#receiver === undefined) return
      transform ??= this.#transform(encoding, chunk[0] ?? 0, (plain) => {
        if (bytes.take(plain)) {
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
    const sent = socket !== null && socket !== undefined && this.#route.connections.wasOpen(socket)
    const proxy = sent ? undefined : this.#route.forwards
    const told = proxy === undefined ? error : networkError({ error, sent }, proxy.shown, false, this.#limits.maxHeaderBytes)
    this.#finish()?.fail({ error: told, sent })
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
