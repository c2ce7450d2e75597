import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { RequestId } from '../../../../src/jsonrpc/message.ts'
import { failure, json, MODERN, open, openSession, request, result, serve, sse, withSession } from './stand-in.ts'

const RUNTIMES = [
  ['node:http', {}],
  ['fetch', { fetch: globalThis.fetch }],
] as const

describe.each(RUNTIMES)('many calls over %s', (_runtime, base) => {
  it('are on the wire up to maxCallsPerOrigin, and the others follow in order', async () => {
    const held: { id: RequestId | undefined; res: ServerResponse }[] = []
    const { url, seen } = await serve(({ message }, res) => void held.push({ id: message?.id, res }))
    const { connection } = await open({ ...base, url }, { maxCallsPerOrigin: 2 })
    const order: unknown[] = []
    const calls = [1, 2, 3, 4, 5].map((id) => connection.exchange(request(id)).then((answer) => order.push(answer.id)))
    for (const expected of [3, 4, 5, 5, 5]) {
      await expect.poll(() => held.length).toBeGreaterThan(0)
      const one = held.shift()
      if (one !== undefined) json(one.res, result(one.id))
      await expect.poll(() => seen.length).toBe(expected)
    }
    await Promise.all(calls)
    expect([...order].sort()).toEqual([1, 2, 3, 4, 5])
    expect(seen.map((one) => one.message?.id).slice(2)).toEqual([3, 4, 5])
  })

  it('that are abandoned while they wait are never sent, and hold nobody up', async () => {
    let first: ServerResponse | undefined
    const { url, seen } = await serve(({ message }, res) => {
      if (message?.id === 1) first = res
      else json(res, result(message?.id))
    })
    const { connection } = await open({ ...base, url }, { maxCallsPerOrigin: 1 })
    const one = connection.exchange(request(1))
    const two = failure(connection.exchange(request(2)))
    const three = connection.exchange(request(3))
    await expect.poll(() => first).toBeDefined()
    connection.abandon(2, 'enough')
    expect(await two).toBe('enough')
    if (first !== undefined) json(first, result(1))
    await Promise.all([one, three])
    expect(seen.map((seenOne) => seenOne.message?.id)).toEqual([1, 3])
  })

  it('that are abandoned on the wire give their place to the next', async () => {
    const { url, seen } = await serve(({ message }, res) => {
      if (message?.id !== 1) json(res, result(message?.id))
    })
    const { connection } = await open({ ...base, url }, { maxCallsPerOrigin: 1 })
    const one = failure(connection.exchange(request(1)))
    const two = connection.exchange(request(2))
    await expect.poll(() => seen.length).toBe(1)
    connection.abandon(1, 'enough')
    await Promise.all([one, two])
  })

  it('whose streams stay open behind their answers do not hold up the next ones', async () => {
    const { url } = await serve(({ message }, res) => void sse(res).write(`data: ${result(message?.id)}\n\n`))
    const { connection } = await open({ ...base, url }, { maxCallsPerOrigin: 2 })
    const start = performance.now()
    await Promise.all(Array.from({ length: 20 }, (_, id) => connection.exchange(request(id))))
    expect(performance.now() - start).toBeLessThan(1_500)
  })

  it('that all ask us something get their replies while every place is taken', async () => {
    const streams = new Map<string, ServerResponse>()
    const { url } = await serve(
      withSession(({ message, body, method }, res) => {
        if (method === 'GET') return void sse(res)
        if (message?.method === 'tools/call') {
          streams.set(`q${message.id}`, sse(res))
          res.write(`data: {"jsonrpc":"2.0","id":"q${message.id}","method":"sampling/createMessage"}\n\n`)
          return
        }
        const { id } = JSON.parse(body) as { id: string }
        res.writeHead(202).end()
        streams.get(id)?.end(`data: ${result(Number(id.slice(1)))}\n\n`)
      }),
    )
    const { connection } = await openSession({ ...base, url }, { maxCallsPerOrigin: 128 }, (message, from) => {
      if ('id' in message) void from.post({ jsonrpc: '2.0', id: message.id, result: {} })
    })
    connection.listen()
    const answers = await Promise.all(Array.from({ length: 256 }, (_, n) => connection.exchange(request(n + 1))))
    expect(answers.map((answer) => answer.id)).toEqual(Array.from({ length: 256 }, (_, n) => n + 1))
  })

  it('of ten thousand that fail at once all reject, without exhausting the stack', async () => {
    const { connection } = await open(
      { ...base, url: 'http://127.0.0.1:1/mcp', headers: () => ({ 'x-bad': 'a\nb' }) },
      { maxCallsPerOrigin: 1 },
    )
    const outcomes = await Promise.allSettled(Array.from({ length: 10_000 }, (_, id) => connection.exchange(request(id))))
    expect(outcomes.every((outcome) => outcome.status === 'rejected' && outcome.reason instanceof TypeError)).toBe(true)
  })

  it('that cannot be written as JSON, or whose headers cannot be written at all, reject alone', async () => {
    const { url, seen } = await serve(({ message }, res) => json(res, result(message?.id)))
    const { connection } = await open({ ...base, url }, { maxCallsPerOrigin: 1 })
    const circular: Record<string, unknown> = {}
    circular.self = circular
    expect(await failure(connection.exchange(request(1, 'x', circular)))).toBeInstanceOf(TypeError)
    for (const headers of [
      { 'Mcp-Name': 'a\r\nX-Evil: 1' },
      { 'Mcp-Name': 'snowman \u2603' },
      { 'Bad Name': 'x' },
      { 'Content-Length': '5' },
      { 'transfer-encoding': 'chunked' },
      { Host: 'evil' },
      { 'MCP-Session-Id': 'other' },
    ]) {
      expect(await failure(connection.exchange(request(2), { headers }))).toBeInstanceOf(TypeError)
    }
    expect(await connection.exchange(request(3))).toMatchObject({ result: { ok: true } })
    expect(seen).toHaveLength(1)
  })
})

