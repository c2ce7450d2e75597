import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { type DemoServerOptions, demoServer, type HttpOptions, type HttpServing } from '../../../src/testing/index.ts'
import { type Message, MODERN, PREFIX } from './raw-client.ts'
import { wireSchema } from './wire-schema.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function serve(http: HttpOptions = {}, options: DemoServerOptions = {}): Promise<HttpServing & { tick(): string }> {
  const server = demoServer(options)
  const serving = await server.serveHttp(http)
  closers.push(() => server.close())
  return { ...serving, tick: () => server.tick() }
}

interface Reply {
  readonly status: number
  readonly type: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: Promise<string>
  /** The next event of a stream: its fields; undefined at the end. */
  event(): Promise<Readonly<Record<string, string>> | undefined>
  cut(): void
}

const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

function send(url: string, method: string, headers: Record<string, string> = {}, body = ''): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      let text = ''
      let over = false
      let wake = (): void => {}
      response.setEncoding('utf8')
      const ended = new Promise<string>((done) => {
        const end = (): void => {
          over = true
          wake()
          done(text)
        }
        response.on('data', (chunk: string) => {
          text += chunk
          wake()
        })
        response.on('end', end).on('close', end).on('error', end)
      })
      let read = 0
      resolve({
        status: response.statusCode ?? 0,
        type: response.headers['content-type'] ?? '',
        headers: response.headers,
        text: ended,
        async event() {
          let at = text.indexOf('\n\n', read)
          while (at === -1 && !over) {
            await new Promise<void>((arrived) => {
              wake = arrived
            })
            at = text.indexOf('\n\n', read)
          }
          if (at === -1) return undefined
          const lines = text.slice(read, at).split('\n')
          read = at + 2
          return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]))
        },
        cut: () => request.destroy(),
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

const post = (url: string, message: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  send(url, 'POST', { ...JSON_TYPE, ...headers }, JSON.stringify(message))

function modern(method: string, params: Message = {}, capabilities: Message = {}, meta: Message = {}): Message {
  const _meta = { [`${PREFIX}protocolVersion`]: MODERN, [`${PREFIX}clientCapabilities`]: capabilities, ...meta }
  return { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }
}

const modernHeaders = (method: string, more: Record<string, string> = {}): Record<string, string> => ({
  'MCP-Protocol-Version': MODERN,
  'Mcp-Method': method,
  ...more,
})

async function session(url: string, version = '2025-11-25', capabilities: Message = {}): Promise<Record<string, string>> {
  const params = { protocolVersion: version, capabilities, clientInfo: { name: 'raw', version: '1' } }
  const reply = await post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params })
  expect(reply.status).toBe(200)
  const headers = { 'Mcp-Session-Id': String(reply.headers['mcp-session-id']), 'MCP-Protocol-Version': version }
  expect((await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers)).status).toBe(202)
  return headers
}

const legacyCall = (id: number, name: string, args: Message = {}, meta?: Message): Message => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, ...(meta && { _meta: meta }) },
})

