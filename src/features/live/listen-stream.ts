import type { Link } from '../../era/era.ts'
import { ProtocolError, RpcError, TimeoutError } from '../../errors.ts'
import { isObject } from '../../jsonrpc/codec.ts'
import type { JSONRPCNotification, RequestId } from '../../jsonrpc/message.ts'
import { META_SUBSCRIPTION_ID } from '../../protocol/meta-keys.ts'
import { bounded } from '../../session/bounded.ts'
import { pause } from '../../session/pause.ts'
import { backoff, retryPause } from '../../session/resend.ts'
import type { Session } from '../../session/session.ts'
import { acknowledgedInterests, filterOf, type Interest, isOffered } from './filter.ts'
import type { Wishes } from './wishes.ts'

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'
/** A stream that was open for so long counts as one that worked, even if it was quiet: idle streams are cut by many gateways. */
const LIVED_MS = 5_000
/** How long a stream that was given up stays so, at least, before a call starts it again. */
const REST_MS = 30_000

/** One `subscriptions/listen` request. */
interface Listening {
  readonly link: Link
  readonly asked: ReadonlySet<Interest>
  readonly controller: AbortController
  id: RequestId | undefined
  onAcknowledged: () => void
  /** Undefined before the server has acknowledged. */
  heard: ReadonlySet<Interest> | undefined
  since: number
  spoke: boolean
}

/**
 * The one stream on which a server of the modern era tells of changes. It asks for the union of all wishes; when they change, a stream with
 * the new union is opened before the old one is closed. One that breaks or is ended is opened again, with pauses that grow and a bound.
 * @see spec basic/patterns/subscriptions
 */
export class ListenStream {
  readonly #session: Session
  readonly #wishes: Wishes
  readonly #heard: (interests: ReadonlySet<Interest>) => void
  #current: Listening | undefined
  #opening: Listening | undefined
  #round: Promise<void> | undefined
  #changed = false
  #failures = 0
  #notBefore = 0
  #waiting = new AbortController()
  /** What follows from the end of the last stream; until that is decided no other is opened. */
  #deciding: Promise<void> | undefined
  /** What was heard of before a stream ended. */
  #interrupted: ReadonlySet<Interest> = new Set()
  /** Fewer things than the current stream brings, for which the server did not take a stream of their own. */
  #refused: ReadonlySet<Interest> | undefined

  /** @param heard The server tells of these from now on; what is held of them may be old. */
  constructor(session: Session, wishes: Wishes, heard: (interests: ReadonlySet<Interest>) => void) {
    this.#session = session
    this.#wishes = wishes
    this.#heard = heard
  }

  /** Brings the stream to what is wanted. Resolves when that is done, or given up. */
  reconcile(): Promise<void> {
    this.#changed = true
    this.#round ??= this.#reconcile()
    return this.#round
  }

  /** There is a new link, on which nothing was asked for yet. */
  relinked(): void {
    this.#refused = undefined
    this.#failures = 0
    this.#notBefore = 0
    this.#waiting.abort()
    this.#waiting = new AbortController()
    if (this.#current !== undefined) this.#lost(this.#current)
    this.#opening?.controller.abort(REPLACED)
  }

  /** Looks at what the server says; the first thing that it says of a stream is what it will tell. */
  notified({ method, params }: JSONRPCNotification, during: RequestId | undefined): void {
    const meta = isObject(params?._meta) ? params._meta : {}
    const id = meta[META_SUBSCRIPTION_ID] ?? during
    if (id === undefined) return
    const listening = [this.#opening, this.#current].find((each) => each?.id === id)
    if (listening === undefined) return
    if (method !== ACKNOWLEDGED) listening.spoke = true
    else if (listening.heard === undefined) this.#acknowledged(listening, acknowledgedInterests(params?.notifications))
  }

  async #reconcile(): Promise<void> {
    while (this.#changed) {
      this.#changed = false
      await this.#step()
    }
    this.#round = undefined
  }

  async #step(): Promise<void> {
    await this.#deciding
    const { link, closing } = this.#session
    const { listen } = link.era
    const wanted = listen === undefined || closing.aborted ? new Set<Interest>() : this.#wanted(link)
    const { asked, heard } = this.#current ?? {}
    if (asked !== undefined && equal(wanted, asked)) {
      // One left and another came meanwhile, who was not told yet.
      this.#wishes.answered(asked, (interest) => heard?.has(interest) === true)
      return
    }
    if (asked !== undefined && this.#refused !== undefined && equal(wanted, this.#refused)) {
      this.#wishes.answered(wanted, (interest) => heard?.has(interest) === true)
      return
    }
    this.#refused = undefined
    if (listen === undefined || wanted.size === 0) {
      const over = this.#current
      this.#current = undefined
      over?.controller.abort(REPLACED)
      return
    }
    const wait = this.#notBefore - performance.now()
    if (wait > 0) {
      this.#changed = true
      return pause(wait, closing, this.#waiting.signal).catch(() => {})
    }
    try {
      await this.#open(link, listen, wanted)
    } catch (error) {
      await this.#failed(link, listen, error, wanted)
    }
  }

  /** What the server does not declare is not asked for. */
  #wanted({ discovered }: Link): ReadonlySet<Interest> {
    const wanted = [...this.#wishes.wanted()]
    const offered = wanted.filter((interest) => isOffered(interest, discovered.capabilities))
    const asked = new Set(offered)
    this.#wishes.answered(
      wanted.filter((interest) => !asked.has(interest)),
      () => false,
    )
    return asked
  }

