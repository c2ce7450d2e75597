import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { Client } from '../../../../src/client.ts'
import { connect } from '../../../../src/connect.ts'
import type { ConnectOptions } from '../../../../src/connect-options.ts'
import { ConnectionError, HttpError, ResponseTooLargeError, TimeoutError } from '../../../../src/errors.ts'
import { limitsOf } from '../../../../src/limits.ts'
import { httpTransport } from '../../../../src/transport/http/http-node.ts'
import { connected } from '../../../support/connected.ts'
import { answerTo, type SseServer, type SseSetup, sseServer } from '../../../support/legacy-http.ts'
import { rejection, until } from '../../../support/settled.ts'
import { cleanUp, deadPort, json, request, result, type Seen, serve, sse } from './stand-in.ts'

const QUICK: ConnectOptions = { transport: 'sse', logger: false, retries: 0 }

async function client(setup: SseSetup = {}, options: ConnectOptions = {}): Promise<{ client: Client; server: SseServer }> {
  const server = await sseServer(setup)
  return { client: await connected(server.url, { ...QUICK, ...options }), server }
}

/** A server whose stream announces what the test wants, with its own host for HOST, and that answers every POST on it. */
async function announcing(data: string): Promise<{ url: string; seen: Seen[] }> {
  let stream: ServerResponse | undefined
  const { url, seen } = await serve((one, res) => {
    if (one.method === 'GET') {
      stream = sse(res)
      stream.write(`event: endpoint\ndata: ${data.replace('HOST', new URL(url).host)}\n\n`)
      return
    }
    res.writeHead(202).end()
    const answer = one.message === undefined ? undefined : answerTo(one.message)
    if (answer !== undefined) stream?.write(`data: ${answer}\n\n`)
  })
  return { url: new URL('/prefix/sse?key=1', url).href, seen }
}

/** Ends every stream, and resolves when the client has noticed. The server must leave `hang` without an answer. */
async function sever(client: Client, server: SseServer, how: 'end' | 'destroy' = 'destroy'): Promise<unknown> {
  const before = server.posts('tools/call').length
  const running = rejection(client.callTool('hang'))
  await until(() => server.posts('tools/call').length > before, 'the call is there')
  for (const stream of server.streams.values()) stream[how]()
  return running
}

const hangs = (seen: Seen): boolean => seen.body.includes('"hang"')

