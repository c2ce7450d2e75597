import { peerText } from './protocol/peer-text.ts'

/**
 * What became of a failed request.
 * - `not-run`: proved not executed: no byte left this process, or the answer is a refusal before execution.
 * - `answered`: the server answered with an error.
 * - `unknown`: it may have run.
 */
export type Outcome = 'not-run' | 'answered' | 'unknown'

/** What every error of this package may carry. */
export interface McpErrorOptions {
  /** The server's name in this client. */
  server?: string | undefined
  /** The same request may succeed later without a change. Default false. */
  retryable?: boolean | undefined
  /** Absent on errors that belong to no request. */
  outcome?: Outcome | undefined
  /** The method of the request that failed. */
  method?: string | undefined
  cause?: unknown
}

/** The parent of every error that this package makes. `code` is stable; messages are not. */
export class McpError extends Error {
  readonly code: string = 'ERR_MCP'
  readonly retryable: boolean
  server: string | undefined
  outcome: Outcome | undefined
  method: string | undefined

  constructor(message: string, options: McpErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.server = options.server
    this.retryable = options.retryable ?? false
    this.outcome = options.outcome
    this.method = options.method
  }
}

/** The server answered a request with a JSON-RPC error, or a handler of ours answers one of the server's. */
export class RpcError extends McpError {
  override readonly code = 'ERR_MCP_RPC'
  readonly rpcCode: number
  readonly data: unknown
  /** The HTTP status that the error came with, when it was not 2xx. */
  readonly status: number | undefined
  /** `Retry-After` in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(
    rpcCode: number,
    message: string,
    data?: unknown,
    options: McpErrorOptions & { status?: number | undefined; retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options)
    this.retryAfterMs = options.retryAfterMs
    this.rpcCode = rpcCode
    this.data = data
    this.status = options.status
  }
}

/** A tool ran and failed (`isError`), and `throwOnToolError` asked for an error instead of a result. */
export class ToolError<Result = unknown> extends McpError {
  override readonly code = 'ERR_MCP_TOOL'
  readonly result: Result

  constructor(message: string, result: Result, options: McpErrorOptions = {}) {
    super(message, { outcome: 'answered', ...options })
    this.result = result
  }
}

/** A handler of the host refused or failed while a call needed its answer; the call was given up. `cause` is what it threw. */
export class HandlerError extends McpError {
  override readonly code = 'ERR_MCP_HANDLER'
}

/** The peer broke the protocol: an invalid answer, a revision that we do not speak, an endless list. */
export class ProtocolError extends McpError {
  override readonly code = 'ERR_MCP_PROTOCOL'
}

/** The way to the server failed. Parent of the errors of connections, HTTP, deadlines and sizes. */
export abstract class TransportError extends McpError {}

/** Why a connection ended. */
export interface CloseReason {
  /**
   * `closed` by us, `exit` of the process, `spawn` failed, `stream` ended or broke, `session` no longer known by the server, `network`,
   * `timeout` of the handshake, `limit` of ours.
   */
  kind: 'closed' | 'exit' | 'spawn' | 'stream' | 'session' | 'network' | 'timeout' | 'limit'
  /** One sentence, safe to show. */
  message: string
  exitCode?: number | undefined
  signal?: string | undefined
  /** The newest lines that the process wrote to stderr, bounded by `maxStderrBytes`. */
  stderr?: string | undefined
  /** HTTP status. */
  status?: number | undefined
  /** Code of the operating system or the network, such as `ECONNREFUSED`. */
  errno?: string | undefined
  cause?: unknown
}

/** There is no connection: not reached, lost or closed. */
export class ConnectionError extends TransportError {
  override readonly code = 'ERR_MCP_CONNECTION'
  readonly reason: CloseReason

