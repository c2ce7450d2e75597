import type { Era } from '../era.ts'
import { cancel } from './cancel.ts'
import { decode, endsList } from './decode.ts'
import { encode } from './encode.ts'

/** 2025-11-25 and earlier: a handshake, then requests in both directions. */
export function legacyEra(version: string): Era {
  return {
    name: 'legacy',
    version,
    takesRequests: true,
    resumable: true,
    ping: 'ping',
    keepsAlive: true,
    encode,
    headers: () => undefined,
    decode,
    logLevel: (level) => ({ method: 'logging/setLevel', params: { level } }),
    cancel,
    unusable: () => undefined,
    endsList,
  }
}
