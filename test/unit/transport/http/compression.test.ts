import type { ServerResponse } from 'node:http'
import { brotliCompressSync, constants, createGzip, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ResponseTooLargeError } from '../../../../src/errors.ts'
import { connect } from '../../../../src/index.ts'
import { answerTo } from '../../../support/legacy-http.ts'
import { cleanUp, failure, json, LEGACY, open, request, result, type Seen, serve } from './stand-in.ts'
import { serveProxy } from './stand-in-proxy.ts'

const ASKED = 'gzip, deflate, br'

/** A server that only a proxy finds, so that it is not this machine for those who ask it. */
async function beyond(respond: Parameters<typeof serve>[0]): Promise<{ url: string; seen: Seen[]; proxy: string }> {
  const { url, seen } = await serve(respond)
  const proxy = await serveProxy()
  return { url: url.replace('127.0.0.1', 'server.test'), seen, proxy: proxy.url }
}

function encoded(res: ServerResponse, encoding: string, body: Buffer): void {
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': encoding }).end(body)
}

const encodings = (seen: Seen[]): Record<string, unknown> =>
  Object.fromEntries(seen.map(({ method, message, headers }) => [message?.method ?? method, headers['accept-encoding']]))

async function askedBy(options: object, plan: { loopback?: boolean } = {}): Promise<Record<string, unknown>> {
  const { url, seen, proxy } = await beyond(({ message }, res) => {
    const known: Record<string, unknown> = {
      'prompts/list': { prompts: [] },
      'prompts/get': { messages: [] },
      'resources/list': { resources: [] },
      'resources/templates/list': { resourceTemplates: [] },
      'resources/read': { contents: [] },
    }
    if (message === undefined) return void res.writeHead(405).end()
    if (message.method === 'initialize') {
      const capabilities = { tools: {}, prompts: {}, resources: {} }
      return json(res, result(message.id, { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } }))
    }
    const answer = known[message.method ?? '']
    const text = answer === undefined ? answerTo({ ...message }) : result(message.id, answer)
    if (text === undefined) return void res.writeHead(202).end()
    json(res, text)
  })
  const target = plan.loopback === true ? url.replace('server.test', 'localhost') : url
  const client = await connect(target, { proxy: plan.loopback === true ? false : proxy, era: 'legacy', ...options })
  cleanUp(() => client.close())
  await client.listTools()
  await client.listPrompts()
  await client.listResources()
  await client.listResourceTemplates()
  await client.readResource('a:b')
  await client.getPrompt('p')
  await client.callTool('echo')
  await client.ping()
  return encodings(seen)
}

const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'resources/read']

describe('compression is asked for', () => {
  it('on lists and reads, and on nothing else', async () => {
    const asked = await askedBy({})
    for (const [method, encoding] of Object.entries(asked))
      expect([method, encoding]).toEqual([method, LISTS.includes(method) ? ASKED : undefined])
    expect(Object.keys(asked)).toEqual(expect.arrayContaining(['initialize', 'tools/call', 'ping', ...LISTS]))
  })

  it.each([
    ['with `compression: false`', { compression: false }, {}],
    ['on this machine', {}, { loopback: true }],
  ])('never %s', async (_when, options, plan) => {
    expect(new Set(Object.values(await askedBy(options, plan)))).toEqual(new Set([undefined]))
  })

  it('as the caller says, when the caller says it', async () => {
    const asked = await askedBy({ headers: { 'accept-encoding': 'identity' } })
    expect(new Set(Object.values(asked))).toEqual(new Set(['identity']))
  })

  it('before the handshake and after it, with the session in the same request', async () => {
    const { url, seen, proxy } = await beyond(({ message }, res) => json(res, result(message?.id), 200, { 'Mcp-Session-Id': 'abc' }))
    const { connection } = await open({ url, proxy })
    await connection.exchange(request(0, 'x'), { bulky: true })
    connection.adopt(LEGACY)
    await connection.exchange(request(1, 'x'), { bulky: true, headers: { 'X-Own': '1' } })
    expect(seen.map(({ headers }) => [headers['accept-encoding'], headers['mcp-session-id'], headers['x-own']])).toEqual([
      [ASKED, undefined, undefined],
      [ASKED, 'abc', '1'],
    ])
  })

  it.each(['streamable-http', 'http'] as const)('over %s', async (transport) => {
    const asked = await askedBy({ transport })
    expect(asked['tools/list']).toBe(ASKED)
  })
})

describe('a list that comes compressed', () => {
  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is read: %s', async (encoding, compress) => {
    const tools = Array.from({ length: 500 }, (_, n) => ({ name: `tool-${n}`, description: 'häufig '.repeat(20) }))
    const { url, proxy } = await beyond(({ message }, res) => encoded(res, encoding, compress(Buffer.from(result(message?.id, { tools })))))
    const { connection } = await open({ url, proxy })
    expect(await connection.exchange(request(1), { bulky: true })).toMatchObject({ result: { tools } })
  })

  it('is a stream as well, whose events are read as they come', async () => {
    const { url, proxy } = await beyond(({ message }, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Content-Encoding': 'gzip' })
      const gzip = createGzip()
      gzip.pipe(res)
      gzip.write('data: {"jsonrpc":"2.0","method":"notifications/x"}\n\n')
      gzip.flush(constants.Z_SYNC_FLUSH)
      go = () => gzip.end(`data: ${result(message?.id)}\n\n`)
    })
    let go: () => void = () => {}
    const heard = new Promise<void>((resolve) => {
      void open({ url, proxy }, {}, () => resolve()).then(({ connection }) => {
        answer = connection.exchange(request(1), { bulky: true })
      })
    })
    let answer: Promise<unknown> | undefined
    await heard
    go()
    expect(await answer).toMatchObject({ result: { ok: true } })
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('beyond maxDecompressedBytes fails alone: %s', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(40_000_000, ' '))
    const { url, proxy } = await beyond(({ message }, res) => {
      if (message?.id === 2) return json(res, result(2))
      encoded(res, encoding, bomb)
    })
    const { connection } = await open({ url, proxy }, { maxDecompressedBytes: 1_000_000 })
    const error = await failure(connection.exchange(request(1), { bulky: true }))
    expect(error).toBeInstanceOf(ResponseTooLargeError)
    expect(error).toMatchObject({
      limit: 'maxDecompressedBytes',
      max: 1_000_000,
      message: expect.stringContaining('limits.maxDecompressedBytes'),
    })
    expect(await connection.exchange(request(2))).toMatchObject({ result: { ok: true } })
  })

  it('is counted after decompression only: one of exactly the limit is read, a byte more is not', async () => {
    const body = Buffer.from(result(1, 'x'.repeat(5_000)))
    const { url, proxy } = await beyond((_seen, res) => encoded(res, 'gzip', gzipSync(body)))
    const fits = await open({ url, proxy }, { maxDecompressedBytes: body.length })
    expect(await fits.connection.exchange(request(1))).toMatchObject({ result: expect.any(String) })
    const exceeds = await open({ url, proxy }, { maxDecompressedBytes: body.length - 1 })
    expect(await failure(exceeds.connection.exchange(request(1)))).toBeInstanceOf(ResponseTooLargeError)
  })
})