describe('the event stream of HTTP+SSE', () => {
  it('is a GET for an event stream, and all messages are POSTs to the address that it announces', async () => {
    const { client: one, server } = await client({ version: '2025-06-18' }, { headers: { 'X-Key': 'k' } })
    expect(one).toMatchObject({ transport: 'sse', protocolVersion: '2025-06-18', serverInfo: { name: 'legacy' } })
    expect((await one.callTool('echo', { a: 1 })).data).toEqual({ name: 'echo', arguments: { a: 1 } })
    const [get, initialize, initialized, call] = server.seen
    expect(get).toMatchObject({ method: 'GET', url: '/sse', headers: { accept: 'text/event-stream', 'x-key': 'k' } })
    expect(get?.headers['user-agent']).toMatch(/^mcp-switchboard\//)
    expect(initialize).toMatchObject({ method: 'POST', url: '/messages?session=s1', message: { method: 'initialize' } })
    expect(initialize?.message?.params).toMatchObject({ protocolVersion: '2025-11-25' })
    expect(initialize?.headers).toMatchObject({ 'content-type': 'application/json', accept: 'application/json', 'x-key': 'k' })
    expect(initialize?.headers).not.toHaveProperty('mcp-protocol-version')
    expect(initialized?.message?.method).toBe('notifications/initialized')
    expect(initialized?.headers).toMatchObject({ 'mcp-protocol-version': '2025-06-18' })
    expect(call?.headers).toMatchObject({ 'mcp-protocol-version': '2025-06-18', 'x-key': 'k' })
    expect(server.seen.filter(({ message }) => message?.method === 'server/discover')).toEqual([])
  })

  it('has no version header for 2024-11-05', async () => {
    const { client: one, server } = await client()
    await one.callTool('echo')
    for (const { headers } of server.seen) expect(headers).not.toHaveProperty('mcp-protocol-version')
  })

  it.each([
    ['/messages?session=a&b=c', '/messages?session=a&b=c'],
    ['messages/?session=a', '/prefix/messages/?session=a'],
    ['./m', '/prefix/m'],
    ['../m?x=%2F', '/m?x=%2F'],
    ['?session=a', '/prefix/sse?session=a'],
    ['//HOST/m', '/m'],
    ['http://HOST/m?session=a#part', '/m?session=a'],
    ['http://user:secret@HOST/m', '/m'],
    ['  /m  ', '/m'],
  ])('announces %j, which means %s', async (data, path) => {
    const { url, seen } = await announcing(data)
    await connected(url, QUICK)
    expect(seen[0]?.url).toBe('/prefix/sse?key=1')
    expect(seen[1]).toMatchObject({ method: 'POST', url: path })
    expect(seen[1]?.headers).not.toHaveProperty('authorization')
  })

  it.each(['https://HOST/m', 'http://127.0.0.1:1/m', 'http://evil.example/m', '//evil.example/m', 'file:///etc/passwd', 'data:x'])(
    'never sends anything to another origin: %s',
    async (data) => {
      const { url, seen } = await announcing(data)
      const error = await rejection(connect(url, { ...QUICK, headers: { Authorization: 'Bearer secret' } }))
      expect(error).toBeInstanceOf(ConnectionError)
      expect(error).toMatchObject({ outcome: 'not-run', reason: { kind: 'network' } })
      const { origin, protocol } = new URL(data.replace('HOST', new URL(url).host), url)
      expect((error as Error).message).toContain(origin === 'null' ? protocol : origin)
      expect((error as Error).message).toContain(new URL(url).origin)
      expect(seen).toHaveLength(1)
    },
  )

  it('says so when the announced address is no URL', async () => {
    const { url } = await announcing('http://[')
    expect(await rejection(connect(url, QUICK))).toMatchObject({
      code: 'ERR_MCP_CONNECTION',
      message: expect.stringMatching(/no URL: http:\/\/\[/),
    })
  })

  it('announces an address behind a path prefix wrongly: both URLs are in the error, and the option endpoint overrides it', async () => {
    const setup: SseSetup = { path: '/prefix/sse', messages: '/prefix/messages', announce: (session) => `/messages?session=${session}` }
    const { url, origin, seen } = await sseServer(setup)
    const error = await rejection(connect(url, QUICK))
    expect(error).toMatchObject({ status: 404 })
    expect((error as Error).message).toMatch(new RegExp(`${origin}/messages answered 404.*${origin}/prefix/sse announced.*endpoint`))
    const one = await connected(url, { ...QUICK, endpoint: '/prefix/messages' })
    expect((await one.callTool('echo')).isError).toBe(false)
    expect(seen.at(-1)?.url).toBe('/prefix/messages?session=s2')
    await rejection(connect(url, { ...QUICK, endpoint: '/elsewhere?own=1' }))
    expect(seen.at(-1)?.url).toBe('/elsewhere?own=1')
  })

  it.each(['https://evil.example/m', '//evil.example/m', 'http://['])('takes no endpoint that is no path: %s', async (endpoint) => {
    const error = await rejection(connect('http://127.0.0.1:1/sse', { ...QUICK, endpoint }))
    expect(error).toBeInstanceOf(TypeError)
    expect((error as Error).message).toContain('http://127.0.0.1:1')
  })

  it('that announces nothing is waited for as long as connecting may take; the error says what was missing', async () => {
    const { url, sockets } = await serve((_, res) => {
      sse(res).write(': hello\n\ndata: {"jsonrpc":"2.0","method":"x"}\n\n')
    })
    const error = await rejection(connect(url, { ...QUICK, connectTimeoutMs: 150 }))
    expect(error).toBeInstanceOf(TimeoutError)
    expect((error as Error).message).toMatch(/connectTimeoutMs.*endpoint event.*has not come/)
    await expect.poll(() => sockets.size).toBe(0)
  })

  it('that never even answers is waited for as long; a signal ends the waiting at once', async () => {
    const { url } = await serve(() => {})
    expect(await rejection(connect(url, { ...QUICK, connectTimeoutMs: 100 }))).toBeInstanceOf(TimeoutError)
    const control = new AbortController()
    const connecting = rejection(connect(url, { ...QUICK, signal: control.signal }))
    setTimeout(() => control.abort(new Error('enough')), 20)
    expect(await connecting).toMatchObject({ message: 'enough' })
  })

  it('that is none, or ends before it announced anything, is told by its status', async () => {
    const page = await serve((_, res) => void res.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>secret</html>'))
    const first = await rejection(connect(page.url, QUICK))
    expect(first).toMatchObject({ code: 'ERR_MCP_HTTP', status: 200, outcome: 'not-run', details: { body: '<html>secret</html>' } })
    expect((first as Error).message).toMatch(/text\/html instead of the event stream/)
    const short = await serve((_, res) => void sse(res).end(': bye\n\n'))
    expect(await rejection(connect(short.url, QUICK))).toMatchObject({
      status: 200,
      message: expect.stringMatching(/ended before the endpoint/),
    })
    for (const status of [401, 403, 404, 405, 500, 301]) {
      const { url } = await serve((_, res) => void res.writeHead(status, { 'WWW-Authenticate': 'Bearer realm="x"' }).end())
      expect(await rejection(connect(url, QUICK))).toMatchObject({ status, outcome: 'not-run', details: { challenge: 'Bearer realm="x"' } })
    }
    expect(await rejection(connect(`http://127.0.0.1:${await deadPort()}/sse`, QUICK))).toMatchObject({
      outcome: 'not-run',
      reason: { kind: 'network', errno: 'ECONNREFUSED' },
    })
  })

  it('is asked for again when the server fails in passing', async () => {
    let gets = 0
    const { client: one } = await client(
      { get: (_, res) => (++gets > 2 ? false : Boolean(res.writeHead(503, { 'Retry-After': '0' }).end())) },
      { retries: 3, retryBackoffMs: 5 },
    )
    expect(gets).toBe(3)
    await one.ping()
  })

  it('follows a redirect within the origin, by which relative addresses are resolved', async () => {
    let stream: ServerResponse | undefined
    const { url, seen } = await serve((one, res) => {
      if (one.url === '/sse') res.writeHead(307, { Location: '/sse/' }).end()
      else if (one.method === 'GET') {
        stream = sse(res)
        stream.write('event: endpoint\ndata: messages\n\n')
      } else {
        res.writeHead(202).end()
        const answer = one.message === undefined ? undefined : answerTo(one.message)
        if (answer !== undefined) stream?.write(`data: ${answer}\n\n`)
      }
    })
    await connected(new URL('/sse', url), QUICK)
    expect(seen.at(-1)?.url).toBe('/sse/messages')
  })

  it('may hold comments, several data lines, CRLF, other events, retry times, and more than one endpoint', async () => {
    let stream: ServerResponse | undefined
    const { url, seen } = await serve((one, res) => {
      if (one.method === 'GET') {
        stream = sse(res)
        stream.write(': hi\r\nretry: 0\r\nid: 1\r\nevent: endpoint\r\ndata: /m\r\n\r\nevent: endpoint\ndata: http://evil.example/\n\n')
        return
      }
      res.writeHead(200).end('ok')
      if (one.message?.id === undefined) return
      const lines = JSON.stringify(JSON.parse(answerTo(one.message) ?? ''), null, 1)
      stream?.write(`event: heartbeat\ndata: x\n\ndata: no json\n\n${lines.replace(/^/gm, 'data: ')}\n\n`)
    })
    const one = await connected(url, QUICK)
    expect((await one.callTool('echo')).isError).toBe(false)
    expect(new Set(seen.slice(1).map((each) => each.url))).toEqual(new Set(['/m']))
  })
})

describe('a message by HTTP+SSE', () => {
  it('is answered on the stream, whatever the order, before or after its POST is', async () => {
    const { client: one } = await client({
      post(seen, res, stream) {
        if (seen.message?.method !== 'tools/call') return false
        const answer = `data: ${answerTo(seen.message)}\n\n`
        if (JSON.stringify(seen.message.params).includes('late')) {
          res.writeHead(202).end()
          setTimeout(() => stream.write(answer), 30)
        } else {
          stream.write(answer)
          setTimeout(() => res.writeHead(202).end(), 30)
        }
        return true
      },
    })
    const order: string[] = []
    await Promise.all(['late', 'soon'].map((which) => one.callTool(which).then(() => order.push(which))))
    expect(order).toEqual(['soon', 'late'])
  })

  it.each([
    [400, 'unknown'],
    [401, 'not-run'],
    [403, 'not-run'],
    [413, 'not-run'],
    [429, 'not-run'],
    [500, 'unknown'],
    [503, 'unknown'],
    [302, 'not-run'],
  ])('that is refused with %i fails with outcome %s, and the others live', async (status, outcome) => {
    const { client: one } = await client({
      post(seen, res) {
        if (!JSON.stringify(seen.message?.params ?? {}).includes('bad')) return false
        json(res, JSON.stringify({ jsonrpc: '2.0', id: seen.message?.id, error: { code: -1, message: 'no' } }), status)
        return true
      },
    })
    const [bad, good] = await Promise.all([rejection(one.callTool('bad')), one.callTool('good')])
    expect(bad).toBeInstanceOf(HttpError)
    expect(bad).toMatchObject({ status, outcome, method: 'tools/call' })
    expect(good.isError).toBe(false)
  })

  it.each([
    [404, 'Session not found'],
    [400, 'No transport found for sessionId'],
  ])('that a server answers with %i for a session it forgot is sent again in a new one, once for all', async (status, text) => {
    const server = await sseServer({
      post(seen, res) {
        if (seen.message?.method !== 'tools/call' || !seen.url.includes('s1')) return false
        res.writeHead(status).end(text)
        return true
      },
    })
    const one = await connected(server.url, QUICK)
    const results = await Promise.all(['a', 'b', 'c'].map((name) => one.callTool(name)))
    expect(results.map((each) => each.isError)).toEqual([false, false, false])
    expect(server.posts('initialize')).toHaveLength(2)
    await until(() => server.streams.size === 1, 'the old stream is closed')
  })

  it('that cannot be sent at all rejects as it does over any transport', async () => {
    const { client: one } = await client()
    expect(await rejection(one.callTool('x', { big: 1n } as never))).toBeInstanceOf(TypeError)
    expect((await one.callTool('x')).isError).toBe(false)
  })

  it('that is too large fails alone, wherever its id stands', async () => {
    const { client: one } = await client(
      {
        post(seen, res, stream) {
          const { id, method, params } = seen.message ?? {}
          if (method !== 'tools/call') return false
          res.writeHead(202).end()
          const big = `{"content":[{"type":"text","text":"${'x'.repeat(5_000)}"}]}`
          const which = JSON.stringify(params)
          const text = which.includes('first')
            ? `{"jsonrpc":"2.0","id":${id},"result":${big}}`
            : `{"result":${big},"jsonrpc":"2.0","id":${id}}`
          const data = which.includes('cut') ? `data: ${text}\n\n`.match(/[\s\S]{1,97}/g) : [`data: ${text}\n\n`]
          for (const part of which.includes('small') ? [`data: ${answerTo(seen.message ?? {})}\n\n`] : (data ?? [])) stream.write(part)
          return true
        },
      },
      { limits: { maxMessageBytes: 2_000 } },
    )
    for (const name of ['first', 'last', 'first cut', 'last cut']) {
      const error = await rejection(one.callTool(name, {}, { timeoutMs: 2_000 }))
      expect(error).toBeInstanceOf(ResponseTooLargeError)
      expect(error).toMatchObject({ limit: 'maxMessageBytes', outcome: 'unknown' })
      expect((await one.callTool('small')).isError).toBe(false)
    }
  })

  it('waits for its turn beyond maxCallsPerOrigin, but replies and cancellations do not', async () => {
    const held: (() => void)[] = []
    const { client: one, server } = await client(
      {
        post(seen, res, stream) {
          if (seen.message?.method !== 'tools/call') return false
          held.push(() => {
            res.writeHead(202).end()
            stream.write(`data: ${answerTo(seen.message ?? {})}\n\n`)
          })
          return true
        },
      },
      { limits: { maxCallsPerOrigin: 2 } },
    )
    const calls = ['a', 'b', 'c'].map((name) => one.callTool(name))
    await until(() => held.length === 2, 'two calls are there')
    await one.notify('notifications/x')
    expect(server.posts('notifications/x')).toHaveLength(1)
    expect(server.posts('tools/call')).toHaveLength(2)
    for (const release of held.splice(0)) release()
    await until(() => held.length === 1, 'the third call is there')
    for (const release of held.splice(0)) release()
    await Promise.all(calls)
  })

  it('whose answer never comes is cancelled by a notification, and its POST is not held for ever', async () => {
    const { client: one, server } = await client({ post: (seen) => seen.message?.method === 'tools/call' })
    expect(await rejection(one.callTool('x', {}, { timeoutMs: 50 }))).toBeInstanceOf(TimeoutError)
    await until(() => server.posts('notifications/cancelled').length === 1, 'the cancellation came')
    const [call] = server.posts('tools/call')
    await until(() => call?.socket.destroyed === true, 'the POST is cut')
    expect((await one.listTools()).length).toBe(1)
  })
})

describe('a server that speaks by HTTP+SSE', () => {
  it('may ask; the answer is a POST', async () => {
    const { server } = await client({}, { roots: [{ uri: 'file:///a' }] })
    server.send({ jsonrpc: '2.0', id: 'q', method: 'roots/list' })
    await until(() => server.posts().some(({ message }) => message?.id === 'q'), 'the answer came')
    expect(server.posts().at(-1)?.message).toMatchObject({ id: 'q', result: { roots: [{ uri: 'file:///a' }] } })
  })

  it('may answer what nobody asked, send what is no message, and say what nobody knows', async () => {
    const { client: one, server } = await client()
    for (const message of [{ jsonrpc: '2.0', id: 999, result: {} }, 5, null, [[]], { x: 1 }, { jsonrpc: '2.0', method: 'new/thing' }])
      server.send(message)
    expect((await one.callTool('x')).isError).toBe(false)
  })
})

describe('a stream that breaks', () => {
  it.each(['end', 'destroy'] as const)('by %s rejects what runs at once, and the next call greets anew', async (how) => {
    const { client: one, server } = await client({ post: hangs })
    expect(await sever(one, server, how)).toMatchObject({ code: 'ERR_MCP_CONNECTION', reason: { kind: 'stream' }, outcome: 'unknown' })
    expect((await one.callTool('next')).isError).toBe(false)
    // The call that was lost has not been sent twice.
    expect(server.posts('tools/call').map(hangs)).toEqual([true, false])
    expect(server.posts('initialize')).toHaveLength(2)
    expect(server.streams.size).toBe(1)
  })

  it('is no reason to give up a list: it is asked for in the new session', async () => {
    let lists = 0
    const { client: one, server } = await client(
      {
        post(seen, _, stream) {
          if (seen.message?.method !== 'tools/list' || ++lists > 1) return false
          stream.destroy()
          return true
        },
      },
      { retries: 2, retryBackoffMs: 5 },
    )
    expect((await one.listTools()).length).toBe(1)
    expect(server.posts('initialize')).toHaveLength(2)
  })

  it('leaves no second transport to try: recovery opens HTTP+SSE again', async () => {
    const server = await sseServer({ path: '/api', post: hangs })
    const one = await connected(server.url, { retries: 0 })
    await sever(one, server)
    const before = server.seen.length
    expect((await one.callTool('x')).isError).toBe(false)
    expect(server.seen.slice(before).map(({ method, url }) => `${method} ${url.replace(/\?.*/, '')}`)).toEqual([
      'GET /api',
      'POST /messages',
      'POST /messages',
      'POST /messages',
    ])
    expect(one.transport).toBe('sse')
  })
})

describe('closing HTTP+SSE', () => {
  it('ends the stream, rejects what runs, and leaves no socket', async () => {
    const { client: one, server } = await client({ post: (seen) => seen.message?.method === 'tools/call' })
    const running = rejection(one.callTool('x'))
    await until(() => server.posts('tools/call').length === 1, 'the call is there')
    await one.close()
    expect(await running).toMatchObject({ code: 'ERR_MCP_CONNECTION', outcome: 'unknown' })
    await until(() => server.streams.size === 0, 'the stream is closed')
    await until(() => server.seen.every(({ socket }) => socket.destroyed), 'all sockets are closed')
    expect(server.seen.some(({ method }) => method === 'DELETE')).toBe(false)
  })

  it('does not wait for a stream that is being opened again', async () => {
    let gets = 0
    const { client: one, server } = await client({ get: () => ++gets > 1, post: hangs })
    await sever(one, server)
    const call = rejection(one.callTool('x'))
    await until(() => gets === 2, 'the stream is asked for')
    const since = performance.now()
    await one.close()
    expect(performance.now() - since).toBeLessThan(1_000)
    expect(await call).toMatchObject({ code: 'ERR_MCP_CONNECTION' })
  })
})

describe('the connection under it', () => {
  it('queues beyond the limit and says of what never left that it was not run', async () => {
    const server = await sseServer({ post: () => true })
    const transport = httpTransport({ url: server.url }, 'sse')
    expect(transport).toMatchObject({ kind: 'sse', legacyOnly: true, identity: `sse ${server.url}`, label: new URL(server.url).host })
    const connection = await transport.open(() => {}, { limits: limitsOf({ maxCallsPerOrigin: 1 }) })
    cleanUp(() => connection.close())
    expect(connection.ownReplyStream).toBe(false)
    const [first, second] = [1, 2].map((id) => rejection(connection.exchange(request(id))))
    await until(() => server.posts().length === 1, 'the first is there')
    await connection.close()
    expect(await first).toMatchObject({ outcome: 'unknown' })
    expect(await second).toMatchObject({ outcome: 'not-run' })
    expect(await connection.lost).toMatchObject({ kind: 'closed' })
    expect(await connection.closed).toMatchObject({ kind: 'closed' })
    expect(await rejection(connection.exchange(request(3)))).toMatchObject({ outcome: 'not-run' })
    expect(await rejection(connection.post({ jsonrpc: '2.0', method: 'x' }))).toMatchObject({ outcome: 'not-run' })
  })

  it('carries the headers of one request, and signs every one of them', async () => {
    const server = await sseServer()
    const signed: string[] = []
    const signer = {
      sign({ method, body }: { method: string; body: string | undefined }) {
        signed.push(`${method} ${body ?? ''}`)
        return { Authorization: `Signed ${signed.length}` }
      },
      refused: () => false,
    }
    const connection = await httpTransport({ url: server.url, signer }, 'sse').open(() => {}, { limits: limitsOf() })
    cleanUp(() => connection.close())
    await connection.exchange(request(1, 'ping'), { headers: { 'X-Tenant': 'a' } })
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Signed 1', 'Signed 2'])
    expect(server.seen[1]?.headers).toMatchObject({ 'x-tenant': 'a' })
    expect(signed[1]).toBe(`POST ${server.seen[1]?.body}`)
    expect(await rejection(connection.exchange(request(2, 'ping'), { headers: { 'Content-Length': '1' } }))).toBeInstanceOf(TypeError)
  })

  it('works over a fetch that is given', async () => {
    const server = await sseServer()
    const connection = await httpTransport({ url: server.url, fetch: globalThis.fetch }, 'sse').open(() => {}, { limits: limitsOf() })
    expect(await connection.exchange(request(1, 'ping'))).toEqual(JSON.parse(result(1, {})))
    await connection.close()
    await until(() => server.streams.size === 0, 'the stream is closed')
  })
})
