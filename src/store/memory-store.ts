import type { Store } from './store.ts'

/** A store that lives as long as this process. */
export function memoryStore(): Store {
  const values = new Map<string, string>()
  return {
    async get(key) {
      return values.get(key)
    },
    async set(key, value) {
      values.set(key, value)
    },
    async delete(key) {
      values.delete(key)
    },
  }
}
