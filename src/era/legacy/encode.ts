import type { Params } from '../../jsonrpc/message.ts'
import type { Meta } from '../../protocol/types.ts'

/** Only a call that has metadata gets `_meta`. */
export function encode(params: Params | undefined, meta: Meta | undefined): Params | undefined {
  return meta === undefined ? params : { ...params, _meta: meta }
}
