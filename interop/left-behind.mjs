// What a closed client may not leave: processes that it started, sockets that it opened.
import { readdirSync, readFileSync } from 'node:fs'

/** Parent of every process, where the system has /proc. */
function parents() {
  const found = new Map()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (state !== 'Z') found.set(Number(name), Number(parent))
    } catch {
      // It ended while we looked.
    }
  }
  return found
}

/** The processes below this one. */
export function descendants(root = process.pid) {
  const all = parents()
  const below = new Set([root])
  for (let grown = true; grown; ) {
    grown = false
    for (const [pid, parent] of all) {
      if (!below.has(parent) || below.has(pid)) continue
      below.add(pid)
      grown = true
    }
  }
  below.delete(root)
  return below
}

/** Which of these are still alive. */
export function alive(pids) {
  const all = parents()
  return [...pids].filter((pid) => all.has(pid))
}

/** Open sockets of this process. */
export function openSockets() {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length
}
