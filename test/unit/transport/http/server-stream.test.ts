import { afterEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_LIMITS, type Limits } from '../../../../src/limits.ts'
import { HeaderBlock } from '../../../../src/transport/http/header-block.ts'
import type { HttpReceiver, HttpRequest } from '../../../../src/transport/http/http-port.ts'
import { RequestSender } from '../../../../src/transport/http/request-sender.ts'
import { ServerStream } from '../../../../src/transport/http/server-stream.ts'
import { json, openSession, request, result, serve, sse, withSession } from './stand-in.ts'

/** A stream over a port in memory, so that pauses of half a minute can be tested. */
function stage(limits: Partial<Limits> = {}) {
  vi.useFakeTimers()
  const gets: { at: number; lastEventId: string | undefined; receiver: HttpReceiver; aborted: boolean }[] = []
  const received: unknown[] = []
  const reports: string[] = []
  const lost: number[] = []
  const client = {
    start(sent: HttpRequest, receiver: HttpReceiver) {
      const get = { at: performance.now(), lastEventId: sent.extra?.['Last-Event-ID'], receiver, aborted: false }
      gets.push(get)
      return {
        abort() {
          get.aborted = true
        },
      }
    },
    close() {},
  }
  const stream = new ServerStream({
    limits: { ...DEFAULT_LIMITS, ...limits },
    sender: new RequestSender(client, { url: 'http://x/', headers: undefined, signer: undefined, maxRedirects: 3 }),
    getHeaders: new HeaderBlock({}),
    hasSession: true,
    receive: (value) => void received.push(value),
    report: (problem) => void reports.push(problem),
    sessionLost: (status) => void lost.push(status),
  })
  const head = (status: number, headers: Record<string, string> = { 'content-type': 'text/event-stream' }): void =>
    gets.at(-1)?.receiver.head({ status, header: (name) => headers[name] })
  const data = (text: string): void => gets.at(-1)?.receiver.data(text, text.length)
  const end = (): void => gets.at(-1)?.receiver.end()
  const fail = (): void => gets.at(-1)?.receiver.fail({ error: new Error('x'), sent: true })
  /** How long it took to the next attempt, looking at most this far. */
  const nextWithin = (ms: number): number | undefined => {
    const count = gets.length
    const from = performance.now()
    for (let waited = 0; waited <= ms && gets.length === count; waited += 10) vi.advanceTimersByTime(10)
    return gets.length === count ? undefined : (gets.at(-1)?.at ?? 0) - from
  }
  return { stream, gets, received, reports, lost, head, data, end, fail, nextWithin }
}

afterEach(() => {
  vi.useRealTimers()
})

