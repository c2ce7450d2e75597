import type { JSONRPCNotification, Params, RequestId } from '../jsonrpc/message.ts'
import type { ClientCapabilities, Implementation, LoggingLevel, Meta, ServerCapabilities, Tool } from '../protocol/types.ts'
import type { Answer, Connection, Transport } from '../transport/transport.ts'
import type { InputRequired } from './input-request.ts'
import type { TaskDialect } from './task-dialect.ts'

/** What this client says of itself. A change makes a new object. */
export interface Declaration {
  readonly clientInfo: Implementation
  readonly capabilities: ClientCapabilities
  readonly logLevel?: LoggingLevel | undefined
  readonly extended: Extended
}

/** What the extensions that are turned on declare, and add to the protocol. */
export interface Extended {
  /** What is declared, by the extension's id. */
  readonly settings: Readonly<Record<string, object>>
  /** The parameter that `Mcp-Name` repeats, by method. */
  readonly names: ReadonlyMap<string, string>
  /** Values of `resultType` that end a request, by method. */
  readonly resultTypes: ReadonlyMap<string, ReadonlySet<string>>
}

/** What the server said of itself. */
export interface Discovered {
  readonly capabilities: ServerCapabilities
  readonly serverInfo?: Implementation | undefined
  readonly instructions?: string | undefined
}

/** One live link and how to speak over it. Swapped whole by recovery. */
export interface Link {
  readonly transport: Transport
  readonly connection: Connection
  readonly era: Era
  readonly discovered: Discovered
}

/** What era code may use of the session above it: one leg, with id, deadline and authorization. */
export interface Wire {
  readonly connection: Connection
  readonly declared: Declaration
  request(method: string, params: Params, headers?: Readonly<Record<string, string>>): Promise<Answer>
  notify(method: string): Promise<void>
  /** Settles when a pipe has been silent for `probeTimeoutMs` since its process started. Undefined where silence means nothing. */
  readonly silent?: Promise<void> | undefined
}

/** Everything that differs between protocol revisions, for one link. No version is compared outside this folder. */
export interface Era {
  readonly name: 'legacy' | 'modern'
  readonly version: string
  /** The server may send requests, and gets responses. */
  readonly takesRequests: boolean
  /** A reply stream that ends early may be continued. */
  readonly resumable: boolean
  /** The method that asks whether the server is there. */
  readonly ping: string
  /** A quiet link may be asked now and then. */
  readonly keepsAlive: boolean
  /** The parameters as they go out. `meta` are the keys of this call. */
  encode(params: Params | undefined, meta: Meta | undefined, declared: Declaration): Params | undefined
  /** The HTTP headers of a request; `definition` is the newest one held of the tool that it calls. */
  headers(
    method: string,
    params: Params | undefined,
    definition: Tool | undefined,
    extended: Extended,
  ): Readonly<Record<string, string>> | undefined
  /** Undefined when the result is complete. Throws a `ProtocolError` when it is none that this revision allows. */
  decode(method: string, result: Params, extended: Extended): InputRequired | undefined
  /** Whether servers that complete declare it, and whether they may be told earlier answers. */
  readonly completion: { readonly declared: boolean; readonly context: boolean }
  /** The method of the stream that tells of changes, where they must be asked for; undefined where they come unasked. */
  readonly listen: string | undefined
  /** The request that sets the level of log messages; undefined where each request carries it. */
  logLevel(level: LoggingLevel): { readonly method: string; readonly params: Params } | undefined
  /** The message that tells the server that a request was given up; undefined where closing its stream says so, or nothing may be said. */
  cancel(id: RequestId, method: string, reason: string, ownReplyStream: boolean): JSONRPCNotification | undefined
  /** How tasks are spoken of; undefined where there are none. */
  readonly tasks: TaskDialect | undefined
  /** Why a listed tool must not be offered on such a link, or undefined. */
  unusable(tool: Tool, ownReplyStream: boolean): string | undefined
  /** How long an answer to a list or a read may be used again, in ms; 0 where the server does not say. */
  freshMs(result: Params): number
  /** A list holds until the server tells of a change, because it cannot say for how long. */
  readonly listsHold: boolean
  /** Whether this `nextCursor` ends a list. */
  endsList(cursor: unknown): boolean
}
