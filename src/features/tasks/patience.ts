import { TimeoutError } from '../../errors.ts'
import { type Clock, Deadlines } from '../../session/deadline.ts'
import { onAbort } from '../../session/on-abort.ts'
import type { Session } from '../../session/session.ts'

/** How long something is waited for that takes more than one request. */
export interface Patience {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  /** What is waited for, in the error when the time is over. */
  readonly what?: string | undefined
}

/**
 * Runs work that ends when its signal does: because the caller gives up, the client is closed, or the time is over, which stands still while
 * a handler answers the server.
 */
export async function patiently<T>(
  session: Session,
  { signal, timeoutMs, what }: Patience,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const ends = [signal, session.closing].map((each) =>
    each === undefined ? () => {} : onAbort(each, (reason) => controller.abort(reason)),
  )
  if (session.closing.aborted) controller.abort(session.closing.reason)
  if (timeoutMs !== undefined && timeoutMs !== Number.POSITIVE_INFINITY) {
    const message = `${what} has not ended within ${Math.round(timeoutMs)} ms`
    const clocks = new Deadlines<Clock>(() =>
      controller.abort(new TimeoutError(message, timeoutMs, { server: session.name, outcome: 'unknown' })),
    )
    const clock: Clock = { due: performance.now() + timeoutMs, totalDue: Number.POSITIVE_INFINITY, holds: 0, heldAt: 0 }
    clocks.add(clock)
    const hold = (): (() => void) => {
      clocks.hold(clock)
      return () => clocks.release(clock)
    }
    ends.push(session.inbound.whileAnswering(hold), () => clocks.close())
  }
  try {
    return await work(controller.signal)
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error
  } finally {
    for (const end of ends) end()
  }
}
