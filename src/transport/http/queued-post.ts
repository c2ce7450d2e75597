import type { CallSlots, Slotted } from './call-slots.ts'
import { Delivery, type DeliveryHost } from './delivery.ts'
import type { Outgoing } from './request-sender.ts'

export interface QueuedPostHost extends DeliveryHost {
  readonly slots: CallSlots
}

/** The POST of a request whose answer comes on another stream. It waits for its turn; other messages never do. */
export class QueuedPost implements Slotted {
  /** Resolves when the server has taken it. */
  readonly done: Promise<void>
  readonly #host: QueuedPostHost
  readonly #outgoing: Outgoing
  #delivery: Delivery | undefined
  #state: 'waiting' | 'running' | 'over' = 'waiting'
  #resolve: () => void = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor(host: QueuedPostHost, outgoing: Outgoing) {
    this.#host = host
    this.#outgoing = outgoing
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    host.slots.enter(this)
  }

  /** Whether the request may have left this process. */
  get begun(): boolean {
    return this.#delivery !== undefined
  }

  begin(): void {
    this.#state = 'running'
    this.#delivery = new Delivery(this.#host, this.#outgoing)
    this.#delivery.done.then(
      () => {
        this.#over()
        this.#resolve()
      },
      (error: unknown) => {
        this.#over()
        this.#reject(error)
      },
    )
  }

  yieldSlot(): void {
    this.#over()
  }

  /** The request has been answered or given up, so nobody waits for what the server says to the POST. */
  release(): void {
    if (this.#state === 'waiting') this.#host.slots.withdraw(this)
    // Most servers answer on the stream first and here at once after it; one that does not is cut off.
    else if (this.#state === 'running' && this.#delivery !== undefined) this.#host.drains.add(this.#delivery)
    this.#over()
  }

  abandon(reason: unknown): void {
    this.#delivery?.abandon(reason)
    this.#over()
  }

  #over(): void {
    const held = this.#state === 'running'
    this.#state = 'over'
    if (held) this.#host.slots.leave(this)
  }
}
