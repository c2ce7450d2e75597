import { timerDelay } from './deadline.ts'
import { onAbort } from './on-abort.ts'

/**
 * Waits for work that others may wait for too, until a signal or a limit ends the waiting. The work itself goes on; what becomes of it then is
 * nobody's business here.
 */
export function bounded<T>(
  work: Promise<T>,
  signals: readonly (AbortSignal | undefined)[],
  limit?: { readonly ms: number; readonly error: () => unknown },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const given = signals.filter((signal) => signal !== undefined)
    const stop = (reason: unknown): void => {
      over()
      reject(reason)
    }
    const unwatch = given.map((signal) => onAbort(signal, stop))
    const timer =
      limit === undefined || limit.ms === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(() => stop(limit.error()), timerDelay(Math.max(limit.ms, 0)))
    const over = (): void => {
      clearTimeout(timer)
      for (const end of unwatch) end()
    }
    work.then((value) => {
      over()
      resolve(value)
    }, stop)
    const aborted = given.find((signal) => signal.aborted)
    if (aborted !== undefined) stop(aborted.reason)
  })
}
