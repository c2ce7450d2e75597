import { ConnectionError, HttpError, ProtocolError, TimeoutError } from '../errors.ts'
import { isErrorResponse, isObject } from '../jsonrpc/codec.ts'
import { HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_PROTOCOL_VERSION } from '../protocol/error-code.ts'
import { META_SERVER_INFO } from '../protocol/meta-keys.ts'
import { peerText } from '../protocol/peer-text.ts'
import type { Answer } from '../transport/transport.ts'
import { answerError } from './answer-error.ts'
import { capabilitiesOf } from './capabilities.ts'
import type { Discovered } from './era.ts'
import { implementationOf } from './implementation.ts'
import { supportedVersions } from './legacy/greet.ts'
import { type Allowed, mutual } from './versions.ts'

/** What came of a `server/discover`. */
export type ProbeOutcome = { readonly answer: Answer } | { readonly error: unknown }

/**
 * What follows from it.
 * - `modern`: speak `version`.
 * - `again`: the server refused the version of the probe; ask with this one.
 * - `legacy`: greet it with `initialize`; `version` when the server named one, `died` when the probe ended the process.
 * - `none`: no evidence of either; `error` is for the caller.
 */
export type ProbeVerdict =
  | { readonly era: 'modern'; readonly version: string; readonly discovered: Discovered }
  | { readonly era: 'again'; readonly version: string }
  | { readonly era: 'legacy'; readonly version?: string | undefined; readonly died?: boolean }
  | { readonly era: 'none'; readonly error: unknown }

/** Pure. @see spec basic/versioning, basic/transports/stdio, basic/transports/streamable-http */
export function probeVerdict(outcome: ProbeOutcome, allowed: Allowed): ProbeVerdict {
  if ('error' in outcome) return failureVerdict(outcome.error)
  const { answer } = outcome
  if (!isErrorResponse(answer)) {
    const { result } = answer
    if (!isObject(result) || !Array.isArray(result.supportedVersions)) return { era: 'legacy' }
    return choose(result.supportedVersions, allowed, {
      capabilities: capabilitiesOf(result.capabilities),
      serverInfo: implementationOf(isObject(result._meta) ? (result._meta[META_SERVER_INFO] ?? result.serverInfo) : result.serverInfo),
      instructions: typeof result.instructions === 'string' ? result.instructions : undefined,
    })
  }
  const { code, data } = answer.error
  if (code === UNSUPPORTED_PROTOCOL_VERSION && isObject(data) && Array.isArray(data.supported))
    return choose(supportedVersions(data), allowed)
  if (code === HEADER_MISMATCH || code === MISSING_CLIENT_CAPABILITY || !refuses(answer.status ?? 400)) {
    return { era: 'none', error: answerError(answer, 'server/discover') }
  }
  return { era: 'legacy' }
}

function choose(theirs: readonly unknown[], allowed: Allowed, discovered?: Discovered): ProbeVerdict {
  const modern = mutual(allowed.modern, theirs)
  if (modern !== undefined)
    return discovered === undefined ? { era: 'again', version: modern } : { era: 'modern', version: modern, discovered }
  const legacy = mutual(allowed.legacy, theirs)
  if (legacy !== undefined) return { era: 'legacy', version: legacy }
  const names = theirs
    .filter((version) => typeof version === 'string')
    .slice(0, 20)
    .map((version) => peerText(version, 50))
  const ours = [...allowed.modern, ...allowed.legacy]
  return {
    era: 'none',
    error: new ProtocolError(
      `no protocol revision in common: the server speaks ${names.join(', ') || 'none'}, this client may speak ${ours.join(', ')}`,
      {
        outcome: 'not-run',
        method: 'server/discover',
      },
    ),
  }
}

/** A refusal is evidence of an older server; a missing login, a broken server or a broken network is none. */
function failureVerdict(error: unknown): ProbeVerdict {
  if (error instanceof ConnectionError && error.reason.kind === 'exit') return { era: 'legacy', died: true }
  if (error instanceof TimeoutError) return { era: 'none', error }
  if (error instanceof HttpError) {
    // A 2xx that carries no answer is how servers before Streamable HTTP take a POST.
    return refuses(error.status) || (error.status >= 200 && error.status < 300) ? { era: 'legacy' } : { era: 'none', error }
  }
  return { era: 'none', error }
}

/** A status by which a server says that it does not take such a request; a missing login, haste and a slow network say nothing of it. */
export function refuses(status: number): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 403 && status !== 408 && status !== 429
}
