import type { JSONRPCErrorObject, JSONRPCErrorResponse, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse, Params } from './message.ts'

// The guards check what we then rely on and nothing else: unknown fields stay, `null` counts as absent.

export function isObject(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

/** A result with an id, or an error with a numeric code and a message, with or without an id. */
export function isResponse(value: Params): value is Params & JSONRPCResponse {
  return value.result === undefined ? isErrorObject(value.error) : isId(value.id)
}

/** The response says that the request failed. Some peers send both members, one of them null. */
export function isErrorResponse(response: JSONRPCResponse): response is JSONRPCErrorResponse {
  return 'error' in response && isErrorObject(response.error)
}

export function isErrorObject(error: unknown): error is JSONRPCErrorObject {
  return isObject(error) && typeof error.code === 'number' && typeof error.message === 'string'
}

export function isRequest(value: Params): value is Params & JSONRPCRequest {
  return typeof value.method === 'string' && isId(value.id) && hasParamsOrNone(value)
}

export function isNotification(value: Params): value is Params & JSONRPCNotification {
  return typeof value.method === 'string' && (value.id === undefined || value.id === null) && hasParamsOrNone(value)
}

/** An empty list is no parameters: some languages write an empty map so. */
function hasParamsOrNone({ params }: Params): boolean {
  return params === undefined || params === null || isObject(params) || (Array.isArray(params) && params.length === 0)
}
