/** One running `measure.mjs`: ready when this resolves, then asked for slices one at a time, each under a deadline. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { reasonIn } from './reason.mjs'

const MEASURE = fileURLToPath(new URL('../measure.mjs', import.meta.url))
const running = new Set()

/** Ends what is left when the benchmark itself ends early. */
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export async function startClient({ node, client, scenario, target, params, deadlineMs }) {
  const child = spawn(node, ['--expose-gc', MEASURE, JSON.stringify({ client, scenario, target, params })], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  running.add(child)
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr = (stderr + text).slice(-4000)
  })
  const exited = new Promise((resolve) => {
    child.on('error', resolve)
    child.on('exit', resolve)
  }).finally(() => running.delete(child))
  // A client that has died is told by its exit; a write to it must not end the benchmark.
  child.stdin.on('error', () => {})

  const waiting = []
  let ended = false
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.resolve(JSON.parse(line)))
  exited.then(() => {
    ended = true
    for (const { reject } of waiting.splice(0)) reject(new Error(`${client} ended: ${reasonIn(stderr)}`))
  })

  function next() {
    // It may also have died between two slices, when nobody waited.
    if (ended) return Promise.reject(new Error(`${client} ended: ${reasonIn(stderr)}`))
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        child.kill('SIGKILL')
        reject(new Error(`${client} took longer than ${deadlineMs / 1000} s`))
      }, deadlineMs)
      const settle = (then) => (value) => {
        clearTimeout(timer)
        then(value)
      }
      waiting.push({ resolve: settle(resolve), reject: settle(reject) })
    })
  }

  const { node: version } = await next()
  return {
    version,
    async slice(key) {
      child.stdin.write(`${JSON.stringify({ key })}\n`)
      const { numbers } = await next()
      return numbers
    },
    async end() {
      child.stdin.end()
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await exited
      clearTimeout(timer)
    },
  }
}
