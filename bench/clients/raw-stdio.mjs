/** Bare JSON-RPC over the pipes of a child process: one decoder, lines cut from the new chunk only, a map of what is open. */
import { bareClient, resultOf } from './wire.mjs'

export async function open({ command, era }) {
  const { spawn } = await import('node:child_process')
  const child = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] })
  const pending = new Map()
  const listeners = new Map()
  let nextId = 0

  function receive(line) {
    const message = JSON.parse(line)
    if ('method' in message) {
      listeners.get(message.params.progressToken)?.(message.params)
      return
    }
    const resolve = pending.get(message.id)
    pending.delete(message.id)
    resolve(resultOf(message))
  }

  let rest = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (chunk) => {
    let end = chunk.indexOf('\n')
    if (end === -1) {
      rest += chunk
      return
    }
    receive(rest + chunk.slice(0, end))
    let start = end + 1
    for (end = chunk.indexOf('\n', start); end !== -1; end = chunk.indexOf('\n', start)) {
      receive(chunk.slice(start, end))
      start = end + 1
    }
    rest = chunk.slice(start)
  })

  return bareClient(era, {
    request(method, params, onProgress, token) {
      const id = nextId++
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      const answered = new Promise((resolve) => pending.set(id, resolve))
      if (onProgress === undefined) return answered
      listeners.set(token, onProgress)
      return answered.finally(() => listeners.delete(token))
    },
    notify(method) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`)
    },
    close() {
      return new Promise((resolve) => {
        child.on('exit', resolve)
        child.stdin.end()
      })
    },
  })
}
