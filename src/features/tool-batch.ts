import { McpError } from '../errors.ts'
import { isObject } from '../jsonrpc/codec.ts'
import { TOOLS_CALL } from '../protocol/methods.ts'
import type { StandardSchema } from './standard-schema.ts'
import type { ToolCaller } from './tool-handle.ts'
import type { ToolCallOptions } from './tool-options.ts'
import type { ToolResult } from './tool-result.ts'

/** One of several calls, with options of its own, which win over those of the batch. */
export interface ToolBatchCall extends ToolCallOptions {
  name: string
  args?: Readonly<Record<string, unknown>> | undefined
}

/** Options of several calls; those of a single call hold for each. */
export interface ToolBatchOptions extends ToolCallOptions {
  /** Calls that run at once. Default 8. */
  concurrency?: number | undefined
  /** Begins no further call after one was rejected or its tool failed; those that run go on. Default false. */
  stopOnError?: boolean | undefined
}

/** What became of each call, in the order of the calls. */
export type ToolBatchResults<Calls extends readonly ToolBatchCall[]> = {
  -readonly [Index in keyof Calls]: PromiseSettledResult<ToolResult<DataOf<Calls[Index]>>>
}

type DataOf<Call> = Call extends { readonly output: StandardSchema<infer Data> } ? Data : unknown

/** Runs several calls, so many at once. Rejects for a caller's mistake alone, before anything is sent. */
export function callAll<const Calls extends readonly ToolBatchCall[]>(
  caller: ToolCaller & { readonly name?: string },
  calls: Calls,
  options?: ToolBatchOptions,
): Promise<ToolBatchResults<Calls>>
export async function callAll(
  caller: ToolCaller & { readonly name?: string },
  calls: readonly ToolBatchCall[],
  { concurrency = 8, stopOnError = false, ...shared }: ToolBatchOptions = {},
): Promise<PromiseSettledResult<ToolResult>[]> {
  if (!Array.isArray(calls) || !calls.every((call) => isObject(call) && typeof call.name === 'string' && call.name !== ''))
    throw new TypeError('callTools: the calls must be an array of { name, args? }')
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) throw new TypeError('callTools: concurrency must be a positive integer')
  const settled: PromiseSettledResult<ToolResult>[] = []
  const waiting = calls.entries()
  let failed: { readonly name: string; readonly cause: unknown } | undefined
  const unbegun = ({ name }: ToolBatchCall): McpError =>
    new McpError(`"${name}" was not called, because "${failed?.name}" failed before it (stopOnError)`, {
      server: caller.name,
      method: TOOLS_CALL,
      outcome: 'not-run',
      cause: failed?.cause,
    })
  const worker = async (): Promise<void> => {
    for (const [index, call] of waiting) {
      const { name, args, ...own } = call
      try {
        if (failed !== undefined) throw unbegun(call)
        const value = await caller.callTool(name, args, { ...shared, ...own })
        settled[index] = { status: 'fulfilled', value }
        if (stopOnError && value.isError) failed ??= { name, cause: value }
      } catch (reason) {
        settled[index] = { status: 'rejected', reason }
        if (stopOnError) failed ??= { name, cause: reason }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, calls.length) }, worker))
  return settled
}