describe('the modern era over HTTP', () => {
  it('answers with JSON, or with a stream when something comes before the answer', async () => {
    const { url } = await serve()
    const headers = modernHeaders('tools/call', { 'Mcp-Name': 'echo' })
    const plain = await post(url, modern('tools/call', { name: 'echo', arguments: { message: 'x' } }), headers)
    expect([plain.status, plain.type]).toEqual([200, 'application/json'])
    expect(JSON.parse(await plain.text)).toMatchObject({ id: 1, result: { content: [{ text: 'x' }] } })
    const call = modern('tools/call', { name: 'slow', arguments: { steps: 1, delayMs: 1 } }, {}, { progressToken: 'p' })
    const stream = await post(url, call, { ...headers, 'Mcp-Name': 'slow' })
    expect(stream.type).toBe('text/event-stream')
    expect(JSON.parse((await stream.event())?.data ?? '')).toMatchObject({ method: 'notifications/progress' })
    const last = await stream.event()
    expect(last).not.toHaveProperty('id')
    expect(wireSchema(MODERN)(JSON.parse(last?.data ?? ''), 'tools/call')).toEqual([])
    expect(await stream.event()).toBeUndefined()
  })

  it.each([
    ['json', 'application/json'],
    ['sse', 'text/event-stream'],
  ] as const)('answers always in %s when told to', async (replies, type) => {
    const { url } = await serve({ replies })
    const call = modern('tools/call', { name: 'slow', arguments: { steps: 1, delayMs: 1 } }, {}, { progressToken: 'p' })
    const reply = await post(url, call, modernHeaders('tools/call', { 'Mcp-Name': 'slow' }))
    expect(reply.type).toBe(type)
    expect(await reply.text).toContain('1 steps done')
  })

  it('wants headers that fit the body', async () => {
    const { url } = await serve()
    const refused = async (headers: Record<string, string>, message: Message): Promise<unknown> => {
      const reply = await post(url, message, headers)
      return [reply.status, JSON.parse(await reply.text).error.code]
    }
    const list = modern('tools/list')
    expect(await refused({}, list)).toEqual([400, -32020])
    expect(await refused(modernHeaders('tools/call'), list)).toEqual([400, -32020])
    expect(await refused({ ...modernHeaders('tools/list'), 'MCP-Protocol-Version': '2025-11-25' }, list)).toEqual([400, -32020])
    const echo = (args: Message): Message => modern('tools/call', { name: 'echo', arguments: { message: 'x', ...args } })
    expect(await refused(modernHeaders('tools/call'), echo({}))).toEqual([400, -32020])
    const named = modernHeaders('tools/call', { 'Mcp-Name': 'echo' })
    expect(await refused(named, echo({ region: 'eu' }))).toEqual([400, -32020])
    expect(await refused({ ...named, 'Mcp-Param-Region': 'eu' }, echo({}))).toEqual([400, -32020])
    expect((await post(url, echo({ region: 'eu' }), { ...named, 'Mcp-Param-Region': 'eu' })).status).toBe(200)
    expect((await post(url, echo({ region: null, message: 'x' }), named)).status).toBe(200)
    const wrapped = `=?base64?${Buffer.from('Köln').toString('base64')}?=`
    expect((await post(url, echo({ region: 'Köln' }), { ...named, 'Mcp-Param-Region': wrapped })).status).toBe(200)
  })

  it('gives refusals the status that belongs to them', async () => {
    const { url } = await serve()
    const reply = async (message: Message, headers: Record<string, string>): Promise<unknown> => {
      const { status, text } = await post(url, message, headers)
      return [status, JSON.parse(await text).error.code]
    }
    expect(await reply(modern('no/such'), modernHeaders('no/such'))).toEqual([404, -32601])
    const other = { [`${PREFIX}protocolVersion`]: '2099-01-01' }
    expect(
      await reply(modern('tools/list', {}, {}, other), { ...modernHeaders('tools/list'), 'MCP-Protocol-Version': '2099-01-01' }),
    ).toEqual([400, -32022])
    expect(await reply({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, modernHeaders('tools/list'))).toEqual([400, -32602])
    expect(await reply(modern('tools/call', { name: 'ask' }), modernHeaders('tools/call', { 'Mcp-Name': 'ask' }))).toEqual([400, -32021])
    expect(await reply(modern('tools/call', { name: 'no' }), modernHeaders('tools/call', { 'Mcp-Name': 'no' }))).toEqual([200, -32602])
  })

  it('takes nothing but POST when it is modern only, and names its revisions to an initialize', async () => {
    const { url } = await serve({}, { era: 'modern' })
    expect((await send(url, 'GET', { accept: 'text/event-stream' })).status).toBe(405)
    expect((await send(url, 'DELETE')).status).toBe(405)
    const refused = await post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } })
    expect(refused.status).toBe(400)
    expect(JSON.parse(await refused.text)).toMatchObject({ error: { code: -32022, data: { supported: [MODERN] } } })
  })

  it('listens on a stream that the server ends with a result, and stops what a client leaves', async () => {
    const { url, tick, close } = await serve({ replies: 'json' })
    const listen = modern('subscriptions/listen', { notifications: { resourceSubscriptions: ['demo://clock'] } })
    const stream = await post(url, listen, modernHeaders('subscriptions/listen'))
    expect(JSON.parse((await stream.event())?.data ?? '')).toMatchObject({ method: 'notifications/subscriptions/acknowledged' })
    tick()
    expect(JSON.parse((await stream.event())?.data ?? '')).toMatchObject({ method: 'notifications/resources/updated' })
    const left = await post(url, listen, modernHeaders('subscriptions/listen'))
    await left.event()
    left.cut()
    await close()
    expect(JSON.parse((await stream.event())?.data ?? '')).toMatchObject({ id: 1, result: { resultType: 'complete' } })
    expect(await stream.event()).toBeUndefined()
  })
})