  constructor(reason: CloseReason, options: McpErrorOptions = {}) {
    super(reason.message, { cause: reason.cause, ...options })
    this.reason = reason
  }
}

/** One `WWW-Authenticate` header as it came. */
export interface HttpErrorDetails {
  status: number
  /** The URL without its query and credentials. */
  url: string
  contentType?: string | undefined
  /** The reply's `WWW-Authenticate`. */
  challenge?: string | undefined
  /** The first characters of the body, bounded by `maxPeerTextChars`. Never part of the message. */
  body?: string | undefined
  /** `Retry-After` in milliseconds. */
  retryAfterMs?: number | undefined
  /** A JSON-RPC error in the body, where the status rules: 401, 403, a lost session. */
  rpc?: { readonly code: number; readonly message: string; readonly data?: unknown } | undefined
  /** The target of a redirect that was not followed. */
  location?: string | undefined
}

/** The server answered with an HTTP status or content type that carries no JSON-RPC answer. */
export class HttpError extends TransportError {
  override readonly code = 'ERR_MCP_HTTP'
  readonly status: number
  readonly details: HttpErrorDetails

  constructor(message: string, details: HttpErrorDetails, options: McpErrorOptions = {}) {
    super(message, options)
    this.status = details.status
    this.details = details
  }
}

/** A deadline of ours passed. */
export class TimeoutError extends TransportError {
  override readonly code = 'ERR_MCP_TIMEOUT'
  /** The deadline that passed. */
  readonly timeoutMs: number

  constructor(message: string, timeoutMs: number, options: McpErrorOptions = {}) {
    super(message, options)
    this.timeoutMs = timeoutMs
  }
}

/** An answer exceeded a limit of ours; `limit` names it. */
export class ResponseTooLargeError extends TransportError {
  override readonly code = 'ERR_MCP_TOO_LARGE'
  readonly limit: string
  readonly max: number

  constructor(limit: string, max: number, options: McpErrorOptions = {}) {
    super(`the answer exceeds ${limit} (${max}); raise limits.${limit} if it is meant to be so large`, { outcome: 'unknown', ...options })
    this.limit = limit
    this.max = max
  }
}

/** The capability, method or revision was not negotiated with this server. Nothing was sent. */
export class UnsupportedError extends McpError {
  override readonly code = 'ERR_MCP_UNSUPPORTED'

  constructor(message: string, options: McpErrorOptions = {}) {
    super(message, { outcome: 'not-run', ...options })
  }
}

/** The server wants a login that did not succeed or is not configured. */
export class AuthorizationError extends McpError {
  override readonly code: string = 'ERR_MCP_AUTHORIZATION'

  constructor(message: string, options: McpErrorOptions = {}) {
    super(message, { outcome: 'not-run', ...options })
  }
}

/** The login lacks a scope that this request needs. */
export class InsufficientScopeError extends AuthorizationError {
  override readonly code = 'ERR_MCP_INSUFFICIENT_SCOPE'
  readonly requiredScope: string | undefined
  readonly grantedScope: string | undefined
  readonly description: string | undefined

  constructor(
    message: string,
    scopes: { requiredScope?: string | undefined; grantedScope?: string | undefined; description?: string | undefined },
    options: McpErrorOptions = {},
  ) {
    super(message, options)
    this.requiredScope = scopes.requiredScope
    this.grantedScope = scopes.grantedScope
    this.description = scopes.description
  }
}

/** One place where a value does not fit its schema. */
export interface ValidationIssue {
  /** JSON Pointer into the value; `''` is the value itself. */
  path: string
  /** JSON Pointer into the schema. */
  schemaPath: string
  /** One readable sentence that starts with the place. */
  message: string
}

/** Why a value was not accepted: `mismatch` it does not fit, `schema` the schema is unusable, `limit` checking it exceeds a limit, `arguments` required ones are missing. */
export type ValidationReason = 'mismatch' | 'schema' | 'limit' | 'arguments'

/** A value does not fit its schema, or the schema cannot be used. */
export class ValidationError<Result = unknown> extends McpError {
  override readonly code = 'ERR_MCP_VALIDATION'
  readonly reason: ValidationReason
  readonly issues: readonly ValidationIssue[]
  /** The limit that was reached, with reason `limit`. */
  readonly limit: string | undefined
  /** The result that did not fit: the tool has run. */
  result: Result | undefined

