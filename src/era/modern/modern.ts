import type { Era } from '../era.ts'
import { cancel } from './cancel.ts'
import { decode, endsList } from './decode.ts'
import { encoder } from './encode.ts'
import { freshMs } from './fresh-ms.ts'
import { headers } from './headers.ts'
import { tasks } from './tasks.ts'
import { headerFault } from './tool-headers.ts'

/** 2026-07-28: no handshake, every request stands alone, only the client asks. */
export function modernEra(version: string): Era {
  return {
    name: 'modern',
    version,
    takesRequests: false,
    resumable: false,
    ping: 'server/discover',
    keepsAlive: false,
    encode: encoder(version),
    headers,
    decode,
    completion: { declared: true, context: true },
    listen: 'subscriptions/listen',
    logLevel: () => undefined,
    cancel,
    tasks,
    unusable: (tool, ownReplyStream) => (ownReplyStream ? headerFault(tool) : undefined),
    freshMs,
    listsHold: false,
    endsList,
  }
}
