import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { type ConnectOptions, connect } from '../../src/index.ts'
import { answerTo } from '../support/legacy-http.ts'
import { cleanUp, type Seen, serve } from '../unit/transport/http/stand-in.ts'

type Fault = (seen: Seen, res: ServerResponse) => void

const status =
  (code: number, headers: Record<string, string> = {}): Fault =>
  (_seen, res) =>
    void res.writeHead(code, headers).end()
const cut: Fault = (seen) => void seen.socket.destroy()

/** A server that fails the first requests of one method as told, and answers everything else. */
async function failing(method: string, ...faults: Fault[]) {
  const { url, seen } = await serve((one, res) => {
    const { message } = one
    if (message === undefined) return void res.writeHead(405).end()
    const fault = message.method === method ? faults.shift() : undefined
    if (fault !== undefined) return fault(one, res)
    const answer = answerTo({ ...message }, '2025-11-25')
    if (answer === undefined) return void res.writeHead(202).end()
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(answer)
  })
  return { url, times: (name: string) => seen.filter((each) => each.message?.method === name).length }
}

async function client(url: string, options: ConnectOptions = {}) {
  const connected = await connect(url, { era: 'legacy', retryBackoffMs: 10, logger: false, ...options })
  cleanUp(() => connected.close())
  return connected
}

describe('a passing failure', () => {
  it('costs nothing but time: a list after two 503 is there, three requests were sent', async () => {
    const { url, times } = await failing('tools/list', status(503), status(503))
    const tools = await (await client(url)).listTools()
    expect(tools.map((tool) => tool.name)).toEqual(['echo'])
    expect(times('tools/list')).toBe(3)
  })

  it('of more requests than retries allow is told after the last', async () => {
    const { url, times } = await failing('tools/list', ...Array.from({ length: 9 }, () => status(503)))
    await expect((await client(url, { retries: 2 })).listTools()).rejects.toMatchObject({ code: 'ERR_MCP_HTTP', status: 503 })
    expect(times('tools/list')).toBe(3)
  })

  it('of the handshake is none: the first connection is destroyed, the second greets', async () => {
    const { url, times } = await failing('initialize', cut)
    expect((await client(url)).protocolVersion).toBe('2025-11-25')
    expect(times('initialize')).toBe(2)
  })

  it.each<[string, Fault]>([
    ['503', status(503)],
    ['a cut connection', cut],
  ])('of a tool call is told at once, since it may have run: %s', async (_what, fault) => {
    const { url, times } = await failing('tools/call', fault)
    await expect((await client(url)).callTool('echo')).rejects.toMatchObject({ outcome: 'unknown' })
    expect(times('tools/call')).toBe(1)
  })

  it('of a tool call that the caller lets run twice is mended', async () => {
    const { url, times } = await failing('tools/call', cut)
    expect((await (await client(url)).callTool('echo', {}, { resend: 'always' })).isError).toBe(false)
    expect(times('tools/call')).toBe(2)
  })

  it('429 waits as long as the server says, for a tool call too, because it did not run', async () => {
    const { url, times } = await failing('tools/call', status(429, { 'Retry-After': '1' }))
    const began = performance.now()
    await (await client(url)).callTool('echo')
    expect(performance.now() - began).toBeGreaterThanOrEqual(1_000)
    expect(times('tools/call')).toBe(2)
  })

  it('429 with more patience asked for than the call has is told at once, with the delay', async () => {
    const { url, times } = await failing('tools/call', status(429, { 'Retry-After': '3600' }))
    const rejected = (await client(url)).callTool('echo', {}, { timeoutMs: 1_000 })
    await expect(rejected).rejects.toMatchObject({ status: 429, outcome: 'not-run', details: { retryAfterMs: 3_600_000 } })
    expect(times('tools/call')).toBe(1)
  })

  it.each([400, 404, 500])('is none: %i is told at once', async (code) => {
    const { url, times } = await failing('tools/list', status(code), status(code))
    const answer = (await client(url, { retries: code === 500 ? 0 : 3 })).listTools()
    await expect(answer).rejects.toMatchObject({ code: 'ERR_MCP_HTTP', status: code })
    expect(times('tools/list')).toBe(1)
  })

  it('is ended by the caller while it is waited out', async () => {
    const { url } = await failing('tools/call', status(429, { 'Retry-After': '20' }))
    const connected = await client(url)
    const controller = new AbortController()
    const call = connected.callTool('echo', {}, { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('enough')), 50)
    await expect(call).rejects.toThrow('enough')
  })
})

/** A server with sessions, which it can forget. */
async function forgetting() {
  const runs = new Map<string, number>()
  let sessions = 0
  let current: string | undefined
  const { url, seen } = await serve((one, res) => {
    const { message } = one
    if (message === undefined) return void res.writeHead(one.method === 'DELETE' ? 204 : 405).end()
    const headers: Record<string, string> = { 'Content-Type': 'application/json' }
    if (message.method === 'initialize') {
      current = `session-${++sessions}`
      headers['Mcp-Session-Id'] = current
    } else if (one.headers['mcp-session-id'] !== current) {
      return void res.writeHead(404).end()
    }
    if (message.method === 'tools/call') {
      const { key } = (message.params as { arguments: { key: string } }).arguments
      runs.set(key, (runs.get(key) ?? 0) + 1)
    }
    const answer = answerTo({ ...message }, '2025-11-25')
    if (answer === undefined) res.writeHead(202).end()
    else res.writeHead(200, headers).end(answer)
  })
  return {
    url,
    runs,
    seen,
    forget: () => {
      current = undefined
    },
  }
}

describe('a session that the server forgot', () => {
  it('is replaced once for fifty calls at once, and each call runs once', async () => {
    const { url, runs, seen, forget } = await forgetting()
    const connected = await client(url)
    forget()
    const keys = Array.from({ length: 50 }, (_, index) => `call-${index}`)
    await Promise.all(keys.map((key) => connected.callTool('echo', { key })))
    expect(seen.filter((each) => each.message?.method === 'initialize')).toHaveLength(2)
    expect(keys.map((key) => runs.get(key))).toEqual(keys.map(() => 1))
    expect(connected.state).toBe('ready')
  })

  it('is told in the state, with its reason', async () => {
    const { url, forget } = await forgetting()
    const connected = await client(url)
    const states: string[] = []
    connected.on('state', ({ state }) => states.push(state))
    forget()
    await connected.listTools()
    expect(states).toEqual(['recovering', 'ready'])
  })
})
