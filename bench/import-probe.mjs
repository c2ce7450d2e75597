/**
 * What a process costs that imports these specifiers and ends: `node --expose-gc import-probe.mjs [specifier …]`. Compared
 * with the same process without any. Wall counts from the start of the process; heap is what stays after a collection.
 */
import process from 'node:process'

for (const specifier of process.argv.slice(2)) await import(specifier)
const wall = performance.now()
const { user, system } = process.cpuUsage()
globalThis.gc()
const heapMb = process.memoryUsage().heapUsed / 1e6
process.stdout.write(`${JSON.stringify({ node: process.version, numbers: { cpu: (user + system) / 1e3, wall, heapMb } })}\n`)
