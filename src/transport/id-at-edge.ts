/**
 * The id of a message of which only the edges were kept. Only the places where serialisers put it are read, first or last in the outermost
 * object, so that an id inside a result is never taken for it.
 */
export function idAtEdge(head: string, tail: string): string | number | undefined {
  const match = ID_FIRST.exec(head) ?? ID_LAST.exec(tail)
  const id: unknown = match?.[1] === undefined ? undefined : JSON.parse(match[1])
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

const ID_FIRST = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,16}|"[\w-]{1,100}")\s*,/
const ID_LAST = /,\s*"id"\s*:\s*(\d{1,16}|"[\w-]{1,100}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/
