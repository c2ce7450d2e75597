// What this package does, on servers of its own: npm run demo
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { connect } from 'mcp-switchboard'
import { bar, check, heading, line, table } from './show.mjs'

const switchboard = [process.execPath, fileURLToPath(new URL('../dist/cli.js', import.meta.url))]
const ERAS = { modern: '2026-07-28', legacy: '2025-11-25' }
const TOOLS = ['echo', 'add', 'slow', 'fail', 'media', 'log', 'ask', 'visit', 'summarize', 'workspace', 'job', 'broken']

let tableShown = false

/** Everything that one server is asked for. */
async function tour(target, era, transport) {
  const client = await connect(target)
  let closedMs
  try {
    line('server', `${client.serverInfo.title} ${client.serverInfo.version}`)
    check('speaks', [client.protocolVersion, client.transport], [ERAS[era], transport], `${ERAS[era]} over ${transport}`)

    const tools = await client.listTools()
    if (!tableShown) showTools(tools)
    tableShown = true
    const names = tools.map((tool) => tool.name)
    check('tools', names, TOOLS, `${names.length}, from ${names[0]} to ${names.at(-1)}`)

    let reports = 0
    const draw = bar('slow')
    const onProgress = (progress) => {
      reports++
      draw(progress)
    }
    const slow = await client.callTool('slow', { steps: 12, delayMs: 60 }, { onProgress })
    check('', [slow.text, reports], ['12 steps done', 12], `${slow.text}, ${reports} reports on the way`)

    const sum = await client.callTool('add', { a: 19, b: 23 })
    check('add', sum.structuredContent, { sum: 42 })
  } finally {
    const startedAt = performance.now()
    await client.close()
    closedMs = Math.round(performance.now() - startedAt)
  }
  // A server that did not end by itself would have been given two seconds.
  check('close', [client.state, closedMs < 2_000], ['closed', true], `in ${closedMs} ms`)
}

function showTools(tools) {
  const rows = tools.map(({ name, inputSchema, description }) => {
    const { properties = {}, required = [] } = inputSchema
    const args = Object.keys(properties).map((key) => (required.includes(key) ? key : `[${key}]`))
    return [name, args.join(' '), description]
  })
  console.log()
  table([['TOOL', 'ARGUMENTS', 'DESCRIPTION'], ...rows])
  console.log()
}

/** Starts the demo server over HTTP; its URL is the first line that it prints. */
async function overHttp(era, visit) {
  const [command, ...args] = [...switchboard, 'serve-demo', '--http', '--era', era]
  const server = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(server, 'exit')
  try {
    const [url] = await Promise.race([once(createInterface(server.stdout), 'line'), exited])
    await visit(url)
  } finally {
    server.kill('SIGTERM')
  }
  const [exitCode] = await exited
  check('server', exitCode, 0, 'ended with exit code 0')
}

/** A server that nobody here wrote, from the npm registry. */
async function filesystem() {
  const name = '@modelcontextprotocol/server-filesystem'
  heading(`${name}, from the npm registry`)
  try {
    await promisify(execFile)('npm', ['view', name, 'version'], { timeout: 3_000, shell: process.platform === 'win32' })
  } catch (error) {
    return line('skipped', error.killed ? 'the npm registry did not answer within 3 s' : 'the npm registry cannot be reached')
  }
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'switchboard-')))
  // npm is told by variables which registry and which proxy to use.
  const client = await connect({ command: 'npx', args: ['-y', name, folder], inheritEnv: true })
  try {
    line('server', `${client.serverInfo.name} ${client.serverInfo.version}`)
    line('protocol', client.protocolVersion)
    const tools = await client.listTools()
    line('tools', `${tools.length}, among them write_file and read_text_file`)
    const path = join(folder, 'hello.txt')
    await client.callTool('write_file', { path, content: 'Hello from the switchboard.' }, { throwOnToolError: true })
    check('on disk', await readFile(path, 'utf8'), 'Hello from the switchboard.')
    check('read back', (await client.callTool('read_text_file', { path })).text, 'Hello from the switchboard.')
  } finally {
    await client.close()
    await rm(folder, { recursive: true })
  }
}

async function main() {
  for (const era of Object.keys(ERAS)) {
    heading(`A child process on stdio, ${era} era`)
    await tour([...switchboard, 'serve-demo', '--era', era], era, 'stdio')
    heading(`The same server over HTTP, ${era} era`)
    await overHttp(era, (url) => tour(url, era, 'streamable-http'))
  }
  await filesystem()
  console.log('\nEverything did what it says.')
}

main().catch((error) => {
  console.error(`\nThe demo failed: ${error.message}`)
  process.exitCode = 1
})
