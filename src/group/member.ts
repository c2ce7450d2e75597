import type { Client } from '../client.ts'
import { ConfigError, ConnectionError, McpError, UnsupportedError } from '../errors.ts'
import type { ClientEvents } from '../features/events.ts'
import type { ServerState, ServerStatus } from './server-status.ts'
import type { StartGate } from './start-gate.ts'

/** What a group needs to know of one server. */
export interface MemberSource {
  readonly name: string
  /** The configuration switches it off. */
  readonly disabled: boolean
  /** Whether it is to be reached at its first use, not when the group starts. */
  readonly isLazy: () => Promise<boolean>
  /** Reaches the server, once per call. */
  readonly connect: (signal: AbortSignal) => Promise<Client>
}

/** What a member tells its group. */
export interface MemberHost {
  readonly gate: StartGate
  /** A client is there that was not there before. */
  opened(member: Member, client: Client): void
  changed(member: Member, change: StateChange): void
}

/** A server of a group has another state. */
export interface StateChange {
  state: ServerState
  reason?: string
  nextAttemptMs?: number
}

/** A server that failed is tried again by uses that do not name it after this pause, doubled each time. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

/** One server of a group: started when it is needed, once for all who need it, and again after it failed. */
export class Member {
  readonly name: string
  readonly disabled: boolean
  readonly #source: MemberSource
  readonly #host: MemberHost
  readonly #closing = new AbortController()
  #client: Client | undefined
  #opening: Promise<Client> | undefined
  #error: McpError | undefined
  #connectMs: number | undefined
  #failures = 0
  #notBefore = 0
  /** The group goes on without it until it is there. */
  late = false

  constructor(source: MemberSource, host: MemberHost) {
    this.name = source.name
    this.disabled = source.disabled
    this.#source = source
    this.#host = host
  }

  /** Starts it with the group, unless it is to wait for its first use. */
  async startWithGroup(): Promise<Client | undefined> {
    return (await this.#source.isLazy()) ? undefined : this.start()
  }

  /** What users see of it. */
  get status(): ServerStatus {
    const member = this
    return {
      name: this.name,
      get state() {
        return member.state
      },
      get client() {
        return member.#client
      },
      get error() {
        return member.#error
      },
      get connectMs() {
        return member.#connectMs
      },
    }
  }

  get state(): ServerState {
    if (this.#closing.signal.aborted) return 'closed'
    if (this.disabled) return 'disabled'
    if (this.#opening !== undefined) return 'connecting'
    if (this.#error !== undefined) return 'failed'
    return this.#client?.state ?? 'idle'
  }

  /** The client, if it can be used as it is. */
  get client(): Client | undefined {
    return this.#client?.state === 'closed' ? undefined : this.#client
  }

  /** The client; reaches the server if need be, once for all who ask meanwhile. */
  start(): Promise<Client> {
    const { client } = this
    if (this.#closing.signal.aborted) return Promise.reject(this.#closing.signal.reason)
    if (this.disabled) return Promise.reject(new UnsupportedError(`${this.name} is disabled in its configuration`, { server: this.name }))
    if (client !== undefined) return Promise.resolve(client)
    this.#opening ??= this.#open()
    return this.#opening
  }

  /**
   * The client for a use that names no server, which neither waits for one that the group goes on without, nor for one that failed: that is
   * tried again behind the use, with growing pauses.
   */
  async join(): Promise<Client> {
    if (this.client === undefined) {
      if (this.state === 'failed') this.#retry()
      if (this.late) throw this.#error ?? new ConnectionError(STILL_CONNECTING, { server: this.name, outcome: 'not-run', retryable: true })
    }
    return this.start()
  }

  async close(): Promise<void> {
    const reason = new ConnectionError({ kind: 'closed', message: 'the group was closed' }, { server: this.name, outcome: 'not-run' })
    this.#closing.abort(reason)
    await this.#opening?.catch(() => {})
    await this.#client?.close()
  }

  #retry(): void {
    this.late = true
    if (performance.now() >= this.#notBefore) this.start().catch(() => {})
  }

  async #open(): Promise<Client> {
    try {
      this.#host.changed(this, { state: 'connecting' })
      const client = await this.#host.gate.run(() => this.#reach())
      this.#client = client
      this.#error = undefined
      this.#failures = 0
      this.late = false
      this.#opening = undefined
      client.on('state', (change) => this.#heard(client, change))
      this.#host.opened(this, client)
      this.#host.changed(this, { state: 'ready' })
      return client
    } catch (cause) {
      this.#opening = undefined
      this.#error = asMcpError(cause, this.name)
      this.#notBefore = performance.now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures++)
      this.#host.changed(this, { state: this.state, reason: this.#error.message })
      throw this.#error
    }
  }

  /** A client that ended, and not because it was told to, has failed. */
  #heard(client: Client, change: ClientEvents['state']): void {
    if (client !== this.#client) return
    const { closeReason } = client
    const lost = closeReason !== undefined && closeReason.kind !== 'closed'
    if (lost) this.#error = new ConnectionError(closeReason, { server: this.name, outcome: 'not-run' })
    this.#host.changed(this, lost ? { ...change, state: 'failed' } : change)
  }

  async #reach(): Promise<Client> {
    const { signal } = this.#closing
    signal.throwIfAborted()
    const from = performance.now()
    const client = await this.#source.connect(signal)
    if (signal.aborted) {
      await client.close()
      throw signal.reason
    }
    this.#connectMs = performance.now() - from
    return client
  }
}

const STILL_CONNECTING = { kind: 'network', message: 'it is still being connected; on("state") tells when it is there' } as const

/** What a target or an option of one server is wrong with is its failure in a group, not the group's. */
export function asMcpError(cause: unknown, server: string): McpError {
  if (cause instanceof McpError) {
    cause.server ??= server
    return cause
  }
  return new ConfigError(cause instanceof Error ? cause.message : String(cause), { server, cause })
}
