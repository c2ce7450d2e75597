import { HttpError, type HttpErrorDetails, type Outcome } from '../../errors.ts'
import type { JSONRPCErrorObject } from '../../jsonrpc/message.ts'
import { peerText } from '../../protocol/peer-text.ts'
import type { HttpHead } from './http-port.ts'

/** A reply that carries no answer, and what stands around it. */
export interface UnusableReply {
  readonly head: HttpHead
  /** The URL without its query and credentials. */
  readonly shown: string
  readonly body: string
  readonly maxPeerTextChars: number
  /** The request spoke for a session. */
  readonly inSession: boolean
  /** The server no longer knows the session. */
  readonly sessionLost?: boolean | undefined
  /** A JSON-RPC error in the body of a status that says it all. */
  readonly rpc?: JSONRPCErrorObject | undefined
  /** Instead of what the status proves, when the request had been taken before this reply. */
  readonly outcome?: Outcome | undefined
  /** Instead of what the status means. */
  readonly problem?: string | undefined
}

export function httpError(reply: UnusableReply): HttpError {
  const { head, shown, body, maxPeerTextChars } = reply
  const contentType = head.header('content-type')
  const location = isRedirect(head.status) ? redirectTarget(head.header('location'), shown) : undefined
  const details: HttpErrorDetails = { status: head.status, url: shown }
  if (contentType !== undefined) details.contentType = peerText(contentType, 200)
  const challenge = head.header('www-authenticate')
  if (challenge !== undefined) details.challenge = challenge
  if (body !== '') details.body = peerText(body, maxPeerTextChars)
  if (location !== undefined) details.location = location
  if (reply.rpc !== undefined) details.rpc = reply.rpc
  const retryAfterMs = retryAfter(head)
  if (retryAfterMs !== undefined) details.retryAfterMs = retryAfterMs
  const what = reply.problem ?? meaning(reply, location)
  return new HttpError(`${shown} answered ${head.status || 'a redirect'}${what === '' ? '' : `: ${what}`}`, details, {
    outcome: reply.outcome ?? outcomeOf(head.status, reply),
    retryable: RETRYABLE.has(head.status),
  })
}

/** Statuses that show a refusal before anything ran. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 405, 406, 413, 415, 429])
const RETRYABLE: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

function outcomeOf(status: number, reply: UnusableReply): Outcome {
  const refused = REFUSALS.has(status) || isRedirect(status) || (status === 404 && reply.inSession) || reply.sessionLost === true
  return refused ? 'not-run' : 'unknown'
}

function meaning(reply: UnusableReply, location: string | undefined): string {
  const { status } = reply.head
  if (reply.sessionLost === true) return 'the server no longer knows this session'
  if (isRedirect(status)) {
    return location === undefined
      ? 'a redirect that says no usable address; configure the final URL'
      : `a redirect to ${location}, which is not followed; if you trust that address, configure it as the URL`
  }
  if (status >= 200 && status < 300) {
    const type = reply.head.header('content-type')
    const came = reply.body === '' ? 'an empty body' : `content of type ${peerText(type ?? '(none)', 100)}`
    return `${came} instead of a JSON-RPC answer; check that this URL is the MCP endpoint`
  }
  return MEANINGS[status] ?? (status >= 500 ? 'the server failed' : 'the server refused the request')
}

const MEANINGS: Readonly<Record<number, string>> = {
  401: 'a login is needed, or the credentials are not accepted',
  403: 'the credentials do not permit this, or the server does not accept the origin',
  404: 'there is nothing at this path; check the URL, a slash at its end included',
  405: 'this path takes no such request; check that this URL is the MCP endpoint',
  406: 'the server does not answer in the forms that this transport accepts',
  413: 'the request is too large for the server',
  415: 'the server does not take JSON at this path',
  429: 'too many requests',
  431: 'the headers of the request are too large for the server',
  502: 'a gateway got no answer from the server',
  503: 'the server is not available at the moment',
  504: 'a gateway waited too long for the server',
}

export function isRedirect(status: number): boolean {
  // Browsers hide the status of a redirect that they were told not to follow.
  return status === 0 || (status >= 300 && status < 400 && status !== 304)
}

/** Where a redirect leads, without the query and credentials, which may be secrets. */
function redirectTarget(location: string | undefined, from: string): string | undefined {
  if (location === undefined || !URL.canParse(location, from)) return undefined
  const target = new URL(location, from)
  return peerText(`${target.origin === 'null' ? target.protocol : target.origin}${target.pathname}`, 300)
}

/** `Retry-After` in milliseconds, given in seconds or as a date. */
export function retryAfter(head: HttpHead): number | undefined {
  const value = head.header('retry-after')?.trim()
  if (value === undefined || value === '') return undefined
  const ms = /^[0-9]+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, Math.round(ms)) : undefined
}