describe('the legacy era over HTTP', () => {
  it('keeps a session until it is deleted', async () => {
    const { url } = await serve()
    const headers = await session(url)
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    expect((await post(url, ping, headers)).status).toBe(200)
    expect((await post(url, ping)).status).toBe(400)
    expect((await post(url, ping, { ...headers, 'Mcp-Session-Id': 'other' })).status).toBe(404)
    expect((await post(url, ping, { ...headers, 'MCP-Protocol-Version': '1999-01-01' })).status).toBe(400)
    expect((await send(url, 'GET', { accept: 'text/event-stream' })).status).toBe(400)
    expect((await send(url, 'DELETE', headers)).status).toBe(204)
    expect((await post(url, ping, headers)).status).toBe(404)
  })

  it('asks on the stream of the call and takes the answer from another POST', async () => {
    const { url } = await serve()
    const headers = await session(url, '2025-11-25', { roots: {} })
    const stream = await post(url, legacyCall(1, 'workspace'), headers)
    expect(await stream.event()).toMatchObject({ id: expect.any(String), retry: expect.any(String), data: '' })
    const question = JSON.parse((await stream.event())?.data ?? '')
    expect(question).toMatchObject({ method: 'roots/list' })
    const answer = { jsonrpc: '2.0', id: question.id, result: { roots: [] } }
    expect((await post(url, answer, headers)).status).toBe(202)
    expect(JSON.parse((await stream.event())?.data ?? '')).toMatchObject({ id: 1, result: { content: [{ text: 'no roots' }] } })
    expect(await stream.event()).toBeUndefined()
  })

  it('tells what belongs to no call on the stream of the session, also what came before it was opened', async () => {
    const { url, tick } = await serve({ replies: 'json' })
    const headers = await session(url, '2025-06-18', { roots: {} })
    await post(url, { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri: 'demo://clock' } }, headers)
    tick()
    const stream = await send(url, 'GET', { ...headers, accept: 'text/event-stream' })
    expect(JSON.parse((await stream.event())?.data ?? '')).toMatchObject({ method: 'notifications/resources/updated' })
    const reply = post(url, legacyCall(2, 'workspace'), headers)
    const question = JSON.parse((await stream.event())?.data ?? '')
    await post(url, { jsonrpc: '2.0', id: question.id, result: { roots: [] } }, headers)
    expect((await reply).type).toBe('application/json')
    stream.cut()
  })

  it('goes on with a call whose stream broke, and gives its answer to whoever continues it', async () => {
    const { url, cut } = await serve({ replies: 'sse' })
    const headers = await session(url)
    const stream = await post(url, legacyCall(1, 'slow', { steps: 2, delayMs: 20 }, { progressToken: 'p' }), headers)
    await stream.event()
    const first = await stream.event()
    expect(JSON.parse(first?.data ?? '')).toMatchObject({ params: { progress: 1 } })
    cut()
    await stream.text
    const again = await send(url, 'GET', { ...headers, accept: 'text/event-stream', 'Last-Event-ID': first?.id ?? '' })
    expect(await again.event()).toMatchObject({ data: '' })
    expect(JSON.parse((await again.event())?.data ?? '')).toMatchObject({ params: { progress: 2 } })
    expect(JSON.parse((await again.event())?.data ?? '')).toMatchObject({ id: 1, result: {} })
    expect(await again.event()).toBeUndefined()
    const late = await send(url, 'GET', { ...headers, accept: 'text/event-stream', 'Last-Event-ID': first?.id ?? '' })
    expect(await late.text).toContain('2 steps done')
    expect((await send(url, 'GET', { ...headers, accept: 'text/event-stream', 'Last-Event-ID': '99-1' })).status).toBe(400)
  })

  it('ends the stream of a cancelled call without an answer', async () => {
    const { url } = await serve({ replies: 'sse' })
    const headers = await session(url)
    const stream = await post(url, legacyCall(1, 'slow', { steps: 1, delayMs: 60_000 }), headers)
    await post(url, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, headers)
    expect(await stream.text).not.toContain('result')
  })

  it('does without sessions when told to', async () => {
    const { url } = await serve({ sessions: false })
    const opened = await post(url, {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {} },
    })
    expect(opened.headers).not.toHaveProperty('mcp-session-id')
    const headers = { 'MCP-Protocol-Version': '2025-06-18' }
    expect(await (await post(url, legacyCall(1, 'add', { a: 1, b: 1 }), headers)).text).toContain('"sum":2')
    expect(await (await post(url, legacyCall(1, 'workspace'), headers)).text).toContain('did not declare')
    expect((await send(url, 'GET', { ...headers, accept: 'text/event-stream' })).status).toBe(405)
  })

  it('takes batches in the revision that has them', async () => {
    const { url } = await serve()
    const headers = await session(url, '2025-03-26')
    const reply = await post(url, [legacyCall(1, 'echo', { message: 'a' }), legacyCall(2, 'echo', { message: 'b' })], headers)
    const text = await reply.text
    expect([text.includes('"id":1'), text.includes('"id":2')]).toEqual([true, true])
    expect((await post(url, [legacyCall(1, 'echo')], await session(url))).status).toBe(400)
  })
})

