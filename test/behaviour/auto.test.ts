import { describe, expect, it } from 'vitest'
import { readTarget } from '../../src/config/target.ts'
import { connect } from '../../src/connect.ts'
import type { ConnectOptions } from '../../src/connect-options.ts'
import { ConnectionError, type HttpError, TimeoutError, UnsupportedError } from '../../src/errors.ts'
import { connected } from '../support/connected.ts'
import { plainServer, sseServer, streamableServer } from '../support/legacy-http.ts'
import { rejection } from '../support/settled.ts'
import { json, serve, serveRaw } from '../unit/transport/http/stand-in.ts'

/** Quiet, and without waiting for a server that fails. */
const QUICK: ConnectOptions = { logger: false, retries: 0 }

describe('what auto tries first', () => {
  it.each([
    ['http://h/sse', 'sse'],
    ['http://h/SSE', 'sse'],
    ['http://h/sse/', 'sse'],
    ['http://h/v1/Sse/?key=1', 'sse'],
    ['http://h/sse?path=/mcp', 'sse'],
    ['http://h/sse#mcp', 'sse'],
    ['http://h/mcp', 'streamable-http'],
    ['http://h/mcp?api_key=x', 'streamable-http'],
    ['http://h/mcp?next=/sse', 'streamable-http'],
    ['http://h/mcp/', 'streamable-http'],
    ['http://h/classes', 'streamable-http'],
    ['http://h/sse/messages', 'streamable-http'],
    ['http://h/', 'streamable-http'],
    ['http://h', 'streamable-http'],
  ])('follows the path of %s', (url, first) => {
    const others = first === 'sse' ? ['streamable-http', 'http'] : ['sse', 'http']
    expect(readTarget(url)).toMatchObject({ candidates: [first, ...others] })
    expect(readTarget(new URL(url))).toMatchObject({ candidates: [first, ...others] })
  })

  it.each([
    ['http', ['streamable-http', 'http']],
    ['sse', ['sse']],
    ['streamable-http', ['streamable-http']],
    ['streamable_http', ['streamable-http']],
    ['streamableHttp', ['streamable-http']],
  ])('is what the type %s of a server object says', (type, candidates) => {
    expect(readTarget({ url: 'http://h/sse', type })).toMatchObject({ candidates, options: {} })
  })

  it('is no type that a server object cannot have', () => {
    expect(() => readTarget({ url: 'http://h/', type: 'stdio' })).toThrow(/"stdio".*'http'/)
    expect(() => readTarget({ url: 'http://h/', type: 5 })).toThrow(TypeError)
    expect(() => readTarget({ command: 'x', type: 'sse' })).toThrow(/"sse".*'stdio'/)
    expect(readTarget({ command: 'x', type: 'stdio' })).toMatchObject({ kind: 'stdio' })
  })
})