describe("the server's own stream", () => {
  it('gives its messages on without an exchange, and opens once however often it is asked for', async () => {
    const { url, seen } = await serve(
      withSession((one, res) => {
        if (one.method === 'GET') sse(res).write('id: 1\ndata: \n\ndata: {"jsonrpc":"2.0","id":"p","method":"ping"}\n\n')
        else json(res, result(one.message?.id))
      }),
    )
    const { connection, inbound } = await openSession({ url })
    connection.listen()
    connection.listen()
    await expect.poll(() => inbound.length).toBe(1)
    expect(inbound[0]).toEqual({ message: { jsonrpc: '2.0', id: 'p', method: 'ping' }, during: undefined })
    expect(seen.filter((one) => one.method === 'GET')).toHaveLength(1)
  })

  it('answers a request that waits, and drops an answer that nobody waits for', async () => {
    const { url } = await serve(
      withSession((one, res) => {
        if (one.method === 'GET') sse(res).write(`data: ${result(99)}\n\ndata: ${result(1)}\n\ndata: ${result(1)}\n\n`)
      }),
    )
    const { connection, reports } = await openSession({ url })
    const answer = connection.exchange(request(1))
    connection.listen()
    expect(await answer).toMatchObject({ result: { ok: true } })
    await expect.poll(() => reports.length).toBe(2)
  })

  it.each([400, 404, 405, 406, 415])('is not asked for again when the server answers %i', (status) => {
    const { stream, gets, head, nextWithin, reports, lost } = stage()
    stream.start()
    head(status)
    expect(nextWithin(600_000)).toBeUndefined()
    stream.wake()
    expect(gets).toHaveLength(1)
    expect(reports).toEqual([])
    expect(lost).toEqual([])
  })

  it.each([
    ['a page', 'text/html'],
    ['JSON', 'application/json'],
    ['nothing', ''],
  ])('is not asked for again when the server answers with %s', (_name, type) => {
    const { stream, head, nextWithin } = stage()
    stream.start()
    head(200, { 'content-type': type })
    expect(nextWithin(600_000)).toBeUndefined()
  })

  it('that ends at once is tried again at growing intervals, and is then given up', () => {
    const { stream, gets, head, end, nextWithin, reports } = stage()
    stream.start()
    for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000]) {
      head(200)
      end()
      const waited = nextWithin(60_000)
      expect(waited).toBeGreaterThanOrEqual(pause)
      expect(waited).toBeLessThanOrEqual(pause * 1.25 + 20)
    }
    head(200)
    end()
    expect(nextWithin(600_000)).toBeUndefined()
    expect(gets).toHaveLength(6)
    expect(reports).toHaveLength(1)
  })

  it('that is refused by a failing server or broken is tried again likewise, and gets a chance at a later call', () => {
    const { stream, gets, head, fail, nextWithin } = stage({ maxReconnects: 2 })
    stream.start()
    head(503)
    expect(nextWithin(60_000)).toBeGreaterThanOrEqual(1_000)
    fail()
    expect(nextWithin(60_000)).toBeGreaterThanOrEqual(2_000)
    fail()
    stream.wake()
    expect(nextWithin(60_000)).toBeUndefined()
    stream.wake()
    stream.wake()
    expect(gets).toHaveLength(4)
    fail()
    expect(nextWithin(60_000)).toBeUndefined()
    stream.wake()
    head(200)
    gets.at(-1)?.receiver.data('data: {"a":1}\n\n', 1)
    expect(gets).toHaveLength(5)
  })

  it('waits as long as a failing server asks, up to half a minute', () => {
    const { stream, head, nextWithin } = stage()
    stream.start()
    head(503, { 'retry-after': '10' })
    expect(nextWithin(60_000)).toBeGreaterThanOrEqual(10_000)
    head(429, { 'retry-after': '100000' })
    expect(nextWithin(60_000)).toBeLessThanOrEqual(30_020)
  })

  it.each([401, 403])('rests without a login when it is refused with %i, until a call long after', (status) => {
    const { stream, gets, head, nextWithin } = stage()
    stream.start()
    head(status, { 'www-authenticate': 'Bearer' })
    expect(nextWithin(29_000)).toBeUndefined()
    stream.wake()
    expect(gets).toHaveLength(1)
    expect(nextWithin(5_000)).toBeUndefined()
    stream.wake()
    expect(gets).toHaveLength(2)
  })

  it('comes back quietly after five quiet minutes, from its last event, as often as that happens', () => {
    const { stream, gets, head, data, fail, nextWithin, reports } = stage()
    stream.start()
    for (let round = 0; round < 20; round++) {
      head(200)
      if (round === 0) data('id: e1\ndata: {"a":1}\n\n')
      vi.advanceTimersByTime(301_000)
      fail()
      expect(nextWithin(2_000)).toBeGreaterThanOrEqual(1_000)
    }
    expect(gets.map((get) => get.lastEventId)).toEqual([undefined, ...Array.from({ length: 20 }, () => 'e1')])
    expect(reports).toEqual([])
  })

  it.each([
    [0, 100],
    [50, 100],
    [3_000, 3_000],
    [9_999_999, 30_000],
  ])('that spoke and closed comes back after a retry of %i ms in %i ms', (retry, pause) => {
    const { stream, head, data, end, nextWithin } = stage()
    stream.start()
    head(200)
    data(`retry: ${retry}\ndata: {"a":1}\n\n`)
    end()
    expect(nextWithin(60_000)).toBe(pause)
  })

  it('that only primes and closes does not go on for ever', () => {
    const { stream, gets, head, data, end, nextWithin } = stage({ maxReconnects: 3 })
    stream.start()
    for (let round = 0; round < 10; round++) {
      if (gets.length !== round + 1) break
      head(200)
      data(`id: ${round}\nretry: 0\ndata: \n\n`)
      end()
      nextWithin(60_000)
    }
    expect(gets).toHaveLength(4)
  })

  it('that was there before and is answered 404 has lost its session', () => {
    const { stream, head, data, end, nextWithin, lost } = stage()
    stream.start()
    head(200)
    data('data: {"a":1}\n\n')
    end()
    nextWithin(60_000)
    head(404)
    expect(lost).toEqual([404])
  })

  it('with an event beyond the limit is opened anew, not read on', () => {
    const { stream, gets, head, data, received, nextWithin } = stage({ maxMessageBytes: 100 })
    stream.start()
    head(200)
    data(`data: ${'x'.repeat(200)}`)
    expect(gets[0]?.aborted).toBe(true)
    expect(nextWithin(60_000)).toBeGreaterThanOrEqual(1_000)
    head(200)
    data('data: {"a":1}\n\n')
    expect(received).toEqual([{ a: 1 }])
  })

  it('leaves no timer when it is stopped', () => {
    const { stream, gets, head, end } = stage()
    stream.start()
    head(200)
    end()
    stream.stop()
    expect(vi.getTimerCount()).toBe(0)
    stream.start()
    stream.wake()
    expect(gets).toHaveLength(1)
  })
})
