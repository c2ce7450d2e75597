import type { Params } from '../../jsonrpc/message.ts'
import type { Answer } from '../../transport/transport.ts'
import type { Wire } from '../era.ts'
import { encoder } from './encode.ts'
import { headers } from './headers.ts'

/** Asks the server what it is and speaks, with all that every request of this era carries. @see spec server/discover */
export function discover(wire: Wire, version: string): Promise<Answer> {
  const params: Params = encoder(version)({}, undefined, wire.declared)
  return wire.request('server/discover', params, {
    ...versionHeader(version),
    ...headers('server/discover', params, undefined, wire.declared.extended),
  })
}

/** The header that every later POST carries, equal to the version in the body. */
export function versionHeader(version: string): Record<string, string> {
  return { 'mcp-protocol-version': version }
}
