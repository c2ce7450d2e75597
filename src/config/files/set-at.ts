import type { ConfigPath } from '../config-document.ts'

/** Sets what stands at a path of a text, or removes it when the value is undefined; the rest stays as it is. */
export type SetAt = (text: string, path: ConfigPath, value: unknown) => string
