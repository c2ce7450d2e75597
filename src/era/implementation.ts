import { isObject } from '../jsonrpc/codec.ts'
import type { Implementation } from '../protocol/types.ts'

/** The identity that a peer gave, when it is one. For display only. */
export function implementationOf(value: unknown): Implementation | undefined {
  return isObject(value) && typeof value.name === 'string'
    ? { ...value, name: value.name, version: typeof value.version === 'string' ? value.version : '' }
    : undefined
}
