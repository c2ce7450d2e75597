import { isObject, isResponse } from '../../jsonrpc/codec.ts'
import type { JSONRPCErrorResponse, JSONRPCResponse, RequestId } from '../../jsonrpc/message.ts'

/**
 * The JSON-RPC error in the body of a status that is no success: the whole body, or the item of a batch that answers this request.
 * Whatever id a single error has, it is about the request that it replies to: servers that could not read the id make one up.
 */
export function errorIn(text: string, id?: RequestId): JSONRPCErrorResponse | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const found: unknown = Array.isArray(value) ? value.find((item) => isObject(item) && item.id === id) : value
  return isObject(found) && isResponse(found) && isError(found) ? found : undefined
}

function isError(message: JSONRPCResponse): message is JSONRPCErrorResponse {
  return 'error' in message
}
