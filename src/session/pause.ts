import { timerDelay } from './deadline.ts'
import { onAbort } from './on-abort.ts'

/** Waits, unless one of the signals ends the waiting. */
export function pause(ms: number, ...signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const given = signals.filter((signal) => signal !== undefined)
    const stop = (reason: unknown): void => {
      finish()
      reject(reason)
    }
    const unwatch = given.map((signal) => onAbort(signal, stop))
    const finish = (): void => {
      clearTimeout(timer)
      for (const end of unwatch) end()
    }
    const timer = setTimeout(() => {
      finish()
      resolve()
    }, timerDelay(ms))
    const aborted = given.find((signal) => signal.aborted)
    if (aborted !== undefined) stop(aborted.reason)
  })
}
