import { isObject } from '../jsonrpc/codec.ts'
import type { Params } from '../jsonrpc/message.ts'

/** A request that the server needs answered before it can finish ours. @see spec basic/patterns/mrtr */
export interface InputRequest {
  readonly method: string
  readonly params?: Params | undefined
}

export interface InputRequired {
  readonly requests: Readonly<Record<string, InputRequest>>
  /** Parameters of the next leg besides the answers: the server's opaque state, byte for byte. */
  readonly echo: Params
}

/** Requests by the key that each is answered under. Undefined when one is malformed. */
export function inputRequestsOf(value: unknown): Readonly<Record<string, InputRequest>> | undefined {
  if (!isObject(value)) return undefined
  const requests = Object.entries(value).map(([key, request]): [string, InputRequest] | undefined =>
    isObject(request) && typeof request.method === 'string'
      ? [key, { method: request.method, params: isObject(request.params) ? request.params : undefined }]
      : undefined,
  )
  return requests.includes(undefined) ? undefined : Object.fromEntries(requests.filter((request) => request !== undefined))
}
