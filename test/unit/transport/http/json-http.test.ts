import { describe, expect, it } from 'vitest'
import { connect } from '../../../../src/connect.ts'
import type { ConnectOptions } from '../../../../src/connect-options.ts'
import { limitsOf } from '../../../../src/limits.ts'
import { httpTransport } from '../../../../src/transport/http/http-node.ts'
import { connected } from '../../../support/connected.ts'
import { answerTo, plainServer } from '../../../support/legacy-http.ts'
import { rejection } from '../../../support/settled.ts'
import { cleanUp, json, LEGACY, request, result, serve, sse } from './stand-in.ts'

const PLAIN: ConnectOptions = { transport: 'http', logger: false, retries: 0 }

/** Answers every message with JSON, at any path. */
function anywhere(): ReturnType<typeof serve> {
  return serve((one, res) => {
    const answer = one.message === undefined ? undefined : answerTo(one.message)
    if (answer === undefined) res.writeHead(202).end()
    else json(res, answer)
  })
}

describe('plain JSON-RPC over HTTP', () => {
  it('is a POST per message that takes JSON only, and never a GET', async () => {
    const { url, seen } = await plainServer({ version: '2025-11-25' })
    const client = await connected(url, { ...PLAIN, headers: { 'X-Key': 'k' }, roots: [] })
    expect(client).toMatchObject({ transport: 'http', protocolVersion: '2025-11-25' })
    expect((await client.callTool('echo', { a: 1 })).data).toEqual({ name: 'echo', arguments: { a: 1 } })
    await client.ping()
    await client.close()
    expect(new Set(seen.map(({ method }) => method))).toEqual(new Set(['POST']))
    for (const { headers } of seen)
      expect(headers).toMatchObject({ accept: 'application/json', 'content-type': 'application/json', 'x-key': 'k' })
    expect(seen.at(-1)?.headers).toMatchObject({ 'mcp-protocol-version': '2025-11-25' })
  })

  it('speaks 2026-07-28 with a server that does', async () => {
    const { url, seen } = await serve((one, res) => {
      const discovered = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {}, ttlMs: 0, cacheScope: 'private' }
      json(res, result(one.message?.id, discovered))
    })
    const client = await connected(url, PLAIN)
    expect(client).toMatchObject({ transport: 'http', protocolVersion: '2026-07-28' })
    expect(seen[0]?.headers).toMatchObject({ accept: 'application/json', 'mcp-method': 'server/discover' })
  })

  it('keeps sessions as Streamable HTTP does: captured, sent, deleted at the end', async () => {
    const { url, seen } = await plainServer({ session: () => 's-1' })
    const client = await connected(url, PLAIN)
    await client.callTool('echo')
    await client.close()
    const [probe, initialize, ...later] = seen
    expect(probe?.headers).not.toHaveProperty('mcp-session-id')
    expect(initialize?.headers).not.toHaveProperty('mcp-session-id')
    expect(later.map(({ method }) => method)).toEqual(['POST', 'POST', 'DELETE'])
    for (const { headers } of later) expect(headers['mcp-session-id']).toBe('s-1')
  })

  it('greets anew, once for all, when the server has forgotten the session', async () => {
    let session = 's-1'
    const { url, seen } = await plainServer({ session: () => session })
    const client = await connected(url, PLAIN)
    session = 's-2'
    const results = await Promise.all(['a', 'b', 'c'].map((name) => client.callTool(name)))
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false])
    expect(seen.filter(({ message }) => message?.method === 'initialize')).toHaveLength(2)
    expect(seen.at(-1)?.headers['mcp-session-id']).toBe('s-2')
  })

  it('reads an event stream all the same when a server sends one, and never continues it', async () => {
    const { url, seen } = await serve((one, res) => {
      if (one.message?.method === 'initialize') json(res, answerTo(one.message) ?? '', 200, { 'Mcp-Session-Id': 'x' })
      else if (one.message?.method === 'whole') sse(res).end(`id: 1\ndata: ${result(one.message.id)}\n\n`)
      else if (one.message?.id !== undefined) sse(res).end('id: 1\nretry: 0\ndata:\n\n')
      else res.writeHead(202).end()
    })
    const connection = await httpTransport({ url }, 'http').open(() => {}, { limits: limitsOf() })
    cleanUp(() => connection.close())
    await connection.exchange(request(1, 'initialize'))
    connection.adopt(LEGACY)
    connection.listen()
    expect(await connection.exchange(request(2, 'whole'), { resumable: true })).toMatchObject({ result: { ok: true } })
    expect(await rejection(connection.exchange(request(3, 'cut'), { resumable: true }))).toMatchObject({ outcome: 'unknown' })
    expect(seen.every(({ method }) => method === 'POST')).toBe(true)
  })
})

describe('the path that messages are posted to', () => {
  it.each<[string, ConnectOptions, string]>([
    ['/', { transport: 'http' }, '/rpc'],
    ['', { transport: 'http' }, '/rpc'],
    ['/?key=1', { transport: 'http' }, '/rpc?key=1'],
    ['/?key=1', { transport: 'http', endpoint: '/' }, '/'],
    ['/api', { transport: 'http' }, '/api'],
    ['/api/', { transport: 'http' }, '/api/'],
    ['/api?key=1', { transport: 'http' }, '/api?key=1'],
    ['/api?key=1', { transport: 'http', endpoint: '/rpc' }, '/rpc'],
    ['/api', { transport: 'http', endpoint: 'rpc?x=1#y' }, '/rpc?x=1'],
    ['/a/b', { transport: 'streamable-http', endpoint: 'c' }, '/c'],
    ['/', { transport: 'streamable-http' }, '/'],
    ['/', {}, '/'],
  ])('of %j with %j is %s', async (path, options, expected) => {
    const { url, seen } = await anywhere()
    await connected(`${new URL(url).origin}${path}`, { ...PLAIN, transport: 'auto', ...options })
    expect(new Set(seen.map((one) => one.url))).toEqual(new Set([expected]))
  })

  it('keeps the credentials of the URL', async () => {
    const { url, seen } = await anywhere()
    await connected(`http://user:pass@${new URL(url).host}`, PLAIN)
    expect(seen[0]).toMatchObject({ url: '/rpc', headers: { authorization: `Basic ${btoa('user:pass')}` } })
  })

  it.each(['https://evil.example/rpc', '//evil.example/rpc', 'http://user@HOST/rpc'])('never leaves the origin: %s', async (endpoint) => {
    const { url, seen } = await anywhere()
    const error = await rejection(connect(url, { ...PLAIN, endpoint: endpoint.replace('HOST', new URL(url).host) }))
    expect(error).toBeInstanceOf(TypeError)
    expect((error as Error).message).toContain(new URL(url).origin)
    expect(seen).toEqual([])
  })
})
