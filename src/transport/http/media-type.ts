/** How the body of a reply is to be read. */
export type BodyForm = 'json' | 'events' | 'other'

/** Media types compare without case and may carry parameters. @see RFC 9110 section 8.3.1 */
export function bodyForm(contentType: string | undefined): BodyForm {
  if (contentType === 'application/json') return 'json'
  if (contentType === 'text/event-stream') return 'events'
  if (contentType === undefined) return 'other'
  const end = contentType.search(/[;,]/)
  const type = (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase()
  if (type === 'text/event-stream') return 'events'
  return type === 'application/json' || type === 'application/json-rpc' || type.endsWith('+json') ? 'json' : 'other'
}
