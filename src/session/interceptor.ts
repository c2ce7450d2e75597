import type { Link } from '../era/era.ts'
import type { JSONRPCNotification, JSONRPCRequest, JSONRPCResponse, Params, RequestId } from '../jsonrpc/message.ts'
import type { Tool } from '../protocol/types.ts'
import type { RequestOptions } from './request-options.ts'

/** One request that the caller made, before it becomes legs. */
export interface Call {
  readonly method: string
  readonly params: Params | undefined
  readonly options: RequestOptions
  readonly context: CallContext
  /** The server's name. */
  readonly server: string
}

/** What a feature knows of the request it makes. */
export interface CallContext {
  /** The newest definition held of the tool that is called. */
  readonly definition?: Tool | undefined
  /** The call may run twice: the caller said so, or a policy of the caller that trusts the tool's annotations. */
  readonly repeatable?: boolean | undefined
  /** Told when the server asks for input instead of answering. */
  readonly asked?: (() => void) | undefined
  /** Told of each leg that is about to go out: its id, and what carries it. */
  readonly sending?: ((id: RequestId, link: Link) => void) | undefined
  /** Nothing is told when the call is given up: what it began is ended in another way. */
  readonly quiet?: boolean | undefined
  /** Gets a newer definition after the server refused the headers that the old one led to. */
  readonly refreshDefinition?: (() => Promise<Tool | undefined>) | undefined
}

export type CallHandler = (call: Call) => Promise<Params>

/** Sees every call once, whatever legs it takes; may change it, answer it or refuse it by throwing. */
export type Interceptor = (next: CallHandler) => CallHandler

/** Any message of the protocol, as it is on the wire. It is not to be changed. */
export type ObservedMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse

export type Direction = 'sent' | 'received'

/** Sees every message that crosses, in order, whatever the transport: handshake, requests, answers and notifications. */
export interface MessageListener {
  onMessage(message: ObservedMessage, direction: Direction, about: { readonly server: string }): void
}

/** The first interceptor is the outermost. A `TypeError` when one makes no handler. Undefined when there is none, so that a call without one costs nothing. */
export function compose(interceptors: readonly Interceptor[], last: CallHandler): CallHandler | undefined {
  if (interceptors.length === 0) return undefined
  return interceptors.reduceRight<CallHandler>((next, interceptor, index) => {
    const handler: unknown = interceptor(next)
    if (isHandler(handler)) return handler
    // What took the place of a handler may be a promise that rejects, which is told by the error here.
    if (handler instanceof Promise) handler.catch(() => {})
    throw new TypeError(`interceptors[${index}] returned no function; an interceptor looks like (next) => (call) => next(call)`)
  }, last)
}

function isHandler(value: unknown): value is CallHandler {
  return typeof value === 'function'
}
