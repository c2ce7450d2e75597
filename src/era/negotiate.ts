import { ProtocolError, RpcError, UnsupportedError } from '../errors.ts'
import type { Transport } from '../transport/transport.ts'
import type { Discovered, Era, Link, Wire } from './era.ts'
import { greet, namesModernVersions } from './legacy/greet.ts'
import { discover, versionHeader } from './modern/greet.ts'
import { modernEra } from './modern/modern.ts'
import { type ProbeOutcome, type ProbeVerdict, probeVerdict } from './probe-verdict.ts'
import { type Attempt, endOfTrying, refusesTransport, unreachable } from './transport-verdict.ts'
import type { Remembered, VerdictCache } from './verdict-cache.ts'
import { type Allowed, LEGACY_VERSIONS, MODERN_VERSIONS } from './versions.ts'

/** A server that keeps refusing versions which it lists itself is asked this often. */
const MAX_DISCOVERIES = 3

/** Opens the transport and makes it a wire; opening it again starts a server anew that the probe has killed. */
export type Dial = (transport: Transport) => Promise<Wire>

/**
 * Opens a link by the first transport that the server speaks, and finds its era. The next transport is tried only when the server has shown
 * that it does not speak the one before.
 */
export async function negotiate(candidates: readonly Transport[], dial: Dial, allowed: Allowed, verdicts: VerdictCache): Promise<Link> {
  const refused: Attempt[] = []
  const usable = candidates.filter((transport) => !transport.legacyOnly || allowed.legacy.length > 0)
  if (usable.length === 0) throw onlyLegacy(candidates[0])
  for (const transport of usable) {
    try {
      return await reach(transport, dial, allowed, verdicts)
    } catch (error) {
      // A pinned revision that is not spoken may be the transport's fault.
      if (!refusesTransport(error instanceof ProtocolError ? error.cause : error)) throw endOfTrying(error, refused)
      refused.push({ transport, error })
    }
  }
  throw unreachable(refused)
}

/**
 * Opens a link and finds the era that the server speaks. What was remembered of it is tried first, and forgotten when it fails.
 * @see spec basic/versioning
 */
async function reach(transport: Transport, dial: Dial, allowed: Allowed, verdicts: VerdictCache): Promise<Link> {
  const kept = verdicts.get(transport.identity)
  const remembered = allowed.modern.length > 0 && allowed.legacy.length > 0 ? kept : undefined
  try {
    return await attempt(transport, dial, allowed, verdicts, remembered)
  } catch (error) {
    if (remembered === undefined) throw error
    verdicts.delete(transport.identity)
    return attempt(transport, dial, allowed, verdicts, undefined)
  }
}

async function attempt(
  transport: Transport,
  dial: Dial,
  asked: Allowed,
  verdicts: VerdictCache,
  remembered: Remembered | undefined,
): Promise<Link> {
  const wire = await dial(transport)
  const allowed = transport.legacyOnly ? { ...asked, modern: [] } : asked
  const link = (greeted: Greeted, over: Wire = wire): Link => {
    // That a server speaks an older revision says something of it only when it could have spoken a newer one.
    if (greeted.era.name === 'modern' || allowed.modern.length > 0) verdicts.set(transport.identity, greeted.era.name)
    return { transport, connection: over.connection, ...greeted }
  }
  try {
    if (allowed.modern.length === 0 && allowed.legacy.length === 0) throw onlyLegacy(transport)
    if (allowed.modern.length === 0 || remembered === 'legacy') return link(await greetLegacy(wire, allowed))
    const { verdict, legacy } = await probe(wire, allowed, remembered)
    if (legacy !== undefined) {
      const accepted = link(legacy)
      // A slow server of both eras was greeted in the old way; next time it is given the time it needs.
      void verdict.then((late) => late.era === 'modern' && verdicts.set(transport.identity, 'modern'))
      return accepted
    }
    const settled = await verdict
    if (settled.era === 'modern') return link(modern(wire, settled.version, settled.discovered))
    if (settled.era === 'none') throw settled.error
    if (allowed.legacy.length === 0) throw refusal(settled)
    if (!settled.died) return link(await greetLegacy(wire, allowed, settled.version))
    const again = await dial(transport)
    return link(await greetLegacy(again, allowed).catch((error: unknown) => closeAndThrow(again, error)), again)
  } catch (error) {
    return closeAndThrow(wire, error)
  }
}

