import type { Task } from './task.ts'

/** A list whose change can be told. */
export type DemoList = 'tools' | 'prompts' | 'resources'

/** Something that clients may want to hear of. */
export type Change = { readonly list: DemoList } | { readonly uri: string } | { readonly task: Task }

/** Tells every listener of every change. */
export class Changes {
  readonly #listeners = new Set<(change: Change) => void>()

  tell(change: Change): void {
    for (const listener of [...this.#listeners]) listener(change)
  }

  /** Returns what ends the listening. */
  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }
}
