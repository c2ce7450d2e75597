export { memoryStore } from './memory-store.ts'
export type { Store } from './store.ts'
