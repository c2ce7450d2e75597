// A server process that does nothing itself: its stdin and stdout are joined to a socket of the test. `node relay.mjs <port> <name> [deaf]`.
// `deaf` stays when it is asked to end. A socket that is reset is the death of the server, one that ends is the end of its stdout.
import { closeSync, writeSync } from 'node:fs'
import { connect } from 'node:net'

const [port, name, manner] = process.argv.slice(2)
if (manner === 'deaf') process.on('SIGTERM', () => {})
// Whatever happens to the test, nothing stays behind for long.
setTimeout(() => process.exit(9), 30_000).unref()

const socket = connect({ host: '127.0.0.1', port: Number(port), allowHalfOpen: true })
let ended = false
socket.write(`${name} ${process.pid}\n`)
socket.on('data', (chunk) => {
  try {
    writeSync(1, chunk)
  } catch {
    process.exit(1)
  }
})
socket.on('end', () => {
  if (ended) process.exit(0)
  else closeSync(1)
})
socket.on('error', () => process.exit(1))
process.stdin.on('data', (chunk) => socket.write(chunk))
process.stdin.on('end', () => {
  ended = true
  socket.end()
  if (socket.readableEnded && manner !== 'deaf') process.exit(0)
})
