import { describe, expect, it } from 'vitest'
import { ConnectionError, McpError, ToolResult } from '../../src/index.ts'
import { alive, child } from '../support/child-servers.ts'
import { connected } from '../support/connected.ts'
import { legacyServer, SILENCE, TEXT_RESULT } from '../support/fake-server.ts'
import { rejection, turns, until } from '../support/settled.ts'

const GRACE = { shutdownGraceMs: 100 } as const

describe('a bad server process', () => {
  it.each([
    ['lines that are no JSON', `raw('<!doctype html>\\nServer ready\\n')`],
    ['JSON that is no JSON-RPC', `raw('{"hello":"world"}\\n[1,2]\\n"x"\\n')`],
    ['an answer to nobody, twice', `for (let i = 0; i < 2; i++) send({ jsonrpc: '2.0', id: 99, result: {} })`],
    ['an error for nothing', `send({ jsonrpc: '2.0', error: { code: -32700, message: 'parse' } })`],
    ['nested arrays without end', `raw('['.repeat(100000) + ']'.repeat(100000) + '\\n')`],
  ])('that writes %s before and between answers is connected to and called', async (_what, noise) => {
    const client = await connected(
      child(
        `${noise}; legacy('2025-11-25', { tools: {}, prompts: null }); tools((m) => { ${noise}; send({ jsonrpc: '2.0', id: m.id, result: text('ok') }); ${noise} })`,
      ),
      GRACE,
    )
    expect((await client.callTool('x')).text).toBe('ok')
    expect((await client.callTool('x')).text).toBe('ok')
  })

  it('that answers with too long a line fails that call only', async () => {
    const client = await connected(child(`modern(); tools((m) => text('x'.repeat(m.params.arguments.n)))`), {
      ...GRACE,
      limits: { maxMessageBytes: 100_000 },
    })
    const [big, small] = await Promise.all([rejection(client.callTool('x', { n: 200_000 })), client.callTool('x', { n: 10 })])
    expect(big).toMatchObject({ code: 'ERR_MCP_TOO_LARGE', limit: 'maxMessageBytes', outcome: 'unknown', method: 'tools/call' })
    expect(small.text).toBe('x'.repeat(10))
    expect((await client.callTool('x', { n: 20 })).text).toBe('x'.repeat(20))
  })

  it('that carries 20 MB in one result is heard whole', async () => {
    const client = await connected(child(`modern(); tools((m) => text('é'.repeat(10 * 1024 * 1024)))`), GRACE)
    expect((await client.callTool('x')).text.length).toBe(10 * 1024 * 1024)
  })

  it.each([
    ['at once', `console.error('no licence'); process.exit(3)`],
    ['at the first line', `onMessage = () => { console.error('no licence'); process.exit(3) }`],
    ['at the greeting', `onMessage = (m) => { if (m.method === 'initialize') { console.error('no licence'); process.exit(3) } }`],
  ])('that ends %s is named with its code and last words, within a second of it', { retry: 2 }, async (_when, script) => {
    const started = performance.now()
    const error = await rejection(connected(child(script), GRACE))
    expect(performance.now() - started).toBeLessThan(4_000)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ reason: { kind: 'exit', exitCode: 3, stderr: 'no licence' } })
    expect((error as Error).message).toMatch(/exited with code 3.*no licence/)
  })

  it('that ends at the probe is started once more, and not again; what it was is remembered', async () => {
    const script = `console.error('start'); onMessage = (m) => { if (m.method === 'server/discover') process.exit(1) }; legacy('2025-03-26'); tools(() => text(process.pid))`
    const starts: string[] = []
    const open = () => connected(child(script), { ...GRACE, stderr: (line) => starts.push(line) })
    const client = await open()
    expect(client.protocolVersion).toBe('2025-03-26')
    expect(alive(Number((await client.callTool('x')).text))).toBe(true)
    expect(starts).toEqual(['start', 'start'])
    await open()
    await until(() => starts.length === 3)
  })

  it('that ends each time is started twice in all', async () => {
    const starts: string[] = []
    const error = await rejection(
      connected(child(`console.error('start'); process.exit(4)`), { ...GRACE, stderr: (line) => starts.push(line) }),
    )
    expect(error).toMatchObject({ reason: { exitCode: 4 } })
    expect(starts).toEqual(['start', 'start'])
  })

  it('that is silent to the probe is one process', async () => {
    const starts: string[] = []
    const client = await connected(child(`console.error('start'); silent = true; legacy('2024-11-05')`), {
      ...GRACE,
      probeTimeoutMs: 150,
      stderr: (line) => starts.push(line),
    })
    expect(client.protocolVersion).toBe('2024-11-05')
    expect(starts).toEqual(['start'])
  })

  it('that ends during a call rejects all that wait, at once', { retry: 2 }, async () => {
    const client = await connected(
      child(`modern(); tools((m) => { if (m.params.name === 'die') { console.error('out of memory'); process.exit(137) } })`),
      GRACE,
    )
    const waiting = rejection(client.callTool('wait'))
    await turns()
    const started = performance.now()
    const error = await rejection(client.callTool('die'))
    expect(performance.now() - started).toBeLessThan(1_000)
    for (const each of [error, await waiting]) {
      expect(each).toMatchObject({ code: 'ERR_MCP_CONNECTION', outcome: 'unknown', reason: { exitCode: 137, stderr: 'out of memory' } })
    }
    expect(client.state).toBe('closed')
  })

  it('that cannot be started says so, and nothing was sent', async () => {
    expect(await rejection(connected(['no-such-command-here']))).toMatchObject({
      outcome: 'not-run',
      reason: { kind: 'spawn', errno: 'ENOENT' },
    })
  })

  it('that stays silent is given up at the time for connecting, and is gone then', async () => {
    const pids: number[] = []
    const error = await rejection(
      connected(child(`console.error(process.pid); silent = true`), {
        ...GRACE,
        connectTimeoutMs: 600,
        probeTimeoutMs: 200,
        stderr: (line) => pids.push(Number(line)),
      }),
    )
    expect(error).toMatchObject({ code: 'ERR_MCP_TIMEOUT' })
    expect(pids).toHaveLength(1)
    await until(() => !alive(pids[0] ?? 0))
  })

  it('with a grandchild that will not go rejects a failed handshake within a second', { retry: 2 }, async () => {
    const script = `
      const kid = require('child_process').spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setTimeout(() => {}, 20000); console.log('up')"], { stdio: ['ignore', 'pipe', 'ignore'] });
      silent = true;
      kid.stdout.once('data', () => { console.error(kid.pid); process.exit(1) });`
    let kid = 0
    let exited = 0
    const error = await rejection(
      connected(child(script), {
        era: 'legacy',
        stderr: (line) => {
          kid = Number(line)
          exited = performance.now()
        },
      }),
    )
    expect(performance.now() - exited).toBeLessThan(1_500)
    expect(error).toMatchObject({ reason: { kind: 'exit', exitCode: 1 } })
    await until(() => !alive(kid), 'the end of the grandchild', 6_000)
  })
})