describe('auto', () => {
  it.each([
    ['streamable-http', streamableServer, '2025-06-18'],
    ['sse', () => sseServer({ path: '/api' }), '2024-11-05'],
    ['http', plainServer, '2024-11-05'],
  ] as const)('reaches a server at /api that speaks only %s', async (kind, start, version) => {
    const server = await start()
    const client = await connected(server.origin.concat('/api'))
    expect(client).toMatchObject({ transport: kind, protocolVersion: version })
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['echo'])
    expect((await client.callTool('echo', { a: 1 })).data).toEqual({ name: 'echo', arguments: { a: 1 } })
  })

  it('reaches a Streamable HTTP server at a path that ends in /sse, and an HTTP+SSE server at one that ends in /mcp', async () => {
    const streamable = await streamableServer('/sse')
    expect((await connected(`${streamable.url}?key=1`)).transport).toBe('streamable-http')
    expect(streamable.seen[0]).toMatchObject({ method: 'GET', url: '/sse?key=1' })
    const legacy = await sseServer({ path: '/mcp' })
    expect((await connected(`${legacy.url}?api_key=x`)).transport).toBe('sse')
    expect(legacy.seen[0]).toMatchObject({ method: 'POST', url: '/mcp?api_key=x' })
  })

  it.each([400, 404, 405, 406, 415])('takes %i to a POST for a reason to look for HTTP+SSE', async (refuse) => {
    const { url } = await sseServer({ path: '/api', refuse })
    expect((await connected(url)).transport).toBe('sse')
  })

  it('takes a JSON-RPC error with a 4xx, and a 2xx without an answer, for such reasons too', async () => {
    for (const refuse of ['error', 'empty', 'html'] as const) {
      let tried: string[] = []
      const { url } = await serve((one, res) => {
        tried.push(`${one.method} ${one.headers.accept}`)
        if (one.method === 'GET') res.writeHead(404).end()
        else if (refuse === 'error') {
          json(res, JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request' } }), 400)
        } else if (refuse === 'empty') res.writeHead(202).end()
        else res.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>')
      })
      expect(await rejection(connect(url, QUICK))).toBeInstanceOf(ConnectionError)
      expect(new Set(tried)).toEqual(
        new Set(['POST application/json, text/event-stream', 'GET text/event-stream', 'POST application/json']),
      )
      tried = []
    }
  })

  it.each([401, 403, 408, 429, 500, 502, 503, 301, 302, 307])('never moves on for %i', async (status) => {
    const { url, seen } = await serve((_, res) => {
      res.writeHead(status, status < 400 ? { Location: 'http://127.0.0.2:1/' } : {}).end()
    })
    expect(await rejection(connect(url, QUICK))).toMatchObject({ code: 'ERR_MCP_HTTP', status })
    expect(seen.every(({ method }) => method === 'POST')).toBe(true)
    expect(seen.every(({ headers }) => headers.accept === 'application/json, text/event-stream')).toBe(true)
  })

  it.each([-32020, -32021, -32022])('never moves on for the error %i of a modern server', async (code) => {
    const { url, seen } = await serve((one, res) => {
      json(
        res,
        JSON.stringify({ jsonrpc: '2.0', id: one.message?.id, error: { code, message: 'no', data: { supported: ['2030-01-01'] } } }),
        400,
      )
    })
    await rejection(connect(url, QUICK))
    expect(seen.every(({ method, headers }) => method === 'POST' && headers.accept?.includes('event-stream'))).toBe(true)
  })

  it('moves on from a server that refuses what Streamable HTTP accepts with a pinned newer revision too', async () => {
    const { url, seen } = await serve(({ message, headers }, res) => {
      if (headers.accept !== 'application/json') return void res.writeHead(406).end()
      const discovery = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {}, ttlMs: 0, cacheScope: 'private' }
      json(res, JSON.stringify({ jsonrpc: '2.0', id: message?.id, result: discovery }))
    })
    expect(await connected(url, { ...QUICK, era: 'modern' })).toMatchObject({ transport: 'http', protocolVersion: '2026-07-28' })
    expect(seen.map(({ message }) => message?.method)).toEqual(['server/discover', 'server/discover'])
  })

  it('says that an older server does not speak a pinned newer revision, whatever transport it refuses', async () => {
    const { url } = await streamableServer()
    expect(await rejection(connect(url, { ...QUICK, era: 'modern' }))).toMatchObject({ code: 'ERR_MCP_PROTOCOL', outcome: 'not-run' })
    const { url: gone } = await serve((_seen, res) => void res.writeHead(404).end())
    expect(await rejection(connect(gone, { ...QUICK, era: 'modern' }))).toMatchObject({ code: 'ERR_MCP_PROTOCOL', outcome: 'not-run' })
  })

  it('never moves on for a broken network or for silence', async () => {
    const broken = await serveRaw((socket) => socket.destroy())
    expect(await rejection(connect(broken.url, QUICK))).toMatchObject({ code: 'ERR_MCP_CONNECTION', reason: { kind: 'network' } })
    const silent = await serve(() => {})
    expect(await rejection(connect(silent.url, { ...QUICK, connectTimeoutMs: 200 }))).toBeInstanceOf(TimeoutError)
    expect(silent.seen).toHaveLength(1)
  })

  it('never moves on when the initialize of a server fails that has answered it', async () => {
    const { url, seen } = await serve((one, res) => {
      json(res, JSON.stringify({ jsonrpc: '2.0', id: one.message?.id, error: { code: -32603, message: 'out of order' } }))
    })
    expect(await rejection(connect(url, QUICK))).toMatchObject({ code: 'ERR_MCP_RPC', rpcCode: -32603 })
    expect(seen.every(({ method }) => method === 'POST')).toBe(true)
  })

  it('lists each attempt with its reason when all fail', async () => {
    const { url } = await serve((one, res) => {
      if (one.method === 'GET') res.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>')
      else res.writeHead(one.headers.accept === 'application/json' ? 404 : 405).end()
    })
    const error = await rejection(connect(`${url}?api_key=secret`, QUICK))
    expect(error).toBeInstanceOf(ConnectionError)
    const { message, cause, outcome, server } = error as ConnectionError
    expect(message).toMatch(
      /by streamable-http, .*answered 405.*; by sse, .*answered 200: content of type text\/html.*; by http, .*answered 404/,
    )
    expect(message).not.toContain('secret')
    expect(outcome).toBe('not-run')
    expect(server).toBe(new URL(url).host)
    expect(cause).toBeInstanceOf(AggregateError)
    expect((cause as AggregateError).errors.map((one: HttpError) => one.status)).toEqual([405, 200, 404])
  })

  it('keeps the evidence of what was tried before an error that ends the trying', async () => {
    const { url } = await serve((one, res) => void res.writeHead(one.method === 'GET' ? 500 : 404).end())
    const error = await rejection(connect(url, QUICK))
    expect(error).toMatchObject({ status: 500 })
    expect((error as HttpError).cause).toMatchObject({ errors: [{ status: 404 }] })
  })

  it('leaves no connection behind of what was tried', async () => {
    const { url, sockets } = await serve((_, res) => void res.writeHead(404).end())
    await rejection(connect(url, QUICK))
    await expect.poll(() => sockets.size).toBe(0)
  })
})

