import { ProtocolError } from '../errors.ts'
import { isObject } from '../jsonrpc/codec.ts'
import type { Limits } from '../limits.ts'
import type { RequestOptions } from '../session/request-options.ts'
import type { Session } from '../session/session.ts'

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

export interface PagesOptions extends RequestOptions {
  /** Where to begin: the `nextCursor` of an earlier page, exactly as it came. */
  cursor?: string | undefined
}

/**
 * The pages of a list, one request each. A cursor that repeats ends the walk; `maxPages` and `maxItems` end it with an error.
 * @see spec server/utilities/pagination
 */
export async function* pages<Item>(
  session: Session,
  kind: ListKind<Item>,
  limits: Limits,
  warn: (problem: string) => void,
  options: PagesOptions = {},
): AsyncGenerator<Page<Item>, void, void> {
  const { cursor: from, ...requestOptions } = options
  const seen = new Set<string>()
  let cursor = from
  let items = 0
  for (let page = 1; ; page++) {
    if (page > limits.maxPages) throw tooLong(session, kind, `has more than maxPages (${limits.maxPages}) pages`)
    const result = await session.request(kind.method, cursor === undefined ? undefined : { cursor }, requestOptions)
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

/** Every item of a list. A list that exceeds a limit fails with what was read in the error's `cause.items`. */
export async function all<Item>(walk: AsyncIterable<Page<Item>>): Promise<Item[]> {
  let items: Item[] = []
  try {
    for await (const page of walk) {
      if (items.length === 0) items = page.items
      else for (const item of page.items) items.push(item)
    }
  } catch (error) {
    if (error instanceof ProtocolError) error.cause ??= { items }
    throw error
  }
  return items
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
