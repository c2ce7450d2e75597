// A host with a call in flight. `node host-process.mjs stubborn|polite [throw] [watchdog]` prints the process ids of its server and of the
// server's child. Runs from the build, as a user's program does.
import { connect } from '../../dist/index.js'

const [manner, ...rest] = process.argv.slice(2)
const stubborn = `
  const { spawn } = require('node:child_process')
  const idle = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'
  const child = spawn(process.execPath, ['-e', idle], { stdio: 'ignore' })
  process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); setInterval(() => {}, 1000)
  const more = child.pid
`
const polite = "const more = process.pid; process.stdin.on('end', () => process.exit(0))"
const server = `
  ${manner === 'stubborn' ? stubborn : polite}
  const send = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
  let rest = ''
  process.stdin.on('data', (chunk) => {
    const lines = (rest + chunk).split('\\n')
    rest = lines.pop()
    for (const line of lines) {
      const { id, method, params } = JSON.parse(line)
      if (method === 'initialize') send(id, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } })
      else if (method === 'tools/call' && params.name === 'pids') send(id, { content: [{ type: 'text', text: process.pid + ' ' + more }] })
    }
  })
`
const client = await connect([process.execPath, '-e', server], { era: 'legacy', watchdog: rest.includes('watchdog') })
const { text } = await client.callTool('pids')
client.callTool('hang').catch(() => {})
// Two processes' start is behind us; the watchdog's is not necessarily.
setTimeout(() => {
  console.log(text)
  if (rest.includes('throw')) throw new Error('a crash on purpose')
}, 300)
