import { isObject } from '../jsonrpc/codec.ts'
import type { Meta } from '../protocol/types.ts'

/**
 * Arguments without the `_meta` among them, which belongs to the request: the option `meta` wins over it key by key. Undefined when there is
 * nothing to move: no such argument, no object, or an argument that the tool takes under this name.
 */
export function hoistedMeta<Options extends { readonly meta?: Meta | undefined }>(
  given: Readonly<Record<string, unknown>>,
  options: Options,
  inputSchema?: Readonly<Record<string, unknown>>,
): { readonly args: Readonly<Record<string, unknown>>; readonly options: Options } | undefined {
  const { _meta, ...args } = given
  const properties = inputSchema?.properties
  if (!isObject(_meta) || (isObject(properties) && Object.hasOwn(properties, '_meta'))) return undefined
  return { args, options: { ...options, meta: { ..._meta, ...options.meta } } }
}
