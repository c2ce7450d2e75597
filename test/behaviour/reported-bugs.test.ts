import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/index.ts'
import { child } from '../support/child-servers.ts'
import { connected } from '../support/connected.ts'
import { legacyServer, ServerError } from '../support/fake-server.ts'
import { answerTo } from '../support/legacy-http.ts'
import { rejection, until } from '../support/settled.ts'
import { cleanUp, json, serve } from '../unit/transport/http/stand-in.ts'

/** What users of other clients have reported and no other test here shows. */
describe('a server process', () => {
  it('that writes its log and an answer into one line is quoted by the error of the call that waits', async () => {
    const target = child(
      "legacy(); tools((message) => { raw('[50] adding handler ' + JSON.stringify({ id: message.id, result: {} }) + '\\n') })",
    )
    const client = await connected(target, { era: 'legacy' })
    const error = await rejection(client.callTool('x', {}, { timeoutMs: 200 }))
    expect(error).toMatchObject({ code: 'ERR_MCP_TIMEOUT', message: expect.stringContaining('[50] adding handler') })
  })

  it('that ends with its stdin and answers late is not cut off before the handshake is done', async () => {
    const client = await connected(
      child(`process.stdin.on('end', () => process.exit(9)); legacy(); const greet = methods.initialize;
        on('initialize', (message) => { setTimeout(() => send({ jsonrpc: '2.0', id: message.id, result: greet(message) }), 300) }); tools(text('late'))`),
      { probeTimeoutMs: 50 },
    )
    expect((await client.callTool('x')).text).toBe('late')
  })
})

describe('a URL', () => {
  it.each(['/mcp', '/mcp/', '/mcp?api_key=x', '/mcp/?a=1&b=%2F', '/'])('is asked exactly as it is written: %s', async (path) => {
    const { url, seen } = await serve(({ message }, res) => {
      const answer = message === undefined ? undefined : answerTo(message, '2025-11-25')
      if (answer === undefined) res.writeHead(message === undefined ? 405 : 202).end()
      else json(res, answer)
    })
    const client = await connect(new URL(path, url), { logger: false })
    await client.callTool('x')
    await client.close()
    expect(new Set(seen.map((each) => each.url))).toEqual(new Set([path]))
  })
})

describe('a stream of the server', () => {
  it('outlives the deadlines of requests', async () => {
    let gets = 0
    let tell = (): void => {}
    const { url } = await serve(({ method, message }, res) => {
      if (method === 'GET') {
        gets++
        tell = () => void res.write('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n')
        return void res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': open\n\n')
      }
      if (message?.method === 'tools/call') return
      const answer = message === undefined ? undefined : answerTo(message, '2025-11-25')
      if (answer === undefined) res.writeHead(202).end()
      else json(res, answer)
    })
    const client = await connected(url, { era: 'legacy', transport: 'streamable-http', timeoutMs: 40, maxTotalTimeoutMs: 60 })
    let changes = 0
    client.on('toolsChanged', () => changes++)
    await until(() => gets === 1)
    for (let call = 0; call < 3; call++) expect(await rejection(client.callTool('x'))).toMatchObject({ code: 'ERR_MCP_TIMEOUT' })
    tell()
    await until(() => changes === 1)
    expect(gets).toBe(1)
  })
})

describe('a result', () => {
  it('in the form of the first days is unwrapped', async () => {
    const fake = legacyServer({ 'tools/call': () => ({ toolResult: { content: [{ type: 'text', text: 'old' }] } }) })
    expect((await (await connected(fake)).callTool('x')).text).toBe('old')
  })

  it('is checked where no code may be made of text', () => {
    const engine = new URL('../../src/schema/engine.ts', import.meta.url).href
    const script = `
      let refused = false
      try { new Function('return 1') } catch { refused = true }
      const { schemaValidator } = await import(${JSON.stringify(engine)})
      const checked = schemaValidator().compile({ type: 'object', properties: { a: { type: 'number' } }, required: ['a'] })
      console.log(JSON.stringify([refused, checked.check({ a: 1 }).ok, checked.check({ a: 'x' }).ok]))`
    const args = ['--disallow-code-generation-from-strings', '--import', 'tsx', '--input-type=module', '-e', script]
    expect(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 }))).toEqual([true, true, false])
  })
})

