import { ConnectionError, HttpError, McpError, ProtocolError, RpcError } from '../errors.ts'
import { HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_PROTOCOL_VERSION } from '../protocol/error-code.ts'
import type { Transport } from '../transport/transport.ts'
import { namesModernVersions } from './legacy/greet.ts'
import { refuses } from './probe-verdict.ts'

/** A transport that was tried, and why the server cannot be reached by it. */
export interface Attempt {
  readonly transport: Transport
  readonly error: unknown
}

/** Codes that only a server of 2026-07-28 or newer has: it has understood the transport. */
const MODERN_CODES: ReadonlySet<number> = new Set([HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_PROTOCOL_VERSION])

/**
 * Whether a failed handshake shows that the server does not speak this transport: a 4xx, or a 2xx without an answer. A missing login, a
 * broken server or network, a redirect and silence show nothing.
 * @see spec basic/transports/streamable-http, backward compatibility
 */
export function refusesTransport(error: unknown): boolean {
  if (error instanceof HttpError) return refuses(error.status) || (error.status >= 200 && error.status < 300)
  if (!(error instanceof RpcError) || error.status === undefined || !refuses(error.status)) return false
  return !MODERN_CODES.has(error.rpcCode) && !namesModernVersions(error.data)
}

/** The error of a server that no transport reaches: each attempt with its reason. */
export function unreachable(attempts: readonly Attempt[]): unknown {
  const [first, ...others] = attempts
  // What a pinned revision has to say is the same by each transport.
  if (first === undefined || others.length === 0 || attempts.every(({ error }) => error instanceof ProtocolError)) return first?.error
  const message = `${first.transport.label} refuses every transport: ${attempts.map(reasonOf).join('; ')}`
  const statuses = new Set(
    attempts.map(({ error }) => (error instanceof HttpError || error instanceof RpcError ? error.status : undefined)),
  )
  const [status] = statuses
  return new ConnectionError(
    { kind: 'network', message, cause: aggregate(attempts), ...(statuses.size === 1 && { status }) },
    { outcome: 'not-run' },
  )
}

/** The error that ends the trying. What was tried before it is its cause, unless it has one. */
export function endOfTrying(error: unknown, before: readonly Attempt[]): unknown {
  if (error instanceof McpError && before.length > 0) error.cause ??= aggregate(before)
  return error
}

function aggregate(attempts: readonly Attempt[]): AggregateError {
  return new AggregateError(
    attempts.map(({ error }) => error),
    attempts.map(reasonOf).join('; '),
  )
}

function reasonOf({ transport, error }: Attempt): string {
  return `by ${transport.kind}, ${error instanceof Error ? error.message : String(error)}`
}
