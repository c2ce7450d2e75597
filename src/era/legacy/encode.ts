import { isObject } from '../../jsonrpc/codec.ts'
import type { Params } from '../../jsonrpc/message.ts'
import type { Meta } from '../../protocol/types.ts'

/** Only a call that has metadata gets `_meta`; its keys win over those that stand in the parameters already. */
export function encode(params: Params | undefined, meta: Meta | undefined): Params | undefined {
  if (meta === undefined) return params
  const given = params?._meta
  return { ...params, _meta: isObject(given) ? { ...given, ...meta } : meta }
}