describe('a server that echoes a revision and lacks its features', () => {
  it('costs the method that it lacks and nothing else', async () => {
    const fake = legacyServer({
      'tools/list': () => ({ tools: [{ name: 'x', inputSchema: { type: 'object' } }] }),
      'resources/list': () => {
        throw new ServerError(-32601)
      },
    })
    const client = await connected(fake)
    expect(await rejection(client.listResources())).toMatchObject({ rpcCode: -32601, outcome: 'not-run' })
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['x'])
    expect(client.state).toBe('ready')
  })
})

/** An HTTP server of an old revision that can be away for a while. */
async function leaving() {
  const sessions = { given: 0, current: '' }
  const server = createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      const message = req.method === 'POST' ? (JSON.parse(Buffer.concat(parts).toString()) as { id?: number; method?: string }) : undefined
      if (message === undefined) return void res.writeHead(405).end()
      if (message.method === 'initialize') sessions.current = `s${++sessions.given}`
      else if (req.headers['mcp-session-id'] !== sessions.current) return void res.writeHead(404).end()
      const answer = answerTo(message, '2025-11-25')
      if (answer === undefined) return void res.writeHead(202).end()
      json(res, answer, 200, { 'Mcp-Session-Id': sessions.current })
    })
  })
  const start = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  await start(0)
  const { port } = server.address() as AddressInfo
  cleanUp(() => void server.close())
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    sessions,
    async leave() {
      sessions.current = ''
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    back: () => start(port),
  }
}

describe('a server that is away for a while', () => {
  it('is never given up: each use says that it is away, and the first one after its return works', async () => {
    const server = await leaving()
    const client = await connected(server.url, { retries: 1, retryBackoffMs: 1 })
    await client.callTool('x')
    await server.leave()
    for (let use = 0; use < 30; use++) {
      const error = await rejection(client.callTool('x'))
      expect(error).toMatchObject({ code: 'ERR_MCP_CONNECTION', retryable: true })
      // The first may meet a connection that is closed at the same time.
      if (use > 0) expect(error).toMatchObject({ outcome: 'not-run' })
    }
    await server.back()
    expect((await client.callTool('x')).text).toContain('"x"')
    expect(server.sessions.given).toBe(2)
  })
})

describe('during a recovery', () => {
  it('what is known of the tools stays known, and calls wait for the new link or say what they waited for', async () => {
    let greet: (() => void) | undefined
    const { url, seen } = await serve((one, res) => {
      const { message, headers } = one
      if (message === undefined) return void res.writeHead(one.method === 'DELETE' ? 204 : 405).end()
      const again =
        headers['mcp-session-id'] === 'old' && seen.some((each) => (each.message?.params as { name?: string })?.name === 'forget')
      if (again) return void res.writeHead(404).end()
      const answer = answerTo(message, '2025-11-25')?.replace('{"type":"object"}', '{"type":"object","required":["text"]}')
      if (answer === undefined) return void res.writeHead(202).end()
      const first = seen.filter((each) => each.message?.method === 'initialize').length === 1
      if (message.method !== 'initialize' || first) return json(res, answer, 200, { 'Mcp-Session-Id': first ? 'old' : 'new' })
      greet = () => json(res, answer, 200, { 'Mcp-Session-Id': 'new' })
    })
    const client = await connected(url, { era: 'legacy', transport: 'streamable-http' })
    await client.listTools()
    const states: unknown[] = []
    client.on('state', (event) => states.push(event))
    const lost = client.callTool('forget')
    await until(() => greet !== undefined)
    expect(client.state).toBe('recovering')
    expect(states).toEqual([{ state: 'recovering', reason: expect.stringContaining('session') }])
    // What is known of the tools is known all the time: nothing is "not found", and bad arguments are told at once.
    expect(client.serverInfo?.name).toBe('legacy')
    expect(client.capabilities).toEqual({ tools: {} })
    const { length } = seen
    expect(await rejection(client.callTool('echo', {}))).toMatchObject({ code: 'ERR_MCP_VALIDATION', outcome: 'not-run' })
    expect(seen).toHaveLength(length)
    const listed = client.listTools()
    const impatient = await rejection(client.callTool('echo', { text: 'x' }, { timeoutMs: 30 }))
    expect(impatient).toMatchObject({ code: 'ERR_MCP_TIMEOUT', outcome: 'not-run', message: expect.stringContaining('connection') })
    const patient = client.callTool('echo', { text: 'patient' })
    greet?.()
    expect((await patient).text).toContain('patient')
    expect((await lost).text).toContain('forget')
    expect((await listed).map(({ name }) => name)).toEqual(['echo'])
    expect(client.state).toBe('ready')
  })
})
