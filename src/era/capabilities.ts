import { isObject } from '../jsonrpc/codec.ts'
import type { ServerCapabilities } from '../protocol/types.ts'

/** What the server declares that it can do. A capability that is null is none. */
export function capabilitiesOf(value: unknown): ServerCapabilities {
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, capability]) => capability !== null)) : {}
}