describe('one transport that is asked for', () => {
  it.each([
    ['streamable-http', 'POST'],
    ['streamable_http', 'POST'],
    ['streamableHttp', 'POST'],
    ['sse', 'GET'],
    ['http', 'POST'],
  ] as const)('%s is tried, and nothing else', async (transport, method) => {
    const { url, seen } = await serve((_, res) => void res.writeHead(405).end())
    expect(await rejection(connect(url, { ...QUICK, transport }))).toMatchObject({ code: 'ERR_MCP_HTTP', status: 405 })
    expect(new Set(seen.map((one) => one.method))).toEqual(new Set([method]))
  })

  it('wins over the type and the path', async () => {
    const { url, seen } = await serve((_, res) => void res.writeHead(405).end())
    const target = { url: new URL('/sse', url), type: 'sse' } as const
    await rejection(connect(target, { ...QUICK, transport: 'http' }))
    expect(seen.map(({ method, headers }) => `${method} ${headers.accept}`)).toContain('POST application/json')
    expect(seen.every(({ method }) => method === 'POST')).toBe(true)
  })

  it('is HTTP+SSE for no modern revision, which is said before anything is sent', async () => {
    const { url, seen } = await serve((_, res) => void res.writeHead(404).end())
    const error = await rejection(connect(url, { ...QUICK, transport: 'sse', era: 'modern' }))
    expect(error).toBeInstanceOf(UnsupportedError)
    expect((error as Error).message).toMatch(/2026-07-28.*sse/)
    expect(seen).toEqual([])
    await rejection(connect(url, { ...QUICK, era: '2026-07-28' }))
    expect(seen.some(({ method }) => method === 'GET')).toBe(false)
  })
})
