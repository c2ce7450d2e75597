/** JSON-RPC 2.0 messages. This layer knows no MCP. @see https://www.jsonrpc.org/specification */

/** Ids keep their JSON type: 1 and "1" are two ids. */
export type RequestId = string | number

/** Named parameters; this package never sends positional ones. */
export type Params = { readonly [key: string]: unknown }

export interface JSONRPCRequest {
  readonly jsonrpc: '2.0'
  readonly id: RequestId
  readonly method: string
  readonly params?: Params
}

export interface JSONRPCNotification {
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params?: Params
}

export interface JSONRPCResultResponse {
  readonly jsonrpc: '2.0'
  readonly id: RequestId
  readonly result: unknown
}

export interface JSONRPCErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** `id` is absent or null when the peer could not read the request. */
export interface JSONRPCErrorResponse {
  readonly jsonrpc: '2.0'
  readonly id?: RequestId | null
  readonly error: JSONRPCErrorObject
}

export type JSONRPCResponse = JSONRPCResultResponse | JSONRPCErrorResponse
export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse
