import type { Link } from '../era/era.ts'
import { ConnectionError, HttpError, RpcError } from '../errors.ts'
import { HEADER_MISMATCH, UNSUPPORTED_PROTOCOL_VERSION } from '../protocol/error-code.ts'

/**
 * What has to be mended before a leg may be sent again: a new `link` (session lost, another version wanted), a newer tool `definition`
 * (its headers were refused), or a login.
 */
export type Mend = 'link' | 'definition' | 'authorization'

/** The one place that decides whether a leg is sent again: only when it is proved that it did not run, and when its cause can be mended. */
export async function mendFor(error: unknown, link: Link): Promise<Mend | undefined> {
  if (error instanceof RpcError) {
    if (error.rpcCode === UNSUPPORTED_PROTOCOL_VERSION) return 'link'
    return error.rpcCode === HEADER_MISMATCH ? 'definition' : undefined
  }
  if (refusalOf(error) !== undefined) return 'authorization'
  if (!(error instanceof HttpError || error instanceof ConnectionError) || error.outcome !== 'not-run') return undefined
  const lost = await Promise.race([link.connection.lost, undefined])
  return lost?.kind === 'session' ? 'link' : undefined
}

/** The answer that wants a login, if the error is one. */
export function refusalOf(error: unknown): HttpError | undefined {
  return error instanceof HttpError && (error.status === 401 || error.status === 403) ? error : undefined
}
