import { McpError } from '../errors.ts'

/** The error of a connection that many wait for, for one of them: what it says of the request is said of no other. */
export function ownError(error: unknown): unknown {
  if (!(error instanceof McpError)) return error
  // The runtime may keep the stack where a copy does not find it.
  const stack = { value: error.stack, writable: true, configurable: true }
  const copy: McpError = Object.create(Object.getPrototypeOf(error), { ...Object.getOwnPropertyDescriptors(error), stack })
  return copy
}
