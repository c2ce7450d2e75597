import { RpcError } from '../errors.ts'
import { backgroundTimer } from '../transport/background-timer.ts'
import { timerDelay } from './deadline.ts'

/** Pings in a row without an answer after which a link counts as lost. */
const MAX_MISSED = 3

/** Asks a quiet server now and then whether it is there. Any answer, an error too, says that it is. */
export class KeepAlive {
  readonly #ms: number
  readonly #ping: (timeoutMs: number) => Promise<unknown>
  readonly #dead: () => void
  #cancel: (() => void) | undefined
  #missed = 0

  /** @param dead Called when `MAX_MISSED` pings in a row had no answer; the asking has stopped then. */
  constructor(ms: number, ping: (timeoutMs: number) => Promise<unknown>, dead: () => void) {
    this.#ms = ms
    this.#ping = ping
    this.#dead = dead
  }

  /** Begins anew, for a new link. */
  start(): void {
    this.stop()
    this.#missed = 0
    this.#again()
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #again(): void {
    this.#cancel = backgroundTimer(() => void this.#ask(), timerDelay(this.#ms))
  }

  async #ask(): Promise<void> {
    const asked = this.#cancel
    const answered = await this.#ping(this.#ms).then(
      () => true,
      (error: unknown) => error instanceof RpcError,
    )
    // Stopped, or begun anew for another link.
    if (this.#cancel !== asked) return
    this.#missed = answered ? 0 : this.#missed + 1
    if (this.#missed < MAX_MISSED) this.#again()
    else this.#dead()
  }
}
