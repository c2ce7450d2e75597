import type { ChildProcess } from 'node:child_process'
import { signalGroup } from './shutdown.ts'

const live = new Set<ChildProcess>()
/** Between SIGTERM and SIGKILL when this process is about to be gone. */
const LAST_GRACE_MS = 200
const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Ends the processes that are still running when this one exits, whether by itself, by an uncaught exception or by a signal. The hooks
 * stand only while there is such a process.
 */
export function trackUntilExit(child: ChildProcess): void {
  if (live.size === 0) install()
  live.add(child)
  child.once('exit', () => {
    live.delete(child)
    if (live.size === 0) uninstall()
  })
}

function install(): void {
  process.on('exit', endAll)
  for (const signal of SIGNALS) process.on(signal, onSignal)
}

function uninstall(): void {
  process.off('exit', endAll)
  for (const signal of SIGNALS) process.off(signal, onSignal)
}

/** A host that handles the signal decides itself what it means; for one that does not, it means what it would without us. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return
  endAll()
  uninstall()
  process.kill(process.pid, signal)
}

/** Nothing can be waited for any more in an ordinary way, so the time to end well is short and spent asleep. */
function endAll(): void {
  // Those whose shutdown has begun had their chance.
  const polite = [...live].filter((child) => !child.stdin?.writableEnded)
  for (const child of polite) signalGroup(child, 'SIGTERM')
  if (polite.length > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_GRACE_MS)
  for (const child of live) signalGroup(child, 'SIGKILL')
}
