import { isObject } from '../../jsonrpc/codec.ts'

/** JSON in which the order of members, which means nothing, does not show. */
export function sorted(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    isObject(each) && !(each instanceof Date) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  )
}
