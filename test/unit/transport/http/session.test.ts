import { describe, expect, it } from 'vitest'
import { ConnectionError, HttpError } from '../../../../src/errors.ts'
import { failure, json, LEGACY, MODERN, open, openSession, request, result, serve, serveRaw, sse, withSession } from './stand-in.ts'

const RUNTIMES = [
  ['node:http', {}],
  ['fetch', { fetch: globalThis.fetch }],
] as const

describe.each(RUNTIMES)('a session over %s', (_runtime, base) => {
  it('is spoken for by every later POST, GET and DELETE, with the negotiated version, and by nothing before', async () => {
    const { url, seen } = await serve(
      withSession((one, res) => (one.method === 'GET' ? void sse(res) : json(res, result(one.message?.id)))),
    )
    const { connection } = await openSession({ ...base, url })
    await connection.post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    connection.listen()
    await connection.exchange(request(1))
    await expect.poll(() => seen.some((one) => one.method === 'GET')).toBe(true)
    await connection.close()
    const [first, ...later] = seen
    expect(first?.headers).not.toHaveProperty('mcp-session-id')
    expect(first?.headers).not.toHaveProperty('mcp-protocol-version')
    expect(later.map((one) => one.method).sort()).toEqual(['DELETE', 'GET', 'POST', 'POST'])
    for (const one of later) expect(one.headers).toMatchObject({ 'mcp-session-id': 'abc', 'mcp-protocol-version': '2025-11-25' })
    expect(later.find((one) => one.method === 'GET')?.headers).toMatchObject({ accept: 'text/event-stream' })
    expect(later.find((one) => one.method === 'GET')?.headers).not.toHaveProperty('content-type')
  })

  it('is the one of the last reply before the handshake was done', async () => {
    const { url, seen } = await serve(({ message }, res) => {
      const id = { probe: 'old', initialize: 'new' }[message?.method ?? '']
      json(res, result(message?.id), 200, id === undefined ? {} : { 'Mcp-Session-Id': id })
    })
    const { connection } = await open({ ...base, url })
    await connection.exchange(request(0, 'probe'))
    await connection.exchange(request(1, 'initialize'))
    connection.adopt(LEGACY)
    await connection.exchange(request(2))
    expect(seen.map((one) => one.headers['mcp-session-id'])).toEqual([undefined, undefined, 'new'])
    const other = await open({ ...base, url })
    await other.connection.exchange(request(0, 'probe'))
    await other.connection.exchange(request(1, 'no session here'))
    other.connection.adopt(LEGACY)
    await other.connection.exchange(request(2))
    expect(seen.at(-1)?.headers).not.toHaveProperty('mcp-session-id')
  })

  it.each([
    ['spaces', 'a b'],
    ['characters beyond ASCII', 'caf\u00e9'],
    ['too many characters', 'x'.repeat(5_000)],
  ])('id with %s is reported without showing it, and ignored', async (_name, id) => {
    const { url, seen } = await serve(({ message }, res) => json(res, result(message?.id), 200, { 'Mcp-Session-Id': id }))
    const { connection, reports } = await openSession({ ...base, url })
    await connection.exchange(request(1))
    expect(seen[1]?.headers).not.toHaveProperty('mcp-session-id')
    expect(reports).toHaveLength(1)
    expect(reports[0]).not.toContain(id)
  })

  it('id is ignored in a link without sessions, which sends nothing but POSTs', async () => {
    const { url, seen } = await serve(({ message }, res) => json(res, result(message?.id), 200, { 'Mcp-Session-Id': 'abc' }))
    const { connection } = await open({ ...base, url })
    await connection.exchange(request(0))
    connection.adopt(MODERN)
    connection.listen()
    await connection.exchange(request(1))
    await connection.close()
    expect(seen.map((one) => one.method)).toEqual(['POST', 'POST'])
    expect(seen[1]?.headers).not.toHaveProperty('mcp-session-id')
  })

  it.each([
    ['404 without a body', 404, ''],
    ['404 with a JSON-RPC error', 404, '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}'],
    [
      '400 with a JSON-RPC error',
      400,
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}',
    ],
    [
      '400 with an error under a made-up id',
      400,
      '{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Missing session ID"}}',
    ],
    ['400 with text', 400, 'Invalid Mcp-Session-Id'],
  ])('that the server does not know any more (%s) is lost: that request did not run, others finish', async (_name, status, body) => {
    let finish: (() => void) | undefined
    const { url, seen } = await serve(
      withSession(({ message, method }, res) => {
        if (method === 'GET') sse(res)
        else if (message?.id === 1) finish = () => json(res, result(1))
        else json(res, body, status, { 'Content-Type': body.startsWith('{') ? 'application/json' : 'text/plain' })
      }),
    )
    const { connection } = await openSession({ ...base, url })
    const running = connection.exchange(request(1))
    await expect.poll(() => finish).toBeDefined()
    const error = await failure(connection.exchange(request(2)))
    expect(error).toBeInstanceOf(HttpError)
    expect(error).toMatchObject({ status, outcome: 'not-run' })
    expect(String(error)).not.toContain('abc')
    expect(await connection.lost).toMatchObject({ kind: 'session', status })
    const before = seen.length
    expect(await failure(connection.exchange(request(3)))).toMatchObject({ outcome: 'not-run', reason: { kind: 'session' } })
    expect(await failure(connection.post({ jsonrpc: '2.0', method: 'x' }))).toMatchObject({ outcome: 'not-run' })
    finish?.()
    expect(await running).toMatchObject({ result: { ok: true } })
    await connection.close()
    expect(seen).toHaveLength(before)
  })

  it('that is lost sends nothing of what still waits for its turn', async () => {
    const { url, seen } = await serve(withSession((_one, res) => void setTimeout(() => res.writeHead(404).end(), 30)))
    const { connection } = await openSession({ ...base, url }, { maxCallsPerOrigin: 1 })
    const outcomes = await Promise.all([1, 2, 3].map((id) => failure(connection.exchange(request(id)))))
    expect(outcomes).toMatchObject([
      { status: 404, outcome: 'not-run' },
      { outcome: 'not-run', reason: { kind: 'session' } },
      { outcome: 'not-run', reason: { kind: 'session' } },
    ])
    expect(seen).toHaveLength(2)
  })

  it('is lost as well when a notification is told so', async () => {
    const { url } = await serve(withSession((_one, res) => void res.writeHead(404).end()))
    const { connection } = await openSession({ ...base, url })
    expect(await failure(connection.post({ jsonrpc: '2.0', method: 'x' }))).toMatchObject({ status: 404, outcome: 'not-run' })
    expect(await connection.lost).toMatchObject({ kind: 'session' })
  })

  it.each([
    ['400 about something else', 400, '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}'],
    ['invalid params that name a session', 400, '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no such session"}}'],
    ['a failing tool that names a session', 500, '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"session not found"}}'],
  ])('is not lost by %s', async (_name, status, body) => {
    const { url } = await serve(
      withSession(({ message }, res) => (message?.id === 1 ? json(res, body, status) : json(res, result(message?.id)))),
    )
    const { connection } = await openSession({ ...base, url })
    expect(await connection.exchange(request(1))).toMatchObject({ status, error: {} })
    expect(await connection.exchange(request(2))).toMatchObject({ result: { ok: true } })
  })

  it('is not lost by a 404 where there is none, and a 404 proves nothing then', async () => {
    const { url } = await serve(({ message }, res) => (message?.id === 1 ? void res.writeHead(404).end() : json(res, result(message?.id))))
    const { connection } = await openSession({ ...base, url })
    expect(await failure(connection.exchange(request(1)))).toMatchObject({ status: 404, outcome: 'unknown' })
    expect(await connection.exchange(request(2))).toMatchObject({ result: { ok: true } })
  })
})

