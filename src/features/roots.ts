import { isObject } from '../jsonrpc/codec.ts'
import { ROOTS_LIST } from '../protocol/methods.ts'
import type { Root } from '../protocol/types.ts'
import type { RequestHandler } from '../session/inbound.ts'

/** Answers `roots/list` with the roots of the moment. @see spec client/roots */
export function rootsHandler(current: () => readonly Root[]): RequestHandler {
  return {
    method: ROOTS_LIST,
    capability: { roots: { listChanged: true } },
    handle: async () => ({ roots: current() }),
  }
}

/** The roots as they go out. A root that is no `file:` URI, or that climbs with `..`, is a `TypeError`. */
export function checkedRoots(roots: readonly Root[]): readonly Root[] {
  if (!Array.isArray(roots)) throw new TypeError('roots must be an array of { uri, name? }')
  return roots.map((root) => {
    const uri: unknown = isObject(root) ? root.uri : undefined
    if (typeof uri !== 'string' || !URL.canParse(uri) || new URL(uri).protocol !== 'file:') {
      throw new TypeError(`a root must have a file: URI, not ${JSON.stringify(uri)}`)
    }
    if (/(^|[/\\])\.\.([/\\]|$)/.test(decoded(uri))) throw new TypeError(`a root must not climb with "..": ${uri}`)
    return Object.freeze({ ...root })
  })
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch (cause) {
    throw new TypeError(`a root must be a valid URI, not ${uri}`, { cause })
  }
}
