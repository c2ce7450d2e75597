/** Headers that the caller adds to every request: fixed, or asked for before each one. */
export type CallerHeaders = HeaderRecord | HeaderSource

export type HeaderRecord = Readonly<Record<string, string>>
export type HeaderSource = () => HeaderRecord | Promise<HeaderRecord>

/** What HTTP and the protocol themselves write. A second value could split a request in two or speak for another session. */
const OWNED: ReadonlySet<string> = new Set([
  'accept',
  'content-type',
  'content-length',
  'host',
  'connection',
  'transfer-encoding',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'last-event-id',
])
const OWNED_PREFIX = 'mcp-param-'

/** What a request of ours may not get as an addition for itself: the rest of the owned names is how the protocol's layers use it. */
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'host', 'connection', 'transfer-encoding', 'mcp-session-id'])

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Throws a `TypeError` that names the headers which the protocol owns, or the one that HTTP cannot carry. Never shows a value. */
export function checkCallerHeaders(headers: HeaderRecord): void {
  const owned = Object.keys(headers).filter((name) => OWNED.has(name.toLowerCase()) || name.toLowerCase().startsWith(OWNED_PREFIX))
  if (owned.length > 0) throw new TypeError(`the protocol owns these headers, leave them out: ${owned.join(', ')}`)
  checkWritable(headers)
}

/** The same for the headers of one request, which the layers above have composed. */
export function checkRequestHeaders(headers: HeaderRecord): void {
  for (const name in headers) if (FRAMING.has(name.toLowerCase())) throw new TypeError(`a request cannot set the header ${name}`)
  checkWritable(headers)
}

function checkWritable(headers: HeaderRecord): void {
  for (const name in headers) {
    const value: unknown = headers[name]
    if (!NAME.test(name)) throw new TypeError(`${JSON.stringify(name.slice(0, 100))} is not the name of an HTTP header`)
    if (typeof value !== 'string') throw new TypeError(`the header ${name} must be a string`)
    if (!VALUE.test(value)) throw new TypeError(`the header ${name} holds characters that HTTP cannot carry`)
  }
}
