import type { Client } from '../client.ts'
import type { ClientEvents } from '../features/events.ts'
import type { Logger } from '../session/logger.ts'
import type { Member, StateChange } from './member.ts'

/** What `on` of a group can listen to; every listener gets the server's name as well. */
export interface GroupEvents extends Omit<ClientEvents, 'state'> {
  state: StateChange
}

export type GroupEventName = keyof GroupEvents

interface Listening {
  readonly event: GroupEventName
  /** Only this server's. */
  readonly only: Member | undefined
  readonly listener: (payload: never, server: string) => void
  /** Ends the listening on one client. */
  readonly stops: Map<Member, () => void>
}

/** Listeners of a group: on every client that it has, and on those that it will have. */
export class GroupListeners {
  readonly #all = new Set<Listening>()
  readonly #logger: Logger

  constructor(logger: Logger) {
    this.#logger = logger
  }

  add(members: Iterable<Member>, listening: Omit<Listening, 'stops'>, signal: AbortSignal | undefined): () => void {
    if (signal?.aborted) return () => {}
    const own: Listening = { ...listening, stops: new Map() }
    this.#all.add(own)
    for (const member of members) attach(own, member, member.client)
    const stop = (): void => {
      this.#all.delete(own)
      for (const end of own.stops.values()) end()
      own.stops.clear()
      signal?.removeEventListener('abort', stop)
    }
    signal?.addEventListener('abort', stop, { once: true })
    return stop
  }

  /** A server has a new client. */
  opened(member: Member, client: Client): void {
    for (const each of this.#all) attach(each, member, client)
  }

  /** The group knows the state of its servers also while they have no client. */
  changed(member: Member, change: StateChange): void {
    for (const { event, only, listener } of [...this.#all]) {
      if (event !== 'state' || (only !== undefined && only !== member)) continue
      try {
        ;(listener as (payload: StateChange, server: string) => void)(change, member.name)
      } catch (error) {
        this.#logger.error(`a listener of "state" threw: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
}

function attach({ event, only, listener, stops }: Listening, member: Member, client: Client | undefined): void {
  if (event === 'state' || client === undefined || (only !== undefined && only !== member)) return
  stops.get(member)?.()
  const deliver = listener as (payload: GroupEvents[GroupEventName], server: string) => void
  stops.set(
    member,
    client.on(event, (payload) => deliver(payload, member.name)),
  )
}
