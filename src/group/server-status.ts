import type { Client } from '../client.ts'
import type { McpError } from '../errors.ts'
import type { SessionState } from '../session/links.ts'

/** How it stands with one server of a group. `failed`: not reached, or lost for good; the next use that names it tries again. */
export type ServerState = SessionState | 'failed' | 'disabled'

/** One server of a group, as it is at the moment of reading. */
export interface ServerStatus {
  /** Its name in the group. */
  readonly name: string
  readonly state: ServerState
  /** The client, once the server was reached. A server that had to be started again has another one. */
  readonly client: Client | undefined
  /** Why it failed. */
  readonly error: McpError | undefined
  /** How long the newest successful connecting took. */
  readonly connectMs: number | undefined
}
