import type { Params } from '../../jsonrpc/message.ts'

/** What a server calls fresh for longer is asked for anew after a day. */
const MAX_FRESH_MS = 86_400_000

/**
 * How long an answer may be used again. `cacheScope` makes no difference here: no answer leaves the client that asked for it.
 * @see spec server/utilities/caching
 */
export function freshMs({ ttlMs }: Params): number {
  return typeof ttlMs === 'number' && ttlMs > 0 ? Math.min(ttlMs, MAX_FRESH_MS) : 0
}