describe('what is not taken over HTTP', () => {
  it('is refused with a status and an error without an id', async () => {
    const { url } = await serve({ path: '/x' })
    const message = modern('server/discover')
    const headers = modernHeaders('server/discover')
    const refused = await post(url, message, { ...headers, Host: 'evil.example' })
    expect(refused.status).toBe(403)
    expect(JSON.parse(await refused.text)).toMatchObject({ error: { code: -32600 } })
    expect((await post(url, message, { ...headers, Origin: 'https://evil.example' })).status).toBe(403)
    expect((await post(url, message, { ...headers, Origin: 'http://localhost:8080' })).status).toBe(200)
    expect((await post(url.replace('/x', '/y'), message, headers)).status).toBe(404)
    expect((await send(url, 'PUT')).status).toBe(405)
    expect((await send(url, 'POST', { ...JSON_TYPE, 'content-type': 'text/plain' }, '{}')).status).toBe(415)
    expect((await send(url, 'POST', { ...JSON_TYPE, accept: 'application/json' }, '{}')).status).toBe(406)
    expect((await send(url, 'POST', JSON_TYPE, '{')).status).toBe(400)
    expect((await send(url, 'POST', JSON_TYPE, '7')).status).toBe(400)
    expect((await send(url, 'POST', JSON_TYPE, `"${'x'.repeat(9 * 1024 * 1024)}"`)).status).toBe(413)
  })
})
