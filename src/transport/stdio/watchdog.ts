import { type ChildProcess, spawn } from 'node:child_process'

/** How long a server has between SIGTERM and SIGKILL once this process is gone. */
const GRACE_MS = 2_000

/**
 * What the watchdog process runs: it is told the process groups to watch on stdin, and when stdin ends, because this process is gone in
 * whatever way, it ends those that are left.
 */
const SCRIPT = `
const groups = new Set()
let rest = ''
const signal = (name) => {
  for (const group of groups) try { process.kill(-group, name) } catch { groups.delete(group) }
}
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n')
  rest = lines.pop()
  for (const line of lines) line[0] === '+' ? groups.add(Number(line.slice(1))) : groups.delete(Number(line.slice(1)))
})
process.stdin.on('end', () => {
  signal('SIGTERM')
  setTimeout(() => signal('SIGKILL'), groups.size === 0 ? 0 : ${GRACE_MS})
})
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {})
`

let watchdog: ChildProcess | undefined
let watched = 0

/** Has the process ended even when this one is killed. One watchdog process serves all; it goes with the last of them. */
export function watch(child: ChildProcess): void {
  const { pid } = child
  if (pid === undefined || process.platform === 'win32') return
  watchdog ??= start()
  watched++
  watchdog.stdin?.write(`+${pid}\n`)
  child.once('exit', () => {
    watchdog?.stdin?.write(`-${pid}\n`)
    if (--watched > 0) return
    watchdog?.stdin?.end()
    watchdog = undefined
  })
}

function start(): ChildProcess {
  const dog = spawn(process.execPath, ['-e', SCRIPT], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  })
  dog.on('error', () => {})
  dog.stdin.on('error', () => {})
  dog.unref()
  if ('unref' in dog.stdin && typeof dog.stdin.unref === 'function') dog.stdin.unref()
  return dog
}
