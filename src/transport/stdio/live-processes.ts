import type { ChildProcess } from 'node:child_process'
import { signalGroup } from './shutdown.ts'

const live = new Set<ChildProcess>()

/** Ends the processes that are still running when this one exits. The exit hook stands only while there is one. */
export function trackUntilExit(child: ChildProcess): void {
  if (live.size === 0) process.on('exit', endAll)
  live.add(child)
  child.once('exit', () => {
    live.delete(child)
    if (live.size === 0) process.off('exit', endAll)
  })
}

function endAll(): void {
  // One whose shutdown has begun had its chance.
  for (const child of live) signalGroup(child, child.stdin?.writableEnded ? 'SIGKILL' : 'SIGTERM')
}
