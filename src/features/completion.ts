import { ProtocolError, UnsupportedError } from '../errors.ts'
import { isObject } from '../jsonrpc/codec.ts'
import type { RequestOptions } from '../session/request-options.ts'
import type { Session } from '../session/session.ts'

/** What is to be completed: the beginning of an argument of a prompt, or of a variable of a resource template. */
export type CompleteRequest = (
  | { readonly prompt: string; readonly template?: never }
  | { readonly template: string; readonly prompt?: never }
) & {
  readonly argument: string
  /** What the person has typed. */
  readonly value: string
  /** Answers that were given to other arguments before; left out where the revision has no place for them. */
  readonly context?: Readonly<Record<string, string>> | undefined
}

export interface Completion {
  /** At most 100, the best first. */
  values: string[]
  /** How many there are. */
  total?: number | undefined
  /** There are more than `values` has. */
  hasMore?: boolean | undefined
}

const METHOD = 'completion/complete'
/** A server must not give more; what is more is left out. */
const MAX_VALUES = 100

/** @throws UnsupportedError when the server does not complete; nothing was sent. @see spec server/utilities/completion */
export async function complete(session: Session, request: CompleteRequest, options?: RequestOptions): Promise<Completion> {
  const { ref, argument, context } = checked(request)
  const { era, discovered } = await session.linked(METHOD, options)
  if (era.completion.declared && discovered.capabilities.completions === undefined)
    throw new UnsupportedError('the server did not declare the capability "completions"', { server: session.name, method: METHOD })
  const told = context !== undefined && era.completion.context
  const { completion } = await session.request(METHOD, { ref, argument, ...(told && { context: { arguments: context } }) }, options)
  if (!isObject(completion) || !Array.isArray(completion.values))
    throw new ProtocolError(`the result of ${METHOD} has no values`, { outcome: 'answered', method: METHOD, server: session.name })
  const { values, total, hasMore } = completion
  const result: Completion = { values: values.slice(0, MAX_VALUES).filter((value) => typeof value === 'string') }
  if (typeof total === 'number') result.total = total
  if (values.length > MAX_VALUES) result.hasMore = true
  else if (typeof hasMore === 'boolean') result.hasMore = hasMore
  return result
}

function checked({ prompt, template, argument, value, context }: CompleteRequest): {
  readonly ref: object
  readonly argument: object
  readonly context: Readonly<Record<string, string>> | undefined
} {
  if ((typeof prompt === 'string') === (typeof template === 'string'))
    throw new TypeError('complete: either prompt or template must be a string')
  if (typeof argument !== 'string' || typeof value !== 'string') throw new TypeError('complete: argument and value must be strings')
  if (context !== undefined && (!isObject(context) || !Object.values(context).every((each) => typeof each === 'string')))
    throw new TypeError('complete: context must map names to strings')
  const ref = typeof prompt === 'string' ? { type: 'ref/prompt', name: prompt } : { type: 'ref/resource', uri: template }
  return { ref, argument: { name: argument, value }, context }
}