  constructor(
    message: string,
    details: { reason: ValidationReason; issues?: readonly ValidationIssue[]; limit?: string | undefined; result?: Result | undefined },
    options: McpErrorOptions = {},
  ) {
    super(message, options)
    this.reason = details.reason
    this.issues = details.issues ?? []
    this.limit = details.limit
    this.result = details.result
  }
}

function quoted(names: readonly string[], between: string): string {
  return names.map((name) => `"${peerText(name, MAX_NAME_CHARS)}"`).join(between)
}

const MAX_NAME_CHARS = 128

/** What a name stands for. */
export type NameKind = 'tool' | 'prompt' | 'resource' | 'server'

/** Nothing has this name; `candidates` are the closest that exist. */
export class NotFoundError extends McpError {
  override readonly code = 'ERR_MCP_NOT_FOUND'
  readonly kind: NameKind
  readonly wanted: string
  readonly candidates: readonly string[]

  /** Servers of a group that could not be asked; `cause` holds their errors. */
  readonly unasked: readonly string[]

  constructor(
    kind: NameKind,
    wanted: string,
    candidates: readonly string[] = [],
    options: McpErrorOptions & { unasked?: readonly string[] | undefined } = {},
  ) {
    const { unasked = [] } = options
    const hint = candidates.length === 0 ? '' : `; did you mean ${quoted(candidates, ' or ')}?`
    const missing = unasked.length === 0 ? '' : `; not asked, since they cannot be reached: ${quoted(unasked, ', ')}`
    super(`there is no ${kind} "${wanted}"${hint}${missing}`, { outcome: 'not-run', ...options })
    this.kind = kind
    this.wanted = wanted
    this.candidates = candidates
    this.unasked = unasked
  }
}

/** More than one thing has this name. */
export class AmbiguousNameError extends McpError {
  override readonly code = 'ERR_MCP_AMBIGUOUS'
  readonly kind: NameKind
  readonly wanted: string
  /** The servers, or the names by which a group tells them apart. */
  readonly candidates: readonly string[]

  constructor(kind: NameKind, wanted: string, candidates: readonly string[], options: McpErrorOptions = {}) {
    const what = kind === 'server' ? 'may be meant for more than one server' : `is a ${kind} of more than one server`
    super(`"${wanted}" ${what}: ${quoted(candidates, ', ')}; name one by the option server`, { outcome: 'not-run', ...options })
    this.kind = kind
    this.wanted = wanted
    this.candidates = candidates
  }
}

/** Why a policy of the host keeps something back: its rules deny it, nobody approved the call, or its definition is not what was accepted. */
export type PolicyReason = 'denied' | 'not-approved' | 'changed'

const POLICY: Readonly<Record<PolicyReason, string>> = {
  denied: 'is kept back by the rules of this client (allow, deny)',
  'not-approved': 'was not called, since the call was not approved (approve)',
  changed: 'was not called, since its definition is not what it was when it was first listed (pins)',
}

/** A policy of the host refused it. Nothing was sent. */
export class PolicyError extends McpError {
  override readonly code = 'ERR_MCP_POLICY'
  readonly reason: PolicyReason
  readonly kind: NameKind
  readonly wanted: string

  constructor(reason: PolicyReason, kind: NameKind, wanted: string, options: McpErrorOptions = {}) {
    super(`the ${kind} ${quoted([wanted], '')} ${POLICY[reason]}`, { outcome: 'not-run', ...options })
    this.reason = reason
    this.kind = kind
    this.wanted = wanted
  }
}

/** A long-running task ended without a result. */
export class TaskError extends McpError {
  override readonly code = 'ERR_MCP_TASK'
  readonly reason: 'not-found' | 'expired' | 'terminal' | 'failed' | 'cancelled'

  constructor(message: string, reason: TaskError['reason'], options: McpErrorOptions = {}) {
    super(message, options)
    this.reason = reason
  }
}

/** A configuration file or value cannot be used. */
export class ConfigError extends McpError {
  override readonly code = 'ERR_MCP_CONFIG'
  /** The file, where it is about one. */
  readonly file: string | undefined
  /** The place in it; both count from 1. */
  readonly line: number | undefined
  readonly column: number | undefined

  constructor(
    message: string,
    options: McpErrorOptions & { file?: string | undefined; line?: number | undefined; column?: number | undefined } = {},
  ) {
    super(message, { outcome: 'not-run', ...options })
    this.file = options.file
    this.line = options.line
    this.column = options.column
  }
}