describe.each(RUNTIMES)('closing a connection over %s', (_runtime, base) => {
  it('rejects what runs and what waits, ends the session, and lets nothing begin', async () => {
    const { url, seen } = await serve(withSession(() => {}))
    const { connection } = await openSession({ ...base, url }, { maxCallsPerOrigin: 1 })
    const running = failure(connection.exchange(request(1)))
    const waiting = failure(connection.exchange(request(2)))
    const posted = failure(connection.post({ jsonrpc: '2.0', method: 'x' }))
    await expect.poll(() => seen.length).toBe(3)
    await Promise.all([connection.close(), connection.close()])
    expect(await running).toMatchObject({ outcome: 'unknown', reason: { kind: 'closed' } })
    expect(await waiting).toMatchObject({ outcome: 'not-run', reason: { kind: 'closed' } })
    expect(await posted).toBeInstanceOf(ConnectionError)
    expect(await connection.closed).toMatchObject({ kind: 'closed' })
    expect(await connection.lost).toMatchObject({ kind: 'closed' })
    expect(await failure(connection.exchange(request(3)))).toMatchObject({ outcome: 'not-run' })
    expect(seen.at(-1)).toMatchObject({ method: 'DELETE' })
  })

  it.each([405, 404, 500])('takes any answer to the DELETE, such as %i', async (status) => {
    const { url } = await serve((one, res) => {
      if (one.method === 'DELETE') res.writeHead(status).end()
      else json(res, result(one.message?.id), 200, { 'Mcp-Session-Id': 'abc' })
    })
    const { connection } = await openSession({ ...base, url })
    await connection.close()
  })

  it('waits for the answer to the DELETE no longer than a moment', async () => {
    const { url, seen, sockets } = await serve((one, res) => {
      if (one.method !== 'DELETE') json(res, result(one.message?.id), 200, { 'Mcp-Session-Id': 'abc' })
    })
    const { connection } = await openSession({ ...base, url })
    const start = performance.now()
    await connection.close()
    expect(performance.now() - start).toBeGreaterThan(1_300)
    expect(performance.now() - start).toBeLessThan(2_500)
    expect(seen.at(-1)?.method).toBe('DELETE')
    if (base !== RUNTIMES[1][1]) await expect.poll(() => sockets.size).toBe(0)
  })

  it('is the same when the server is gone', async () => {
    const { url, server } = await serve(withSession(() => {}))
    const { connection } = await openSession({ ...base, url })
    server.closeAllConnections()
    server.close()
    await connection.close()
  })
})

