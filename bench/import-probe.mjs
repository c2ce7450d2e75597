/**
 * What it costs to import these specifiers, over a bare Node that has started: `node --expose-gc import-probe.mjs specifier …`.
 * Counted inside the process, because starting Node costs several times as much and varies by more than a small package weighs.
 */
import process from 'node:process'
import { start } from './scenarios/clock.mjs'

const heap = () => {
  globalThis.gc()
  return process.memoryUsage().heapUsed
}

// The loader's own first dynamic import.
await import('./scenarios/memory-peak.mjs')
const before = heap()
const stop = start()
for (const specifier of process.argv.slice(2)) await import(specifier)
const times = stop()
const heapMb = (heap() - before) / 1e6
process.stdout.write(`${JSON.stringify({ node: process.version, numbers: { ...times, heapMb } })}\n`)
