import type { CloseReason } from '../errors.ts'
import type { JSONRPCNotification, JSONRPCRequest, JSONRPCResponse, RequestId } from '../jsonrpc/message.ts'
import type { Limits } from '../limits.ts'

/** Opens links to one server. Reusable: opening again restarts a dead process or a lost link. */
export interface Transport {
  /** What `client.transport` says: `stdio`, `streamable-http`, `memory`, … */
  readonly kind: string
  /** What the server is called when the caller gave no name: its host or its command. */
  readonly label: string
  /** Identifies the server for what is remembered about it, such as its era: the URL, or command, arguments and environment. */
  readonly identity?: string
  /** Where a server is that is reached over HTTP: scheme, host and port. */
  readonly origin?: string
  /** Only the revisions with a handshake can be spoken over it. A transport that learns so by opening says it from then on. */
  readonly legacyOnly?: boolean
  open(inbound: Inbound, options: OpenOptions): Promise<Connection>
}

/**
 * Gets every message that is not the answer to an exchange. Called synchronously, in arrival order, before a response behind it
 * resolves; never throws. May be called before `open` has resolved. Answers go to `from`.
 * `during` is the exchange whose own reply stream carried the message, and undefined on a shared channel.
 */
export type Inbound = (message: JSONRPCRequest | JSONRPCNotification, from: Connection, during?: RequestId) => void

export interface OpenOptions {
  readonly limits: Limits
  /** Ends the opening, not the connection. */
  readonly signal?: AbortSignal
  /** Gets one sentence for each thing that was skipped because it could not be understood: bounded, escaped, for diagnostics. */
  readonly report?: (problem: string) => void
}

/** What the handshake agreed on, for every later message. */
export interface LinkTerms {
  readonly version: string
  /** HTTP headers of every later message. */
  readonly headers: Readonly<Record<string, string>>
  /** Keep and send a session id, and resume streams. */
  readonly stateful: boolean
}

export interface ExchangeOptions {
  /** HTTP headers of this request; pipes ignore them. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** A reply stream that ends early is continued where the link allows it; else the reply is lost. */
  readonly resumable?: boolean | undefined
  /** The reply may be long and holds no secret of a call, so that a link to elsewhere may ask for it compressed. */
  readonly bulky?: boolean | undefined
}

/** The response to a request, with the HTTP status when it was not 2xx, and its `Retry-After` in milliseconds. */
export type Answer = JSONRPCResponse & { readonly status?: number; readonly retryAfterMs?: number }

/** One live link. Carries JSON-RPC messages; knows no MCP method. */
export interface Connection {
  /** Each exchange has a stream of its own (HTTP): abandoning an exchange closes it. On a shared channel nothing is seen of that. */
  readonly ownReplyStream: boolean
  /**
   * Sends a request and resolves with its response, whatever the HTTP status (an error without an id on the request's own reply counts).
   * Rejects with a `TransportError` whose `outcome` is set. Ids are unique among the exchanges of one connection.
   */
  exchange(request: JSONRPCRequest, options?: ExchangeOptions): Promise<Answer>
  /** Stops waiting for an exchange, which rejects with `reason`, and releases its reply stream. Sends no message. A late answer is dropped. */
  abandon(id: RequestId, reason: unknown): void
  /** Sends a notification or a response; resolves when it is handed over. Never waits behind exchanges. */
  post(message: JSONRPCNotification | JSONRPCResponse): Promise<void>
  /** The handshake is done; sends nothing. */
  adopt(terms: LinkTerms): void
  /** Keeps the server's own stream open where the link has one (GET in the legacy era). Idempotent; does nothing elsewhere. */
  listen(): void
  /** No new exchange is taken (session lost, stdin gone); running ones finish. */
  readonly lost: Promise<CloseReason>
  /** All is over, and every exchange is settled. */
  readonly closed: Promise<CloseReason>
  close(): Promise<void>
}