describe('connections of node:http', () => {
  it('are used again, call after call, for JSON and for streams', async () => {
    const ports = new Set<number | undefined>()
    const { url } = await serve(({ message, socket }, res) => {
      ports.add(socket.remotePort)
      if (Number(message?.id) % 2 === 0) json(res, result(message?.id))
      else sse(res).end(`data: ${result(message?.id)}\n\n`)
    })
    const { connection } = await open({ url })
    for (let id = 0; id < 20; id++) {
      await connection.exchange(request(id))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(ports.size).toBeLessThanOrEqual(3)
  })

  it.each([
    ['for longer than two seconds', {}, 2_150],
    ['for longer than the server announces, less a second', { 'Keep-Alive': 'timeout=2' }, 1_150],
  ])('are not used when they were idle %s, even if no timer could fire', async (_name, headers, idle) => {
    const ports: (number | undefined)[] = []
    const { url } = await serve(({ message, socket }, res) => {
      ports.push(socket.remotePort)
      json(res, result(message?.id), 200, headers)
    })
    const { connection } = await open({ url })
    await connection.exchange(request(1))
    await new Promise((resolve) => setImmediate(resolve))
    await connection.exchange(request(2))
    await new Promise((resolve) => setImmediate(resolve))
    expect(new Set(ports).size).toBe(1)
    const until = performance.now() + idle
    while (performance.now() < until);
    await connection.exchange(request(3))
    expect(new Set(ports).size).toBe(2)
  })

  it('are closed when they have been idle for two seconds', async () => {
    const { url, sockets, server } = await serve(({ message }, res) => json(res, result(message?.id)))
    server.keepAliveTimeout = 60_000
    const { connection } = await open({ url })
    await Promise.all([1, 2, 3].map((id) => connection.exchange(request(id))))
    expect(sockets.size).toBe(3)
    await expect.poll(() => sockets.size, { timeout: 4_000 }).toBe(0)
  })

  it('are not kept at all when the server gives them no second', async () => {
    const ports = new Set<number | undefined>()
    const { url } = await serve(({ message, socket }, res) => {
      ports.add(socket.remotePort)
      json(res, result(message?.id), 200, { 'Keep-Alive': 'timeout=1' })
    })
    const { connection } = await open({ url })
    for (const id of [1, 2, 3]) {
      await connection.exchange(request(id))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(ports.size).toBe(3)
  })

  it('are never met again after the server closed them', async () => {
    const { url, sockets } = await serve(({ message }, res) => json(res, result(message?.id)))
    const { connection } = await open({ url })
    for (let id = 0; id < 30; id++) {
      expect(await connection.exchange(request(id))).toMatchObject({ result: { ok: true } })
      await new Promise((resolve) => setImmediate(resolve))
      for (const socket of sockets) socket.end()
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  })

  it('are all gone when the connection is closed, streams included', async () => {
    const { url, sockets } = await serve(withSession((one, res) => (one.method === 'GET' ? void sse(res) : undefined)))
    const { connection } = await openSession({ url })
    connection.listen()
    const running = failure(connection.exchange(request(1)))
    await expect.poll(() => sockets.size).toBeGreaterThanOrEqual(2)
    await connection.close()
    await running
    await expect.poll(() => sockets.size).toBe(0)
  })

  it('leave nothing behind that keeps the process alive', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const { url } = await serve(({ message }, res) => void sse(res).write(`data: ${result(message?.id)}\n\n`))
    const { connection } = await open({ url }, { maxCallsPerOrigin: 2 })
    connection.adopt(MODERN)
    const before = timers()
    await Promise.all([1, 2, 3, 4].map((id) => connection.exchange(request(id))))
    await connection.close()
    await new Promise((resolve) => setImmediate(resolve))
    expect(timers()).toBeLessThanOrEqual(before)
  })
})
