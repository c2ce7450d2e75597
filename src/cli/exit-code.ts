import {
  AuthorizationError,
  ConfigError,
  HttpError,
  McpError,
  NotFoundError,
  ResponseTooLargeError,
  RpcError,
  ToolError,
  TransportError,
  ValidationError,
} from 'mcp-switchboard'
import { Interrupted } from './interrupted.ts'
import { UsageError } from './usage-error.ts'

/** How a command ends. */
export const EXIT = {
  ok: 0,
  /** Anything that has no number of its own. */
  failed: 1,
  /** The command line or a configuration is wrong, or there is no such tool. */
  usage: 2,
  /** The server wants a login: 401, 403. */
  authorization: 3,
  /** The server cannot be reached, and no call was sent. */
  unreachable: 4,
  /** The tool ran and failed. */
  toolFailed: 5,
  /** The call was sent and no answer came: it may have run. */
  unknown: 9,
  /** Ctrl-C. */
  interrupted: 130,
} as const

/** The exit code of what went wrong. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof Interrupted) return EXIT.interrupted
  if (error instanceof UsageError || error instanceof NotFoundError || error instanceof ConfigError) return EXIT.usage
  if (error instanceof ValidationError && error.reason === 'arguments') return EXIT.usage
  if (isUnauthorized(error)) return EXIT.authorization
  if (error instanceof ToolError) return EXIT.toolFailed
  if (outcomeOf(error) === 'unknown') return EXIT.unknown
  if (error instanceof TransportError && !(error instanceof ResponseTooLargeError) && outcomeOf(error) === 'not-run')
    return EXIT.unreachable
  return EXIT.failed
}

/** The server refused for want of a login. */
export function isUnauthorized(error: unknown): boolean {
  const status = statusOf(error)
  return error instanceof AuthorizationError || status === 401 || status === 403
}

/** The HTTP status that the error came with. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof HttpError || error instanceof RpcError ? error.status : undefined
}

/** What became of the command's call. A request that only reads, lost on the way, leaves nothing to be unsure of. */
export function outcomeOf(error: unknown): 'not-run' | 'answered' | 'unknown' | undefined {
  if (error instanceof UsageError) return 'not-run'
  if (error instanceof Interrupted) return error.sent ? 'unknown' : 'not-run'
  if (!(error instanceof McpError)) return undefined
  return error.outcome === 'unknown' && error.method !== 'tools/call' ? 'not-run' : error.outcome
}
