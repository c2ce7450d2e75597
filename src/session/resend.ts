import type { Link } from '../era/era.ts'
import { type CloseReason, ConnectionError, HttpError, RpcError } from '../errors.ts'
import { HEADER_MISMATCH, UNSUPPORTED_PROTOCOL_VERSION, URL_ELICITATION_REQUIRED } from '../protocol/error-code.ts'

// The one place that decides whether a leg is sent again. A leg that may have run is never sent again on its own account.

/**
 * What has to be mended before a leg may be sent again: a new `link` (session lost, another version wanted), a newer tool `definition`
 * (its headers were refused), a login, or a `visit` of the person to a page. Undefined when nothing was proved or nothing can be mended.
 */
export type Mend = 'link' | 'definition' | 'authorization' | 'visit'

export async function mendFor(error: unknown, link: Link, recovers: (reason: CloseReason) => boolean): Promise<Mend | undefined> {
  if (error instanceof RpcError) {
    if (error.rpcCode === UNSUPPORTED_PROTOCOL_VERSION) return 'link'
    if (error.rpcCode === URL_ELICITATION_REQUIRED) return 'visit'
    return error.rpcCode === HEADER_MISMATCH ? 'definition' : undefined
  }
  if (refusalOf(error) !== undefined) return 'authorization'
  if (!(error instanceof HttpError || error instanceof ConnectionError) || error.outcome !== 'not-run') return undefined
  const lost = await Promise.race([link.connection.lost, undefined])
  return lost !== undefined && recovers(lost) ? 'link' : undefined
}

/** The answer that wants a login, if the error is one. */
export function refusalOf(error: unknown): HttpError | undefined {
  return error instanceof HttpError && (error.status === 401 || error.status === 403) ? error : undefined
}

export interface RetryRules {
  /** How often at most. */
  readonly retries: number
  /** The first pause; doubled each time. */
  readonly retryBackoffMs: number
}

/** Requests that change nothing on the server, or no more at the second time, whatever became of the first one. */
const SAFE: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
  'skills/list',
  'skills/get',
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'resources/subscribe',
  'resources/unsubscribe',
  'logging/setLevel',
])
const MAX_BACKOFF_MS = 30_000
const JITTER = 0.25

/**
 * How long to wait before a leg is sent again although nothing had to be mended: the failure is a passing one, and the request was not
 * run, or it may run twice. Undefined when it must not be sent again.
 * @param repeatable The caller permits this call to run twice.
 */
export function retryPause(error: unknown, method: string, repeatable: boolean, attempt: number, rules: RetryRules): number | undefined {
  if (attempt >= rules.retries) return undefined
  if (!(error instanceof HttpError || error instanceof ConnectionError || error instanceof RpcError) || !error.retryable) return undefined
  if (error.outcome !== 'not-run' && !repeatable && !SAFE.has(method)) return undefined
  return Math.max(retryAfterOf(error) ?? 0, backoff(attempt, rules))
}

/** The one backoff: doubled each time, bounded, with jitter. */
export function backoff(attempt: number, { retryBackoffMs }: RetryRules): number {
  const even = Math.min(retryBackoffMs * 2 ** attempt, MAX_BACKOFF_MS)
  return Math.min(even * (1 + JITTER * (2 * Math.random() - 1)), MAX_BACKOFF_MS)
}

function retryAfterOf(error: HttpError | ConnectionError | RpcError): number | undefined {
  if (error instanceof HttpError) return error.details.retryAfterMs
  return error instanceof RpcError ? error.retryAfterMs : undefined
}
