import { onAbort } from '../../session/on-abort.ts'

/** Different things below one watched resource that are kept apart while nobody takes them; beyond that, all of it changed. */
export const MAX_WAITING = 1_000

/** Updates that wait for a loop: each thing once, however often it changed. */
export class UpdateBuffer {
  readonly #uri: string
  readonly #waiting = new Set<string>()
  readonly #unwatch: readonly (() => void)[]
  #failure: { readonly error: unknown } | undefined
  #wake: () => void = () => {}

  /** @param signals End the waiting with their reason. */
  constructor(uri: string, signals: readonly (AbortSignal | undefined)[]) {
    this.#uri = uri
    this.#unwatch = signals.flatMap((signal) => {
      if (signal === undefined) return []
      if (signal.aborted) this.#stop(signal.reason)
      return [onAbort(signal, (reason) => this.#stop(reason))]
    })
  }

  /** Takes an update of the watched resource or of something below it; any other is none of its business. */
  push(uri: string): void {
    if (!isWithin(uri, this.#uri)) return
    if (this.#waiting.size < MAX_WAITING || this.#waiting.has(uri)) {
      this.#waiting.add(uri)
    } else {
      this.#waiting.clear()
      this.#waiting.add(this.#uri)
    }
    this.#wake()
  }

  /** Nothing more will come. */
  fail(error: unknown): void {
    this.#failure ??= { error }
    this.#wake()
  }

  #stop(reason: unknown): void {
    this.#waiting.clear()
    this.fail(reason)
  }

  /** The next update; throws when there is none and none can come. */
  async next(): Promise<string> {
    for (;;) {
      for (const uri of this.#waiting) {
        this.#waiting.delete(uri)
        return uri
      }
      if (this.#failure !== undefined) throw this.#failure.error
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  close(): void {
    for (const stop of this.#unwatch) stop()
  }
}

/** A server may tell of a part of what was subscribed to. */
function isWithin(uri: string, watched: string): boolean {
  if (!uri.startsWith(watched)) return false
  return uri.length === watched.length || watched.endsWith('/') || '/?#'.includes(uri.charAt(watched.length))
}