describe('a bad server in this process', () => {
  it.each([
    ['an unknown kind of content', { content: [{ type: 'hologram' }, { type: 'text', text: 'x' }] }],
    [
      'null in optional places',
      { content: [{ type: 'text', text: 'x', annotations: null, _meta: null }], isError: null, _meta: null, resultType: null },
    ],
    ['content that is null', { content: null }],
    ['no content', {}],
    ['null among content', { content: [null] }],
  ])('may answer with %s', async (_what, result) => {
    const client = await connected(legacyServer({ 'tools/call': () => result }))
    const answer = await client.callTool('x')
    expect(answer).toBeInstanceOf(ToolResult)
    expect(answer.isError).toBe(false)
    expect(typeof answer.text).toBe('string')
  })

  it.each([
    ['a result that is a text', 'x'],
    ['a result that is a list', []],
  ])('ends one call with one typed error by %s', async (_what, result) => {
    let bad = true
    const client = await connected(legacyServer({ 'tools/call': () => (bad ? result : TEXT_RESULT) }))
    const error = await rejection(client.callTool('x'))
    expect(error).toBeInstanceOf(McpError)
    expect(error).toMatchObject({ code: 'ERR_MCP_PROTOCOL' })
    bad = false
    expect((await client.callTool('x')).text).toBe('done')
  })

  it('that never answers costs a call its deadline and nothing else', async () => {
    const client = await connected(legacyServer({ 'tools/call': ({ params }) => (params.name === 'never' ? SILENCE : TEXT_RESULT) }))
    const [error, result] = await Promise.all([rejection(client.callTool('never', {}, { timeoutMs: 20 })), client.callTool('x')])
    expect(error).toMatchObject({ code: 'ERR_MCP_TIMEOUT', outcome: 'unknown' })
    expect(result.text).toBe('done')
  })
})
