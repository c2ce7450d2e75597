/** A value that comes once, from outside: it can be read without waiting, and waited for. */
export class Settleable<T> {
  value: T | undefined
  // Nobody waits for most of them.
  #promise: Promise<T> | undefined
  #resolve: ((value: T) => void) | undefined

  get promise(): Promise<T> {
    this.#promise ??= new Promise((resolve) => {
      if (this.value === undefined) this.#resolve = resolve
      else resolve(this.value)
    })
    return this.#promise
  }

  /** The first value stands. */
  settle(value: T): void {
    if (this.value !== undefined) return
    this.value = value
    this.#resolve?.(value)
    this.#resolve = undefined
  }
}
