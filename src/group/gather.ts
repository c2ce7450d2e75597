import type { Client } from '../client.ts'
import { McpError, TimeoutError } from '../errors.ts'
import { bounded } from '../session/bounded.ts'
import { checkRequestOptions } from '../session/request-options.ts'
import { asMcpError, type Member } from './member.ts'

/** What the servers of a group answered, in their order, and why others did not. */
export interface Gathered<T> {
  readonly answers: readonly { readonly server: string; readonly value: T }[]
  /** By the server's name. */
  readonly failures: ReadonlyMap<string, McpError>
}

/** How servers are asked. */
export interface Asking {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  /** Waits also for servers that the group goes on without: the caller named them. */
  readonly patient?: boolean
}

/**
 * Asks servers all at once. One that fails costs the others nothing.
 * @throws a caller's mistake; the signal's reason.
 */
export async function ask<T>(
  members: readonly Member[],
  question: (client: Client, member: Member) => Promise<T>,
  options: Asking = {},
): Promise<Gathered<T>> {
  const { signal, patient = false } = options
  signal?.throwIfAborted()
  const one = async (member: Member): Promise<T> =>
    question(await reached(member, patient ? member.start() : member.join(), options), member)
  const settled = await Promise.allSettled(members.map(one))
  signal?.throwIfAborted()
  const answers: { server: string; value: T }[] = []
  const failures = new Map<string, McpError>()
  members.forEach(({ name }, index) => {
    const each = settled[index]
    if (each?.status === 'fulfilled') answers.push({ server: name, value: each.value })
    else if (each?.reason instanceof TypeError) throw each.reason
    else failures.set(name, asMcpError(each?.reason, name))
  })
  return { answers, failures }
}

/** The same. @throws also when none answered and one failed: its error, or one that names all. */
export async function gather<T>(
  members: readonly Member[],
  question: (client: Client, member: Member) => Promise<T>,
  options: Asking = {},
): Promise<Gathered<T>> {
  const gathered = await ask(members, question, options)
  if (gathered.answers.length === 0 && gathered.failures.size > 0) throw noneOf(gathered.failures)
  return gathered
}

/** A client that is being reached, waited for no longer than a request with these options may take. */
export function reached({ name, client }: Member, opening: Promise<Client>, { signal, timeoutMs }: Asking): Promise<Client> {
  if (client !== undefined) return opening
  checkRequestOptions({ timeoutMs })
  const error = (): TimeoutError =>
    new TimeoutError(`${name} was not reached within ${timeoutMs} ms (timeoutMs)`, timeoutMs ?? 0, {
      server: name,
      outcome: 'not-run',
      retryable: true,
    })
  return bounded(opening, [signal], timeoutMs === undefined ? undefined : { ms: timeoutMs, error })
}

/** One error for all. */
export function noneOf(failures: ReadonlyMap<string, McpError>): McpError {
  const errors = [...failures.values()]
  const [only] = errors
  if (only !== undefined && errors.length === 1) return only
  const said = [...failures].map(([name, { message }]) => `${name}: ${message}`).join('; ')
  return new McpError(`none of ${errors.length} servers answered: ${said}`, {
    retryable: errors.some(({ retryable }) => retryable),
    outcome: errors.every(({ outcome }) => outcome === 'not-run') ? 'not-run' : 'unknown',
    cause: new AggregateError(errors, 'the errors of the servers'),
  })
}
