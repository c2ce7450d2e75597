import { ConnectionError, McpError, ResponseTooLargeError, type TransportError } from '../../errors.ts'
import { peerText } from '../../protocol/peer-text.ts'
import { certificateProblem, isRefusalOfOurs } from './certificate-error.ts'
import type { HttpFailure } from './http-port.ts'

/**
 * The error of a request that got no whole reply. `begun`: the reply's head had come. A `TypeError` before anything was sent is the
 * caller's mistake and stays one.
 */
export function networkError(failure: HttpFailure, shown: string, begun: boolean, maxHeaderBytes: number): McpError | TypeError {
  const errno = codeOf(failure.error)
  const outcome = failure.sent && !(errno !== undefined && isRefusalOfOurs(errno)) ? 'unknown' : 'not-run'
  if (failure.error instanceof McpError) {
    failure.error.outcome ??= outcome
    return failure.error
  }
  if (failure.error instanceof TypeError && !failure.sent) return failure.error
  if (errno !== undefined && HEADER_OVERFLOWS.has(errno)) {
    return new ResponseTooLargeError('maxHeaderBytes', maxHeaderBytes, { outcome, cause: failure.error })
  }
  const why = errno === undefined ? 'the network request failed' : (MEANINGS[errno] ?? certificateProblem(errno) ?? fallback(errno))
  const what = begun
    ? `the reply of ${shown} broke off`
    : outcome === 'unknown'
      ? `the request to ${shown} failed`
      : `cannot reach ${shown}`
  const code = errno === undefined ? '' : ` (${peerText(errno, 60)})`
  return new ConnectionError(
    { kind: begun ? 'stream' : 'network', message: `${what}: ${why}${code}`, errno, cause: failure.error },
    { outcome, retryable: errno === undefined || TRANSIENT.has(errno) },
  )
}

/** A reply stream that is over without the answer. */
export function lostReply(shown: string, why: string, cause?: unknown): TransportError {
  const message = `the reply stream of ${shown} ended without the answer: ${why}`
  return new ConnectionError({ kind: 'stream', message, cause }, { outcome: 'unknown', retryable: true })
}

/** Every address of a host failing gives one error with many inside; `fetch` wraps the real one. */
export function codeOf(error: unknown, depth = 0): string | undefined {
  if (typeof error !== 'object' || error === null || depth > 4) return undefined
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code
  if ('errors' in error && Array.isArray(error.errors)) {
    for (const inner of error.errors) {
      const code = codeOf(inner, depth + 1)
      if (code !== undefined) return code
    }
  }
  return 'cause' in error ? codeOf(error.cause, depth + 1) : undefined
}

const HEADER_OVERFLOWS: ReadonlySet<string> = new Set(['HPE_HEADER_OVERFLOW', 'UND_ERR_HEADERS_OVERFLOW'])

const TRANSIENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
])

const MEANINGS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'no answer from that address',
  UND_ERR_CONNECT_TIMEOUT: 'no answer from that address',
  EHOSTUNREACH: 'no route to that host',
  ENETUNREACH: 'no route to that network',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up at the moment',
  UND_ERR_SOCKET: 'the connection was closed',
}

function fallback(errno: string): string {
  if (errno.startsWith('HPE_')) return 'the reply is no valid HTTP'
  if (errno.startsWith('Z_') || errno.startsWith('ERR_BROTLI') || errno.startsWith('ERR__ERROR_FORMAT'))
    return 'the reply cannot be decompressed'
  if (errno.startsWith('ERR_SSL') || errno === 'EPROTO') return 'no TLS connection could be made; check http and https in the URL'
  return 'the network request failed'
}