describe.each(RUNTIMES)('a reply stream that ends early over %s', (_runtime, base) => {
  const progress = (n: number): string => `{"jsonrpc":"2.0","method":"notifications/progress","params":{"n":${n}}}`

  it.each(['gracefully', 'by a cut'])('%s is continued by GET after the pause that the server asked for', async (how) => {
    const times: number[] = []
    const { url, seen } = await serve(
      withSession((one, res) => {
        times.push(performance.now())
        if (one.method === 'POST') {
          sse(res).write(`id: a1\nretry: 150\ndata: \n\nid: a2\ndata: ${progress(1)}\n\n`)
          setTimeout(() => (how === 'gracefully' ? res.end() : res.destroy()), 20)
        } else sse(res).end(`id: a3\ndata: ${progress(2)}\n\nid: a4\ndata: ${result(1)}\n\n`)
      }),
    )
    const { connection, inbound } = await openSession({ ...base, url })
    expect(await connection.exchange(request(1), { resumable: true })).toMatchObject({ result: { ok: true } })
    expect(inbound.map(({ message, during }) => [message.params?.n, during])).toEqual([
      [1, 1],
      [2, 1],
    ])
    expect(seen[2]).toMatchObject({
      method: 'GET',
      headers: { 'last-event-id': 'a2', 'mcp-session-id': 'abc', accept: 'text/event-stream' },
    })
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(150)
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeLessThan(600)
  })

  it('is continued after a second when the server said nothing, and not at once for a retry of 0', async () => {
    const times: Record<string, number[]> = { plain: [], zero: [] }
    const { url } = await serve(
      withSession((one, res) => {
        const kind = one.message?.method ?? String(one.headers['last-event-id'])
        times[kind]?.push(performance.now())
        if (one.method === 'POST') sse(res).end(`id: ${kind}\n${kind === 'zero' ? 'retry: 0\n' : ''}data: \n\n`)
        else sse(res).end(`data: ${result(kind)}\n\n`)
      }),
    )
    const { connection } = await openSession({ ...base, url })
    await Promise.all(['plain', 'zero'].map((kind) => connection.exchange(request(kind, kind), { resumable: true })))
    const pause = (kind: string): number => (times[kind]?.[1] ?? 0) - (times[kind]?.[0] ?? 0)
    expect(pause('plain')).toBeGreaterThanOrEqual(990)
    expect(pause('zero')).toBeGreaterThanOrEqual(9)
    expect(pause('zero')).toBeLessThan(500)
  })

  it('is continued from its own last event, although another stream has the same ids', async () => {
    const { url, seen } = await serve(
      withSession((one, res) => {
        if (one.method === 'POST') {
          const last = one.message?.id === 1 ? 'x' : 'y'
          sse(res).end(`id: 0\nretry: 10\ndata: \n\nid: ${last}\ndata: \n\n`)
        } else sse(res).end(`data: ${result(one.headers['last-event-id'] === 'x' ? 1 : 2, one.headers['last-event-id'])}\n\n`)
      }),
    )
    const { connection } = await openSession({ ...base, url })
    const answers = await Promise.all([1, 2].map((id) => connection.exchange(request(id), { resumable: true })))
    expect(answers).toMatchObject([{ result: 'x' }, { result: 'y' }])
    expect(seen.filter((one) => one.method === 'GET')).toHaveLength(2)
  })

  it('sends an id beyond ASCII as its UTF-8 bytes', async () => {
    const { url, seen } = await serve(
      withSession((one, res) => void sse(res).end(one.method === 'POST' ? 'id: ä€\nretry: 10\ndata: \n\n' : `data: ${result(1)}\n\n`)),
    )
    const { connection } = await openSession({ ...base, url })
    await connection.exchange(request(1), { resumable: true })
    expect(Buffer.from(String(seen[2]?.headers['last-event-id']), 'latin1').toString()).toBe('ä€')
  })

  it('is given up when attempt upon attempt brings nothing, priming events included', async () => {
    const { url, seen } = await serve(withSession((_one, res) => void sse(res).end(`id: ${Math.random()}\nretry: 10\ndata: \n\n`)))
    const { connection } = await openSession({ ...base, url }, { maxReconnects: 3 })
    const error = await failure(connection.exchange(request(1), { resumable: true }))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ outcome: 'unknown', reason: { kind: 'stream' } })
    expect(seen.filter((one) => one.method === 'GET')).toHaveLength(3)
  })

  it('counts the attempts anew when one brought something', async () => {
    let gets = 0
    const { url } = await serve(
      withSession((one, res) => {
        if (one.method === 'GET') gets++
        const answer = gets === 6 ? `data: ${result(1)}\n\n` : ''
        sse(res).end(`id: ${gets}\nretry: 10\ndata: ${one.method === 'GET' ? progress(gets) : ''}\n\n${answer}`)
      }),
    )
    const { connection } = await openSession({ ...base, url }, { maxReconnects: 2 })
    expect(await connection.exchange(request(1), { resumable: true })).toMatchObject({ result: { ok: true } })
  })

  it('is tried again when the server fails for a while', async () => {
    let gets = 0
    const { url } = await serve(
      withSession((one, res) => {
        if (one.method === 'POST') sse(res).end('id: 1\nretry: 10\ndata: \n\n')
        else if (gets++ === 0) res.writeHead(503).end()
        else if (gets === 2) one.socket.destroy()
        else sse(res).end(`data: ${result(1)}\n\n`)
      }),
    )
    const { connection } = await openSession({ ...base, url })
    expect(await connection.exchange(request(1), { resumable: true })).toMatchObject({ result: { ok: true } })
    expect(gets).toBe(3)
  })

  it.each([401, 403, 404, 405])('whose continuation is refused with %i may have run all the same', async (status) => {
    const { url } = await serve(
      withSession((one, res) => {
        if (one.method === 'POST') sse(res).end('id: 1\nretry: 10\ndata: \n\n')
        else res.writeHead(status, { 'Content-Type': 'text/html' }).end('<p>')
      }),
    )
    const { connection } = await openSession({ ...base, url })
    expect(await failure(connection.exchange(request(1), { resumable: true }))).toMatchObject({ status, outcome: 'unknown' })
    if (status === 404) expect(await connection.lost).toMatchObject({ kind: 'session' })
  })

  it.each([
    ['without an event id', 'data: \n\n', true],
    ['when nobody asked for it', 'id: 1\ndata: \n\n', false],
    ['from an id that is too long', `id: ${'x'.repeat(2_000)}\ndata: \n\n`, true],
  ])('is not continued %s', async (_name, events, resumable) => {
    const { url, seen } = await serve(withSession((_one, res) => void sse(res).end(events)))
    const { connection } = await openSession({ ...base, url })
    expect(await failure(connection.exchange(request(1), { resumable }))).toMatchObject({ outcome: 'unknown', reason: { kind: 'stream' } })
    expect(seen.filter((one) => one.method === 'GET')).toHaveLength(0)
  })

  it('is left alone when the exchange is abandoned during the pause', async () => {
    const { url, seen } = await serve(withSession((_one, res) => void sse(res).end('id: 1\nretry: 300\ndata: \n\n')))
    const { connection } = await openSession({ ...base, url })
    const outcome = failure(connection.exchange(request(1), { resumable: true }))
    await expect.poll(() => seen.length).toBe(2)
    await new Promise((resolve) => setTimeout(resolve, 20))
    connection.abandon(1, 'enough')
    expect(await outcome).toBe('enough')
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(seen).toHaveLength(2)
  })

  it('rejects with the outcome unknown when the connection is closed during the pause', async () => {
    const { url, seen } = await serve(withSession((_one, res) => void sse(res).end('id: 1\ndata: \n\n')))
    const { connection } = await openSession({ ...base, url })
    const outcome = failure(connection.exchange(request(1), { resumable: true }))
    await expect.poll(() => seen.length).toBe(2)
    await connection.close()
    expect(await outcome).toMatchObject({ outcome: 'unknown' })
  })
})

describe('requests to a session that the server restarts in between', () => {
  it('that were cut before a byte of the answer came may have run', async () => {
    const { url } = await serveRaw((socket, connection) => {
      if (connection > 0) return void socket.destroy()
      const body = result(0)
      socket.end(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nMcp-Session-Id: abc\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      )
    })
    const { connection } = await openSession({ url })
    const error = await failure(connection.exchange(request(1)))
    expect(error).toMatchObject({ outcome: 'unknown', reason: { kind: 'network', errno: 'ECONNRESET' } })
  })
})
