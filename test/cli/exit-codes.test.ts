import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { alive, child } from '../support/child-servers.ts'
import { errorOf, start, switchboard } from './switchboard.ts'

let folder: string
let server: Server | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchboard-cli-'))
})

afterEach(() => {
  server?.close()
  server?.closeAllConnections()
  server = undefined
  rmSync(folder, { recursive: true })
})

async function listen(handle: RequestListener): Promise<string> {
  const made = createServer(handle)
  server = made
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  const address = made.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/mcp`
}

/** A server whose tool `work` does this; it writes its process id and what it receives to a file. */
function watched(work: string): string[] {
  return child(`
    const { appendFileSync } = require('node:fs')
    const log = ${JSON.stringify(join(folder, 'log'))}
    appendFileSync(log, process.pid + '\\n')
    onMessage = (message) => appendFileSync(log, JSON.stringify(message) + '\\n')
    legacy()
    on('tools/list', () => ({ tools: [{ name: 'work', inputSchema: { type: 'object' } }] }))
    tools((message) => { ${work} })
  `)
}

function seen(): { pid: number; methods: unknown[] } {
  const [pid, ...lines] = readFileSync(join(folder, 'log'), 'utf8').trimEnd().split('\n')
  return { pid: Number(pid), methods: lines.map((line) => JSON.parse(line).method) }
}

describe('the exit code says how a command ended', () => {
  it('0: the tool gave its result', async () => {
    expect(await switchboard(['call', 'demo', 'echo', 'message=hi'])).toEqual({ code: 0, stdout: 'hi\n', stderr: '' })
  })

  it('2: there is no such tool, and the closest name is told', async () => {
    const ended = await switchboard(['call', 'demo', 'ecko', 'message=hi', '--json'])
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(errorOf(ended)).toMatchObject({ code: 'ERR_MCP_NOT_FOUND', server: 'demo', tool: 'ecko', outcome: 'not-run' })
    expect(String(errorOf(ended).message)).toContain('"echo"')
  })

  it.each([
    ['no command', []],
    ['an unknown command', ['tool', 'demo']],
    ['an unknown option', ['tools', 'demo', '--jsno']],
    ['no target', ['tools']],
    ['no tool', ['call', 'demo']],
    ['a target that is none', ['tools', './server']],
    ['a scheme that names no server', ['tools', 'ftp://example.com']],
    ['nothing behind the dashes', ['tools', '--']],
    ['a URL behind the dashes', ['tools', '--', 'https://example.com/mcp']],
    ['one word too many', ['tools', 'demo', 'more']],
    ['an option for another kind of server', ['tools', 'demo', '--header', 'a: b']],
    ['an era that does not exist', ['tools', 'demo', '--era', '1999-01-01']],
    ['a time that is none', ['tools', 'demo', '--timeout-ms', 'soon']],
    ['a header without a colon', ['tools', 'http://127.0.0.1:1/mcp', '--header', 'a']],
    ['a value that does not fit its type', ['call', 'demo', 'add', 'a=1', 'b=two']],
    ['an argument that is missing', ['call', 'demo', 'add', 'a=1']],
    ['a word that is no argument', ['call', 'demo', 'echo', 'hi']],
    ['a port without HTTP', ['serve-demo', '--port', '1']],
  ])('2: %s', async (_what, words) => {
    const ended = await switchboard([
      ...words.filter((word) => word !== '--'),
      '--json',
      ...(words.includes('--') ? words.slice(words.indexOf('--')) : []),
    ])
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(errorOf(ended)).toMatchObject({ outcome: 'not-run', retryable: false })
  })

  it.each([401, 403])('3: the server answers %i', async (status) => {
    const url = await listen((_request, response) => response.writeHead(status, { 'www-authenticate': 'Bearer' }).end())
    const ended = await switchboard(['tools', url, '--json'])
    expect(ended).toMatchObject({ code: 3, stdout: '' })
    expect(errorOf(ended)).toMatchObject({ outcome: 'not-run' })
    expect(String(errorOf(ended).hint)).toContain('--header')
  })

  it('4: nothing listens at the URL', async () => {
    const url = await listen(() => {})
    await new Promise((resolve) => server?.close(resolve))
    const ended = await switchboard(['call', url, 'echo', 'message=hi', '--json'])
    expect(ended).toMatchObject({ code: 4, stdout: '' })
    expect(errorOf(ended)).toMatchObject({ code: 'ERR_MCP_CONNECTION', tool: 'echo', outcome: 'not-run' })
  })

  it('4: the command does not exist, or ends before it speaks', async () => {
    expect(await switchboard(['tools', '--', 'switchboard-no-such-command'])).toMatchObject({ code: 4, stdout: '' })
    const ended = await switchboard(['tools', '--', process.execPath, '-e', 'console.error("no key is set"); process.exit(3)'])
    expect(ended).toMatchObject({ code: 4, stdout: '' })
    expect(ended.stderr).toContain('exited with code 3')
    expect(ended.stderr).toContain('no key is set')
  })

  it('5: the tool ran and failed; its text is the result', async () => {
    const text = await switchboard(['call', 'demo', 'fail'])
    expect(text).toMatchObject({ code: 5, stdout: 'this tool always fails\n' })
    const json = await switchboard(['call', 'demo', 'fail', '--json'])
    expect(json.code).toBe(5)
    expect(JSON.parse(json.stdout)).toMatchObject({ isError: true })
    expect(errorOf(json)).toMatchObject({ code: 'ERR_MCP_TOOL', tool: 'fail', outcome: 'answered' })
  })

  it('9: the server dies during the call', async () => {
    const ended = await switchboard(['call', 'work', '--json', '--', ...watched('process.exit(7)')])
    expect(ended).toMatchObject({ code: 9, stdout: '' })
    expect(errorOf(ended)).toMatchObject({ code: 'ERR_MCP_CONNECTION', tool: 'work', outcome: 'unknown' })
  })

  it('9: no answer comes in time', async () => {
    const ended = await switchboard(['call', 'work', '--timeout-ms', '200', '--json', '--', ...watched('')])
    expect(ended).toMatchObject({ code: 9, stdout: '' })
    expect(errorOf(ended)).toMatchObject({ code: 'ERR_MCP_TIMEOUT', outcome: 'unknown' })
    expect(seen().methods).toContain('notifications/cancelled')
    expect(alive(seen().pid)).toBe(false)
  })

  it('1: the server refuses the call with an error of its own', async () => {
    const refuse = 'send({ jsonrpc: "2.0", id: message.id, error: { code: -32000, message: "not today" } })'
    const ended = await switchboard(['call', 'work', '--json', '--', ...watched(refuse)])
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(errorOf(ended)).toMatchObject({ code: 'ERR_MCP_RPC', rpcCode: -32000, outcome: 'answered' })
  })

  it.each(['SIGINT', 'SIGTERM'] as const)(
    '130: %s during a call, which the server is told of, and whose process is gone',
    async (signal) => {
      const running = start(['call', 'work', '--verbose', '--json', '--', ...watched('process.stderr.write("at work\\n")')])
      await running.shows('at work')
      running.process.kill(signal)
      const ended = await running.ended
      expect(ended).toMatchObject({ code: 130, stdout: '' })
      expect(errorOf(ended)).toMatchObject({ code: 'ERR_INTERRUPTED', outcome: 'unknown' })
      expect(seen().methods.at(-1)).toBe('notifications/cancelled')
      expect(alive(seen().pid)).toBe(false)
    },
  )

  it('130: a second Ctrl-C does not wait for a server that will not end', async () => {
    const stubborn = 'setInterval(() => {}, 1_000); process.on("SIGTERM", () => {}); process.stderr.write("at work\\n")'
    const running = start(['call', 'work', '--verbose', '--', ...watched(stubborn)])
    await running.shows('at work')
    running.process.kill('SIGINT')
    await running.shows('Ctrl-C again')
    running.process.kill('SIGINT')
    const { code, stderr } = await running.ended
    expect(code).toBe(130)
    // Ended at once, it has no time left to report anything.
    expect(stderr).not.toContain('interrupted')
    await expect.poll(() => alive(seen().pid)).toBe(false)
  })

  it('130: Ctrl-C while it connects ends the server process', async () => {
    const log = JSON.stringify(join(folder, 'log'))
    const silent = [
      '-e',
      `require('node:fs').appendFileSync(${log}, process.pid + '\\n'); process.stdin.resume(); console.error('started')`,
    ]
    const running = start(['tools', '--verbose', '--', process.execPath, ...silent])
    await running.shows('started')
    running.process.kill('SIGINT')
    expect((await running.ended).code).toBe(130)
    expect(alive(seen().pid)).toBe(false)
  })
})
