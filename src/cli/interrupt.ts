import { EXIT } from './exit-code.ts'
import { Interrupted } from './interrupted.ts'

/**
 * The signal that the first Ctrl-C aborts, so that the server is told and its process ended. The second one ends this process at once; a
 * server process that still runs is then ended by signal.
 */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController()
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted)
    controller.abort(new Interrupted())
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt)
  return controller.signal
}
