import type { ChildProcess } from 'node:child_process'

/** How often we look whether a process group is empty. */
const POLL_MS = 20

/**
 * Ends a server process and all that it started: stdin closed, then SIGTERM, then SIGKILL, each given `graceMs`. A process that ends at once
 * costs no wait. Resolves when the process is gone and its group is empty or killed.
 * @see spec basic/transports/stdio, shutdown
 */
export async function endProcess(child: ChildProcess, graceMs: number): Promise<void> {
  child.stdin?.end()
  if (await groupEnds(child, graceMs, false)) return
  signalGroup(child, 'SIGTERM')
  if (await groupEnds(child, graceMs, true)) return
  signalGroup(child, 'SIGKILL')
  await groupEnds(child, graceMs, true)
}

/** Signals the process and its children; a group that is gone already is fine. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    child.kill(signal)
  }
}

/**
 * Waits until the process has ended and, with `all`, its group too. Without `all`, the end of the leader is enough to stop waiting, and what
 * it left behind counts as not ended.
 */
async function groupEnds(child: ChildProcess, graceMs: number, all: boolean): Promise<boolean> {
  const until = performance.now() + graceMs
  while (performance.now() < until) {
    const ended = child.exitCode !== null || child.signalCode !== null
    if (ended && !groupAlive(child)) return true
    if (ended && !all) return false
    await exitOrPoll(child, ended)
  }
  return (child.exitCode !== null || child.signalCode !== null) && !groupAlive(child)
}

function groupAlive(child: ChildProcess): boolean {
  if (child.pid === undefined || process.platform === 'win32') return false
  try {
    process.kill(-child.pid, 0)
    return true
  } catch {
    return false
  }
}

function exitOrPoll(child: ChildProcess, ended: boolean): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      child.off('exit', done)
      resolve()
    }
    const timer = setTimeout(done, POLL_MS)
    if (!ended) child.once('exit', done)
  })
}
