import { ProtocolError, RpcError } from '../errors.ts'
import { isObject } from '../jsonrpc/codec.ts'
import { INVALID_PARAMS } from '../jsonrpc/error-code.ts'
import type { Limits } from '../limits.ts'
import type { Session } from '../session/session.ts'
import type { KeptOptions, KeptRequests } from './kept-requests.ts'

/** One list of the protocol: its method, and the key of its items. */
export interface ListKind<Item> {
  readonly method: string
  readonly key: string
  /** Whether an entry is usable; others are left out with a warning, the rest of the list stays. */
  readonly accepts: (entry: unknown) => entry is Item
}

export interface Page<Item> {
  readonly items: Item[]
  /** Where the next page begins; undefined at the end. Opaque. */
  readonly nextCursor: string | undefined
}

export interface PagesOptions extends KeptOptions {
  /** Where to begin: the `nextCursor` of an earlier page, exactly as it came. */
  cursor?: string | undefined
}

/**
 * The pages of a list, one request each. A cursor that repeats ends the walk; `maxPages` and `maxItems` end it with an error.
 * @see spec server/utilities/pagination
 */
export async function* pages<Item>(
  requests: KeptRequests,
  kind: ListKind<Item>,
  limits: Limits,
  warn: (problem: string) => void,
  options: PagesOptions = {},
): AsyncGenerator<Page<Item>, void, void> {
  const { session } = requests
  const { cursor: from, ...requestOptions } = options
  const seen = new Set<string>()
  let cursor = from
  let items = 0
  for (let page = 1; ; page++) {
    if (page > limits.maxPages) throw tooLong(session, kind, `has more than maxPages (${limits.maxPages}) pages`)
    const result = await requests.ask(kind.method, cursor === undefined ? undefined : { cursor }, requestOptions)
    // Some servers write an empty list as null.
    const entries = result[kind.key] === null ? [] : result[kind.key]
    if (!Array.isArray(entries))
      throw new ProtocolError(`the result of ${kind.method} has no list "${kind.key}"`, {
        outcome: 'answered',
        method: kind.method,
        server: session.name,
      })
    items += entries.length
    if (items > limits.maxItems) throw tooLong(session, kind, `has more than maxItems (${limits.maxItems}) items`)
    const usable: Item[] = []
    for (const entry of entries) {
      if (kind.accepts(entry)) usable.push(entry)
      else warn(`left out an entry of ${kind.method} that is malformed`)
    }
    const next: unknown = result.nextCursor
    const ended = session.link.era.endsList(next) || typeof next !== 'string'
    if (!ended && seen.has(next)) warn(`${kind.method} repeats a cursor; the list ends here`)
    const nextCursor = ended || seen.has(next) ? undefined : next
    yield { items: usable, nextCursor }
    if (nextCursor === undefined) return
    seen.add(nextCursor)
    cursor = nextCursor
  }
}

/**
 * Every item of a list, as the server had it at one time: pages that are held serve when all of them do, and a cursor that the server no
 * longer knows begins the list anew, once. A list that exceeds a limit fails with what was read in the error's `cause.items`.
 * @param walk The pages, from the first.
 */
export async function whole<Item>(
  requests: KeptRequests,
  method: string,
  walk: (options: PagesOptions) => AsyncIterable<Page<Item>>,
  options: KeptOptions = {},
): Promise<Item[]> {
  if (!requests.hasList(method)) requests.dropList(method)
  for (let again = false; ; again = true) {
    const items: Item[] = []
    let pages = 0
    try {
      for await (const page of walk(options)) {
        pages++
        for (const item of page.items) items.push(item)
      }
      return items
    } catch (error) {
      if (error instanceof ProtocolError) error.cause ??= { items }
      if (again || pages === 0 || !(error instanceof RpcError) || error.rpcCode !== INVALID_PARAMS) throw error
      requests.dropList(method)
    }
  }
}

/** The entry is an object with strings under these keys. */
export function hasStrings<Item>(...keys: readonly string[]): (entry: unknown) => entry is Item {
  return (entry): entry is Item => isObject(entry) && keys.every((key) => typeof entry[key] === 'string')
}

function tooLong(session: Session, kind: ListKind<unknown>, what: string): ProtocolError {
  return new ProtocolError(
    `the list of ${kind.method} ${what}; raise the limit if it is meant to be so long; the error's cause.items holds what was read`,
    {
      outcome: 'answered',
      method: kind.method,
      server: session.name,
    },
  )
}
