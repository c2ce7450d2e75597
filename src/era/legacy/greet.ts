import { ProtocolError } from '../../errors.ts'
import { isErrorResponse, isObject } from '../../jsonrpc/codec.ts'
import type { Params } from '../../jsonrpc/message.ts'
import { peerText } from '../../protocol/peer-text.ts'
import { answerError } from '../answer-error.ts'
import { capabilitiesOf } from '../capabilities.ts'
import type { Discovered, Era, Wire } from '../era.ts'
import { implementationOf } from '../implementation.ts'
import { LEGACY_VERSIONS, MODERN_VERSIONS, mutual } from '../versions.ts'
import { sendsVersionHeader } from './headers.ts'
import { legacyEra } from './legacy.ts'
import { capabilitiesFor } from './tasks.ts'

/**
 * The handshake: `initialize`, the agreed version, `notifications/initialized`. A server that refuses the offer but names a version that we
 * may speak is asked once more.
 * @see spec 2025-11-25 basic/lifecycle
 */
export async function greet(wire: Wire, allowed: readonly string[], offer: string): Promise<{ era: Era; discovered: Discovered }> {
  const result = await initialize(wire, allowed, offer)
  const version = result.protocolVersion
  if (typeof version !== 'string' || !allowed.includes(version)) {
    throw new ProtocolError(
      `the server wants to speak the protocol revision ${typeof version === 'string' ? peerText(JSON.stringify(version), 50) : '(none)'}; this client may speak ${allowed.join(', ')} here`,
      { outcome: 'answered', method: 'initialize' },
    )
  }
  const headers: Record<string, string> = sendsVersionHeader(version) ? { 'mcp-protocol-version': version } : {}
  wire.connection.adopt({ version, headers, stateful: true })
  await wire.notify('notifications/initialized')
  const { capabilities, instructions } = result
  return {
    era: legacyEra(version),
    discovered: {
      capabilities: capabilitiesOf(capabilities),
      serverInfo: implementationOf(result.serverInfo),
      instructions: typeof instructions === 'string' ? instructions : undefined,
    },
  }
}

async function initialize(wire: Wire, allowed: readonly string[], offer: string, again = true): Promise<Params> {
  const { clientInfo, capabilities } = wire.declared
  const answer = await wire.request('initialize', {
    protocolVersion: offer,
    capabilities: capabilitiesFor(capabilities, offer),
    clientInfo,
  })
  if (!isErrorResponse(answer)) {
    if (isObject(answer.result)) return answer.result
    throw new ProtocolError('the server answered initialize with a result that is no object', { outcome: 'answered', method: 'initialize' })
  }
  const supported = supportedVersions(answer.error.data)
  const other = mutual(allowed, supported)
  if (again && other !== undefined && other !== offer) return initialize(wire, allowed, other, false)
  throw answerError(answer, 'initialize')
}

/** The versions that an error names, in `data.supported`. */
export function supportedVersions(data: unknown): readonly unknown[] {
  return isObject(data) && Array.isArray(data.supported) ? data.supported : []
}

/** The versions of a refusal speak of a server without a handshake. */
export function namesModernVersions(data: unknown): boolean {
  const supported = supportedVersions(data)
  return MODERN_VERSIONS.some((version) => supported.includes(version)) && !LEGACY_VERSIONS.some((version) => supported.includes(version))
}
