import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ConnectionError, ResponseTooLargeError } from '../../../../src/errors.ts'
import { failure, json, open, request, result, serve, serveRaw } from './stand-in.ts'

describe('a compressed reply', () => {
  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
  ])('of encoding %s is read, JSON and stream', async (encoding, compress) => {
    const { url } = await serve(({ message }, res) => {
      const type = message?.id === 1 ? 'application/json' : 'text/event-stream'
      const body = message?.id === 1 ? result(1, 'äß😀') : `data: ${result(2, 'äß😀')}\n\n`
      res.writeHead(200, { 'Content-Type': type, 'Content-Encoding': encoding })
      res.end(compress(Buffer.from(body)))
    })
    const { connection } = await open({ url })
    expect(await connection.exchange(request(1))).toMatchObject({ result: 'äß😀' })
    expect(await connection.exchange(request(2))).toMatchObject({ result: 'äß😀' })
  })

  it.each([
    ['node:http', {}],
    ['fetch', { fetch: globalThis.fetch }],
  ])('beyond maxDecompressedBytes fails alone, at little cost, over %s', async (_runtime, base) => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 'x'))
    const { url } = await serve(({ message }, res) => {
      if (message?.id === 2) return json(res, result(2))
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      res.end(bomb)
    })
    const { connection } = await open({ ...base, url }, { maxDecompressedBytes: 100_000 })
    const error = await failure(connection.exchange(request(1)))
    expect(error).toBeInstanceOf(ResponseTooLargeError)
    expect(error).toMatchObject({ limit: 'maxDecompressedBytes', max: 100_000, outcome: 'unknown' })
    expect(await connection.exchange(request(2))).toMatchObject({ result: { ok: true } })
  })

  it.each([
    ['node:http', {}, '\n'],
    ['node:http', {}, '\r\n'],
    ['node:http', {}, '\r'],
    ['fetch', { fetch: globalThis.fetch }, '\n'],
  ])('that is a stream may be longer than maxDecompressedBytes, but no event of it, over %s %s %j', async (_runtime, base, eol) => {
    const event = (size: number): string => `data: {"jsonrpc":"2.0","method":"x","params":{"y":"${'y'.repeat(size)}"}}${eol}${eol}`
    const { url } = await serve(({ message }, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Content-Encoding': 'gzip' })
      const last = message?.id === 1 ? '' : event(1_000)
      res.end(gzipSync(`${event(900).repeat(100)}${last}data: ${result(message?.id)}${eol}${eol}`))
    })
    const { connection, inbound } = await open({ ...base, url }, { maxDecompressedBytes: 1_000 })
    expect(await connection.exchange(request(1))).toMatchObject({ result: { ok: true } })
    expect(inbound).toHaveLength(100)
    expect(await failure(connection.exchange(request(2)))).toMatchObject({ limit: 'maxDecompressedBytes', outcome: 'unknown' })
  })

  it.each([
    ['is cut', 'gzip', gzipSync('{"jsonrpc":"2.0","id":1,"result":1}').subarray(0, 20)],
    ['is damaged', 'gzip', Buffer.from('no gzip at all')],
    ['has an encoding that nobody knows', 'rot13', Buffer.from('x')],
  ])('that %s rejects with the outcome unknown', async (_name, encoding, body) => {
    const { url } = await serve((_seen, res) => {
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': encoding })
      res.end(body)
    })
    const { connection } = await open({ url })
    const error = await failure(connection.exchange(request(1)))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ outcome: 'unknown' })
  })
})

describe('the head of a reply', () => {
  it.each([['node:http', {}]])('beyond maxHeaderBytes fails alone over %s', async (_runtime, base) => {
    const { url } = await serve(({ message }, res) => {
      json(res, result(message?.id), 200, message?.id === 1 ? { 'X-Long': 'x'.repeat(5_000) } : {})
    })
    const { connection } = await open({ ...base, url }, { maxHeaderBytes: 4_096 })
    const error = await failure(connection.exchange(request(1)))
    expect(error).toBeInstanceOf(ResponseTooLargeError)
    expect(error).toMatchObject({ limit: 'maxHeaderBytes', max: 4_096, outcome: 'unknown' })
    expect(await connection.exchange(request(2))).toMatchObject({ result: { ok: true } })
  })

  it('may come in pieces, after a provisional one', async () => {
    const body = result(1)
    const { url } = await serveRaw(async (socket) => {
      const text = `HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      for (const char of text) {
        socket.write(char)
        await new Promise((resolve) => setImmediate(resolve))
      }
    })
    const { connection } = await open({ url })
    expect(await connection.exchange(request(1))).toMatchObject({ result: { ok: true } })
  })
})

describe('a reply cut at any byte', () => {
  const json1 = result(1, { text: 'äß' })
  const events = `id: 1\ndata: {"jsonrpc":"2.0","method":"n"}\n\ndata: ${json1}\n\n`
  it.each([
    ['JSON', `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json1)}\r\n\r\n${json1}`],
    [
      'a stream',
      `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n${Buffer.byteLength(events).toString(16)}\r\n${events}\r\n0\r\n\r\n`,
    ],
  ])('either has the answer or rejects with the outcome unknown: %s', async (_name, reply) => {
    const bytes = Buffer.from(reply)
    let cut = 0
    const { url } = await serveRaw((socket) => void socket.end(bytes.subarray(0, cut)))
    const { connection } = await open({ url })
    let answered = 0
    for (cut = 0; cut <= bytes.length; cut++) {
      const outcome = await connection.exchange(request(1)).then(
        () => 'answered',
        (error: { outcome?: string }) => error.outcome,
      )
      expect(['answered', 'unknown']).toContain(outcome)
      if (outcome === 'answered') answered++
      else expect(answered).toBe(0)
    }
    expect(answered).toBeGreaterThan(0)
  })
})
