import { type CloseReason, ConnectionError, McpError } from '../errors.ts'
import { peerText } from '../protocol/peer-text.ts'
import { type PipeEnd, pipeConnection } from './pipe-connection.ts'
import type { Connection, Inbound, OpenOptions, Transport } from './transport.ts'

/** A transport in the shape that the official SDK gave it: a pipe that is started, written to and closed, and calls back. */
export interface ForeignTransport {
  start(): Promise<void>
  send(message: unknown, options?: unknown): Promise<void>
  close(): Promise<void>
  onmessage?: ((message: never, extra?: never) => void) | undefined
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  readonly sessionId?: string | undefined
  setProtocolVersion?: ((version: string) => void) | undefined
}

/** How long its closing is waited for. */
const CLOSE_MS = 1_500

/** Makes a transport, ours or one of that shape, for each link; after a loss it is asked for another. */
export type TransportSource = () => Transport | ForeignTransport | Promise<Transport | ForeignTransport>

/**
 * Uses a transport that somebody else wrote. An object opens once: when its link is lost, all is over. A function makes another.
 *
 * One that is told the protocol version once (`setProtocolVersion`) speaks HTTP, with the same headers on every request, so only the
 * revisions with a handshake can go over it. Any other one is taken for a pipe, which needs no headers.
 */
export function foreignTransport(given: ForeignTransport | TransportSource): Transport {
  let opened = false
  let legacyOnly = typeof given === 'object' && isToldVersion(given)
  return {
    kind: 'custom',
    label: labelOf(given),
    get legacyOnly() {
      return legacyOnly
    },
    async open(inbound, options) {
      options.signal?.throwIfAborted()
      if (typeof given === 'object') {
        if (opened) throw unusable('the transport was given as an object, which opens once; give a function that makes one')
        opened = true
        return start(given, false, inbound, options)
      }
      const made = await unlessAborted(make(given), options.signal)
      if (!isForeignTransport(made)) {
        legacyOnly = made.legacyOnly === true
        return made.open(inbound, options)
      }
      legacyOnly = isToldVersion(made)
      return start(made, true, inbound, options)
    },
  }
}

export function isTransportSource(value: unknown): value is TransportSource {
  return typeof value === 'function'
}

export function isForeignTransport(value: unknown): value is ForeignTransport {
  return isObject(value) && ['start', 'send', 'close'].every((name) => typeof Reflect.get(value, name) === 'function')
}

async function make(source: TransportSource): Promise<Transport | ForeignTransport> {
  let made: Transport | ForeignTransport
  try {
    made = await source()
  } catch (cause) {
    throw cause instanceof McpError ? cause : unusable(`the transport could not be made: ${messageOf(cause)}`, cause)
  }
  if (isForeignTransport(made) || (isObject(made) && typeof made.open === 'function')) return made
  throw new TypeError('the function did not make a transport: an object with open, or with start, send and close')
}

async function start(transport: ForeignTransport, another: boolean, inbound: Inbound, options: OpenOptions): Promise<Connection> {
  let closing = false
  let greeted = false
  const close = async (): Promise<void> => {
    closing = true
    try {
      await inTime(transport.close())
    } catch (error) {
      options.report?.(`the transport could not be closed in order: ${messageOf(error)}`)
    }
    end.fail({ kind: 'closed', message: 'the connection was closed' })
  }
  const end: PipeEnd = pipeConnection(
    {
      write: (message) => transport.send(message).catch((cause: unknown) => Promise.reject(failed(transport, cause, end, another))),
      adopt({ version }) {
        greeted = true
        transport.setProtocolVersion?.(version)
      },
      close,
    },
    inbound,
    options,
  )
  const { onclose, onerror } = transport
  transport.onmessage = (message: unknown) => end.receive(message)
  transport.onerror = (error) => {
    options.report?.(`the transport reports: ${messageOf(error)}`)
    onerror?.call(transport, error)
  }
  transport.onclose = () => {
    if (!closing) lost(end, another, greeted)
    onclose?.call(transport)
  }
  try {
    await unlessAborted(transport.start(), options.signal)
  } catch (cause) {
    void close()
    if (options.signal?.aborted || cause instanceof McpError) throw cause
    throw unusable(`the transport could not be started: ${messageOf(cause)}`, cause)
  }
  return end.connection
}

/** What can be made anew is lost as a session is, so that recovery makes it anew. */
function lost(end: PipeEnd, another: boolean, greeted: boolean): void {
  if (greeted) {
    const message = 'the transport was closed'
    if (another) end.lose({ kind: 'session', message })
    end.fail({ kind: 'stream', message })
  } else if (another) {
    // Some servers end at a request that they do not know; they are started again and greeted in the way of older revisions.
    end.fail({ kind: 'exit', message: 'the transport was closed before the handshake' })
  } else {
    const message =
      "the transport was closed before the handshake; if the server ends at requests that it does not know, use era: 'legacy', or give a function that makes transports"
    end.fail({ kind: 'stream', message })
  }
}

/** A transport that fails to send may have sent all the same, unless it says that the server has forgotten the session. */
function failed(transport: ForeignTransport, cause: unknown, end: PipeEnd, another: boolean): unknown {
  if (cause instanceof McpError) return cause
  const forgotten = transport.sessionId !== undefined && isObject(cause) && cause.code === 404
  if (forgotten) {
    const kind: CloseReason['kind'] = another ? 'session' : 'stream'
    end.lose({ kind, message: 'the session is no longer known by the server', status: 404 })
  }
  const message = `the transport could not send: ${messageOf(cause)}`
  return new ConnectionError({ kind: 'stream', message, cause }, { outcome: forgotten ? 'not-run' : 'unknown' })
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  let stop: () => void = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Fails when it takes too long. What becomes of it then is the transport's own affair. */
async function inTime(closing: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it takes longer than ${CLOSE_MS} ms`)), CLOSE_MS)
  })
  try {
    await Promise.race([closing, late])
  } finally {
    clearTimeout(timer)
  }
}

function isToldVersion(transport: ForeignTransport): boolean {
  return typeof transport.setProtocolVersion === 'function'
}

function labelOf(given: ForeignTransport | TransportSource): string {
  const name = typeof given === 'object' ? given.constructor.name : ''
  return name === '' || name === 'Object' ? 'custom transport' : name
}

function unusable(message: string, cause?: unknown): ConnectionError {
  return new ConnectionError({ kind: 'network', message, cause }, { outcome: 'not-run' })
}

/** Bounded and escaped: such messages quote what the server sent. */
function messageOf(error: unknown): string {
  return peerText(error instanceof Error ? error.message : String(error), 500)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
