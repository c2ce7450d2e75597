import { readFileSync, writeFileSync } from 'node:fs'

/**
 * The highest resident size of this process since `watchPeak()`, less what it was then, in bytes. Linux keeps
 * that mark per address space and lets it be reset; elsewhere the mark of the whole life of the process is used.
 */
export function watchPeak() {
  try {
    writeFileSync('/proc/self/clear_refs', '5')
  } catch {}
  const before = process.memoryUsage.rss()
  return () => Math.max(0, peakBytes() - before)
}

function peakBytes() {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'))
    return Number(kib) * 1024
  } catch {
    return process.resourceUsage().maxRSS * 1024
  }
}