async function closeAndThrow(wire: Wire, error: unknown): Promise<never> {
  // Of a process that is gone already, what it left behind is ended without anybody waiting.
  await Promise.race([wire.connection.close(), wire.connection.closed])
  throw error
}

/**
 * Asks in the modern way, and after the silence of a pipe in the old way too, on the same connection. An accepted handshake wins for this
 * link; when it is refused, the answer to the probe decides, however late.
 */
async function probe(
  wire: Wire,
  allowed: Allowed,
  remembered: Remembered | undefined,
): Promise<{ verdict: Promise<Settled>; legacy?: Greeted }> {
  const verdict = discovered(wire, allowed)
  if (wire.silent === undefined || allowed.legacy.length === 0) return { verdict }
  const silent = await Promise.race([verdict.then(() => false), wire.silent.then(() => true)])
  if (!silent) return { verdict }
  try {
    const legacy = await greetLegacy(wire, allowed)
    // A slow server that is known to speak a newer one has answered the probe before the greeting.
    const settled = remembered === 'modern' ? await Promise.race([verdict, undefined]) : undefined
    return settled?.era === 'modern' ? { verdict } : { verdict, legacy }
  } catch (refused) {
    const late = await verdict
    // Both came of one death: a server that starts slowly and ends at the probe was greeted before it read a line.
    if (late.era === 'modern' || (late.era === 'legacy' && late.died)) return { verdict }
    throw refused
  }
}

/** Never rejects. A refusal that lists the version we sent is tried once more, and not for ever. */
async function discovered(wire: Wire, allowed: Allowed): Promise<Settled> {
  let version = allowed.modern[0] ?? ''
  for (let tries = 1; ; tries++) {
    const outcome = await discover(wire, version).then(
      (answer): ProbeOutcome => ({ answer }),
      (error: unknown): ProbeOutcome => ({ error }),
    )
    const verdict = probeVerdict(outcome, allowed)
    if (verdict.era !== 'again') return 'error' in outcome ? { ...verdict, failure: outcome.error } : verdict
    if (tries === MAX_DISCOVERIES) {
      const error = new ProtocolError(`the server lists the protocol revision ${verdict.version} and refuses it`, { outcome: 'not-run' })
      return { era: 'none', error }
    }
    version = verdict.version
  }
}

/** `failure`: what the probe failed with, when it was not answered. */
type Settled = Exclude<ProbeVerdict, { era: 'again' }> & { readonly failure?: unknown }

interface Greeted {
  readonly era: Era
  readonly discovered: Discovered
}

function modern(wire: Wire, version: string, discovered: Discovered): Greeted {
  wire.connection.adopt({ version, headers: versionHeader(version), stateful: false })
  return { era: modernEra(version), discovered }
}

async function greetLegacy(wire: Wire, allowed: Allowed, named?: string): Promise<Greeted> {
  try {
    return await greet(wire, allowed.legacy, named ?? allowed.legacy[0] ?? '')
  } catch (error) {
    if (error instanceof RpcError && namesModernVersions(error.data) && allowed.modern.length === 0) {
      throw new ProtocolError(`the server speaks only revisions that were not asked for here: ${error.message}`, {
        outcome: 'not-run',
        cause: error,
      })
    }
    throw error
  }
}

function onlyLegacy(transport: Transport | undefined): UnsupportedError {
  return new UnsupportedError(
    `${MODERN_VERSIONS.join(', ')} cannot be spoken over the transport ${transport?.kind ?? '(none)'}, only ${LEGACY_VERSIONS.join(', ')}`,
  )
}

function refusal(verdict: Settled): ProtocolError {
  const named =
    'version' in verdict && verdict.version !== undefined ? `it speaks ${verdict.version}` : 'it answers as servers of older revisions do'
  return new ProtocolError(
    `the server does not speak ${MODERN_VERSIONS.join(', ')}: ${named}; pin an older one with the option era, or use 'auto'`,
    {
      outcome: 'not-run',
      method: 'server/discover',
      cause: verdict.failure,
    },
  )
}
