import type { Params } from '../../jsonrpc/message.ts'
import type { LoggingLevel } from '../../protocol/types.ts'
import type { Era } from '../era.ts'
import { cancel } from './cancel.ts'
import { completion } from './completion.ts'
import { decode, endsList } from './decode.ts'
import { encode } from './encode.ts'
import { tasksOf } from './tasks.ts'

const eras = new Map<string, Era>()

/** 2025-11-25 and earlier: a handshake, then requests in both directions. One object for all links of a revision. */
export function legacyEra(version: string): Era {
  const known = eras.get(version)
  if (known !== undefined) return known
  const era: Era = {
    name: 'legacy',
    version,
    takesRequests: true,
    resumable: true,
    ping: 'ping',
    keepsAlive: true,
    encode,
    headers: nothing,
    decode,
    completion: completion(version),
    listen: undefined,
    logLevel,
    cancel,
    tasks: tasksOf(version),
    unusable: nothing,
    freshMs,
    listsHold: true,
    endsList,
  }
  eras.set(version, era)
  return era
}

function nothing(): undefined {
  return undefined
}

/** No server of this era says it. */
function freshMs(): number {
  return 0
}

function logLevel(level: LoggingLevel): { method: string; params: Params } {
  return { method: 'logging/setLevel', params: { level } }
}