  /** Resolves when the server has acknowledged the stream, which then takes the place of the current one. */
  async #open(link: Link, method: string, asked: ReadonlySet<Interest>): Promise<void> {
    const { closing, settings } = this.#session
    const { timeoutMs } = settings
    const listening: Listening = {
      link,
      asked,
      controller: new AbortController(),
      id: undefined,
      onAcknowledged: () => {},
      heard: undefined,
      since: 0,
      spoke: false,
    }
    this.#opening = listening
    const started = (id: RequestId): void => {
      listening.id = id
    }
    const { signal } = listening.controller
    const over = this.#session.stream(link, method, { notifications: filterOf(asked) }, { started, signal })
    over.then(
      () => this.#over(listening, method, undefined),
      (error: unknown) => this.#over(listening, method, error),
    )
    const acknowledged = new Promise<void>((resolve, reject) => {
      listening.onAcknowledged = resolve
      const early = (): void => reject(new ProtocolError(`the server ended ${method} without a word`, { outcome: 'answered', method }))
      over.then(early, reject)
    })
    const late = (): TimeoutError =>
      new TimeoutError(`the server did not acknowledge ${method} within ${timeoutMs} ms (timeoutMs)`, timeoutMs, {
        outcome: 'unknown',
        method,
      })
    try {
      await bounded(acknowledged, [closing], { ms: timeoutMs, error: late })
    } catch (error) {
      listening.controller.abort(error)
      throw error
    } finally {
      this.#opening = undefined
    }
  }

  #acknowledged(listening: Listening, told: ReadonlySet<Interest>): void {
    const heard = new Set([...listening.asked].filter((interest) => told.has(interest)))
    listening.heard = heard
    listening.since = performance.now()
    const old = this.#current
    this.#current = listening
    old?.controller.abort(REPLACED)
    this.#heard(heard)
    this.#wishes.answered(listening.asked, (interest) => told.has(interest))
    const missed = [...this.#interrupted].filter((interest) => heard.has(interest))
    this.#interrupted = new Set()
    this.#wishes.missed(missed)
    listening.onAcknowledged()
  }

  /** A stream ended. Of one that was replaced, or never acknowledged, this is no news. */
  async #over(listening: Listening, method: string, error: unknown): Promise<void> {
    if (this.#current !== listening || this.#session.closing.aborted) return
    const worked = listening.spoke || performance.now() - listening.since >= LIVED_MS
    this.#lost(listening)
    if (worked) this.#failures = 0
    const { name, logger } = this.#session
    logger.debug(`${name}: the stream of changes ${error === undefined ? 'was ended by the server' : 'broke'}`)
    this.#deciding = this.#failed(listening.link, method, error, listening.asked)
    await this.#deciding
    if (this.#changed) void this.reconcile()
  }

  #lost(listening: Listening): void {
    this.#current = undefined
    this.#interrupted = new Set([...this.#interrupted, ...(listening.heard ?? [])])
    listening.controller.abort(REPLACED)
  }

  /** Plans another attempt, or gives up what the current stream does not bring. An orderly end without a cause is undefined. */
  async #failed(link: Link, method: string, error: unknown, asked: ReadonlySet<Interest>): Promise<void> {
    const { closing, settings } = this.#session
    if (closing.aborted || error === REPLACED) return
    // A new link brings its own attempt.
    if ((await Promise.race([link.connection.lost, undefined])) !== undefined) return
    const retries = settings.limits.maxReconnects
    const rules = { retries, retryBackoffMs: settings.retryBackoffMs }
    const again =
      error === undefined
        ? this.#failures < retries && backoff(this.#failures, rules)
        : (retryPause(error, method, true, this.#failures, rules) ?? false)
    if (again !== false) {
      this.#failures++
      this.#notBefore = performance.now() + again
      this.#changed = true
      return
    }
    const unheard = [...asked].filter((interest) => this.#current?.asked.has(interest) !== true)
    if (unheard.length === 0) this.#refused = asked
    const ended = new ProtocolError(`the server keeps ending ${method}`, { outcome: 'answered', method, server: this.#session.name })
    this.#wishes.gaveUp(unheard, error ?? ended)
    this.#changed = true
    if (!(error instanceof RpcError) || error.retryable) this.#rest()
  }

  /** What failed in passing for too long is tried once more when the server is wanted again. */
  #rest(): void {
    const until = performance.now() + REST_MS
    const wake = (): void => {
      if (performance.now() < until) {
        this.#session.beforeNextCall(wake)
      } else {
        this.#wishes.revive()
        void this.reconcile()
      }
    }
    this.#session.beforeNextCall(wake)
  }
}

/** The reason why a stream is left: another one took its place, or nobody wants one. */
const REPLACED: unique symbol = Symbol('no longer wanted')

function equal(one: ReadonlySet<Interest>, other: ReadonlySet<Interest>): boolean {
  return one.size === other.size && [...one].every((interest) => other.has(interest))
}
