interface Releasable {
  /** Its user needs it no more. */
  release(): void
}

interface Shared<R> {
  readonly route: R
  users: number
}

/** Routes that many users have together, each released when its last user has released it. */
export class SharedRoutes<R extends Releasable> {
  readonly #byOrigin = new Map<string, Shared<R>>()

  /** The route to an origin; made when nobody has it. */
  get(origin: string, make: () => R): R {
    const known = this.#byOrigin.get(origin)
    if (known !== undefined) {
      known.users++
      return known.route
    }
    const own = make()
    const release = (): void => {
      if (--shared.users > 0) return
      this.#byOrigin.delete(origin)
      own.release()
    }
    const shared: Shared<R> = { route: { ...own, release }, users: 1 }
    this.#byOrigin.set(origin, shared)
    return shared.route
  }
}
