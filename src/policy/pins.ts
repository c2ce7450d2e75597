import { isObject } from '../jsonrpc/codec.ts'
import type { Tool } from '../protocol/types.ts'
import type { Store } from '../store/store.ts'
import { fingerprint } from './fingerprint.ts'

/** The most tools of one server that are pinned; a further one counts as changed. */
export const MAX_PINNED = 10_000

/**
 * The definitions of one server's tools as they were first seen, or accepted since. A server that changes one afterwards is noticed: what a
 * person or a model agreed to is not what it would be now.
 */
export class Pins {
  readonly #store: Store
  readonly #key: string
  readonly #changed = new Map<string, Tool>()
  #work: Promise<unknown> = Promise.resolve()

  constructor(store: Store, server: string) {
    this.#store = store
    this.#key = `pins:${JSON.stringify(server)}`
  }

  /** The newest definitions of tools that are not what they were. */
  get changed(): ReadonlyMap<string, Tool> {
    return this.#changed
  }

  /** Pins what is new and finds what has changed. */
  check(tools: readonly Tool[]): Promise<void> {
    return this.#update(async (pinned) => {
      let added = false
      for (const tool of tools) {
        const { name } = tool
        const print = await fingerprint(tool)
        const known = pinned.get(name)
        if (print !== undefined && known === undefined && pinned.size < MAX_PINNED) {
          pinned.set(name, print)
          added = true
        } else if (known !== print || print === undefined) {
          this.#changed.set(name, tool)
          continue
        }
        this.#changed.delete(name)
      }
      return added
    })
  }

  /** Takes the changed definitions of these tools, or of all, for what they should be. Returns their names. */
  async accept(names: readonly string[] = [...this.#changed.keys()]): Promise<readonly string[]> {
    const accepted: string[] = []
    await this.#update(async (pinned) => {
      for (const name of names) {
        const tool = this.#changed.get(name)
        const print = tool === undefined ? undefined : await fingerprint(tool)
        if (print === undefined) continue
        pinned.set(name, print)
        this.#changed.delete(name)
        accepted.push(name)
      }
      return accepted.length > 0
    })
    return accepted
  }

  /** One after the other: a list that overtook another must not undo what that one pinned. */
  #update(change: (pinned: Map<string, string>) => Promise<boolean>): Promise<void> {
    const done = this.#work.then(async () => {
      const pinned = await this.#read()
      if (await change(pinned)) await this.#store.set(this.#key, JSON.stringify(Object.fromEntries(pinned)))
    })
    this.#work = done.catch(() => {})
    return done
  }

  async #read(): Promise<Map<string, string>> {
    const text = await this.#store.get(this.#key)
    const value: unknown = text === undefined ? {} : JSON.parse(text)
    if (!isObject(value)) throw new TypeError(`the catalogue holds no pins under ${this.#key}`)
    return new Map(Object.entries(value).map(([name, print]) => [name, String(print)]))
  }
}
