import { isObject } from '../../jsonrpc/codec.ts'
import type { Params } from '../../jsonrpc/message.ts'
import { META_CLIENT_CAPABILITIES, META_CLIENT_INFO, META_LOG_LEVEL, META_VERSION } from '../../protocol/meta-keys.ts'
import type { ClientCapabilities, Meta } from '../../protocol/types.ts'
import type { Declaration } from '../era.ts'

/**
 * Puts version, identity and capabilities into `_meta` of every request; they win over keys of the call, and those over keys that stand in
 * the parameters already. What is the same for all calls is
 * built once per declaration.
 * @see spec basic/index#meta
 */
export function encoder(version: string): (params: Params | undefined, meta: Meta | undefined, declared: Declaration) => Params {
  let builtFor: Declaration | undefined
  let envelope: Meta = {}
  return (params, meta, declared) => {
    if (declared !== builtFor) {
      builtFor = declared
      envelope = {
        [META_VERSION]: version,
        [META_CLIENT_INFO]: declared.clientInfo,
        [META_CLIENT_CAPABILITIES]: capabilitiesOf(declared.capabilities),
        ...(declared.logLevel === undefined ? {} : { [META_LOG_LEVEL]: declared.logLevel }),
      }
    }
    const given = params?._meta
    const own = given === undefined && meta === undefined ? envelope : { ...(isObject(given) && given), ...meta, ...envelope }
    return { ...params, _meta: own }
  }
}

/** Roots have no notification of a change here, and the client runs no tasks. */
function capabilitiesOf({ tasks, ...capabilities }: ClientCapabilities): ClientCapabilities {
  return capabilities.roots === undefined ? capabilities : { ...capabilities, roots: {} }
}
