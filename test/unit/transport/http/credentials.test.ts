import { describe, expect, it } from 'vitest'
import { AuthorizationError, ConnectionError } from '../../../../src/errors.ts'
import { httpTransport as httpTransportOfNode } from '../../../../src/transport/http/http-node.ts'
import { httpTransport as httpTransportOfWeb } from '../../../../src/transport/http/http-web.ts'
import type { RefusedRequest, SignableRequest, Signer } from '../../../../src/transport/http/signer.ts'
import { failure, json, open, openSession, request, result, serve, sse, withSession } from './stand-in.ts'

describe('the options of an HTTP transport', () => {
  it.each([
    'Accept',
    'content-type',
    'Content-Length',
    'HOST',
    'Connection',
    'Transfer-Encoding',
    'Mcp-Session-Id',
    'mcp-protocol-version',
    'Mcp-Method',
    'Mcp-Name',
    'Mcp-Param-Region',
    'Last-Event-ID',
  ])('refuse the header %s, which the protocol owns', (name) => {
    expect(() => httpTransportOfNode({ url: 'http://x/', headers: { [name]: 'v', ok: 'v' } })).toThrow(TypeError)
    expect(() => httpTransportOfNode({ url: 'http://x/', headers: { [name]: 'v', ok: 'v' } })).toThrow(name)
  })

  it.each([
    ['a line break', 'x', 'secret\r\nEvil: 1'],
    ['characters beyond a byte', 'x', 'secret\u2603'],
    ['a name that is none', 'x y', 'secret'],
    ['an empty name', '', 'secret'],
  ])('refuse a header with %s, without showing its value', (_name, name, value) => {
    const make = () => httpTransportOfNode({ url: 'http://x/', headers: { [name]: value } })
    expect(make).toThrow(TypeError)
    expect(make).not.toThrow(/secret/)
  })

  it.each(['not a url', 'ftp://x/', 'file:///x', '/mcp'])('refuse the URL %s', (url) => {
    expect(() => httpTransportOfNode({ url })).toThrow(TypeError)
  })

  it('refuse tls where it can do nothing', () => {
    expect(() => httpTransportOfNode({ url: 'https://x/', fetch: globalThis.fetch, tls: {} })).toThrow(/tls/)
    expect(() => httpTransportOfWeb({ url: 'https://x/', tls: {} })).toThrow(/tls/)
  })

  it('take credentials with a stray percent sign in the URL', () => {
    expect(() => httpTransportOfNode({ url: 'http://a%zz:%@x/' })).not.toThrow()
  })

  it('make a transport that says its kind, its host and its identity', () => {
    const transport = httpTransportOfWeb({ url: 'https://user:word@example.com:8443/mcp?x=1' })
    expect(transport).toMatchObject({ kind: 'streamable-http', label: 'example.com:8443' })
    expect(transport.identity).toContain('/mcp?x=1')
    expect(transport.identity).not.toContain('word')
  })
})

describe('headers from a function', () => {
  it.each([
    ['at once', () => ({ Authorization: `Bearer ${++count}` })],
    ['later', async () => ({ Authorization: `Bearer ${++count}` })],
  ])('given %s are asked for before each request', async (_name, headers) => {
    count = 0
    const { url, seen } = await serve(({ message }, res) => json(res, result(message?.id)))
    const { connection } = await open({ url, headers })
    await connection.exchange(request(1), { headers: { 'Mcp-Method': 'x' } })
    await connection.post({ jsonrpc: '2.0', method: 'x' })
    expect(seen.map((one) => one.headers.authorization)).toEqual(['Bearer 1', 'Bearer 2'])
    expect(seen[0]?.headers['mcp-method']).toBe('x')
  })

  it('that are not allowed reject with a TypeError, and a function that fails with what it threw as cause', async () => {
    const { url, seen } = await serve(({ message }, res) => json(res, result(message?.id)))
    const owned = await open({ url, headers: () => ({ Host: 'x' }) })
    expect(await failure(owned.connection.exchange(request(1)))).toBeInstanceOf(TypeError)
    const cause = new Error('secret')
    const failing = await open({ url, headers: async () => Promise.reject(cause) })
    const error = await failure(failing.connection.exchange(request(1)))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ outcome: 'not-run', cause })
    expect(String(error)).not.toContain('secret')
    expect(seen).toHaveLength(0)
  })

  it('that come after the call was abandoned send nothing', async () => {
    let give: (headers: Record<string, string>) => void = () => {}
    const { url, seen } = await serve(({ message }, res) => json(res, result(message?.id)))
    const { connection } = await open({ url, headers: () => new Promise((resolve) => (give = resolve)) })
    const call = failure(connection.exchange(request(1)))
    connection.abandon(1, 'enough')
    give({})
    expect(await call).toBe('enough')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(seen).toHaveLength(0)
  })
})

let count = 0

function signer(refused: Signer['refused'] = () => false): Signer & { signed: SignableRequest[]; asked: RefusedRequest[] } {
  const signed: SignableRequest[] = []
  const asked: RefusedRequest[] = []
  return {
    signed,
    asked,
    sign(one) {
      signed.push(one)
      return { authorization: `Bearer ${signed.length}` }
    },
    refused(one) {
      asked.push(one)
      return refused(one)
    },
  }
}

describe('a signer', () => {
  it('sees the exact bytes, URL and headers of every POST, GET and DELETE', async () => {
    const signs = signer()
    const { url, seen } = await serve(
      withSession((one, res) => (one.method === 'GET' ? void sse(res) : json(res, result(one.message?.id)))),
    )
    const { connection } = await openSession({ url: `${url}?a=b`, signer: signs, headers: { Authorization: 'mine', 'X-A': 'b' } })
    await connection.exchange(request(1, 'tools/call', { text: 'ä' }))
    await connection.post({ jsonrpc: '2.0', method: 'x' })
    connection.listen()
    await expect.poll(() => seen.some((one) => one.method === 'GET')).toBe(true)
    await connection.close()
    expect(signs.signed.map((one) => one.method)).toEqual(['POST', 'POST', 'POST', 'GET', 'DELETE'])
    for (const [index, one] of signs.signed.entries()) {
      const arrived = seen.find((candidate) => candidate.headers.authorization === `Bearer ${index + 1}`)
      expect(arrived).toMatchObject({ method: one.method, body: one.body ?? '' })
      expect(one.url).toBe(`${url}?a=b`)
      for (const [name, value] of Object.entries(one.headers)) {
        if (name.toLowerCase() !== 'authorization') expect(arrived?.headers[name.toLowerCase()]).toBe(value)
      }
    }
  })

  it.each([
    ['at once', () => true],
    ['later', async () => true],
  ])('that mended a 401 %s gets one more try, with a new signature and the same body', async (_name, mend) => {
    const signs = signer(mend)
    const { url, seen } = await serve(({ message, headers }, res) => {
      if (headers.authorization === 'Bearer 1')
        res.writeHead(401, { 'WWW-Authenticate': 'DPoP error="use_dpop_nonce"', 'DPoP-Nonce': 'n' }).end('no')
      else json(res, result(message?.id))
    })
    const { connection } = await open({ url, signer: signs })
    expect(await connection.exchange(request(1))).toMatchObject({ result: { ok: true } })
    expect(seen.map((one) => one.body)).toEqual([JSON.stringify(request(1)), JSON.stringify(request(1))])
    expect(signs.asked).toHaveLength(1)
    expect(signs.asked[0]).toMatchObject({ status: 401, challenge: 'DPoP error="use_dpop_nonce"', method: 'POST', url })
    expect(signs.asked[0]?.header('dpop-nonce')).toBe('n')
    expect(signs.asked[0]?.headers.authorization).toBe('Bearer 1')
  })

  it('gets no third try, and the refusal that stays is told with its body', async () => {
    const signs = signer(async () => true)
    const { url, seen } = await serve((_seen, res) => void res.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end('no'))
    const { connection } = await open({ url, signer: signs })
    expect(await failure(connection.exchange(request(1)))).toMatchObject({
      status: 401,
      outcome: 'not-run',
      details: { challenge: 'Bearer', body: 'no' },
    })
    expect(seen).toHaveLength(2)
  })

  it.each([
    ['says so', () => false],
    ['says so later', () => new Promise<boolean>((resolve) => setTimeout(resolve, 30, false))],
    ['fails', () => Promise.reject(new Error('secret'))],
    [
      'throws',
      () => {
        throw new Error('secret')
      },
    ],
  ])('that cannot mend and %s leaves the refusal as it is', async (_name, mend) => {
    const { url, seen } = await serve((_seen, res) => void res.writeHead(401).end('no'))
    const { connection } = await open({ url, signer: signer(mend) })
    expect(await failure(connection.exchange(request(1)))).toMatchObject({ status: 401, outcome: 'not-run', details: { body: 'no' } })
    expect(seen).toHaveLength(1)
  })

  it('is not asked about other refusals', async () => {
    const signs = signer(() => true)
    const { url } = await serve((_seen, res) => void res.writeHead(403).end())
    const { connection } = await open({ url, signer: signs })
    expect(await failure(connection.exchange(request(1)))).toMatchObject({ status: 403 })
    expect(signs.asked).toHaveLength(0)
  })

  it('that fails with an error of ours rejects with it, and nothing was sent', async () => {
    const { url, seen } = await serve(({ message }, res) => json(res, result(message?.id)))
    const error = new AuthorizationError('log in first')
    const failing: Signer = { sign: () => Promise.reject(error), refused: () => false }
    const { connection } = await open({ url, signer: failing })
    expect(await failure(connection.exchange(request(1)))).toBe(error)
    expect(error.outcome).toBe('not-run')
    expect(seen).toHaveLength(0)
  })

  it('is not waited for when the call is abandoned', async () => {
    const { url, seen } = await serve((_seen, res) => void res.writeHead(401).end())
    let decide: (again: boolean) => void = () => {}
    const signs = signer(() => new Promise((resolve) => (decide = resolve)))
    const { connection } = await open({ url, signer: signs })
    const call = failure(connection.exchange(request(1)))
    await expect.poll(() => signs.asked.length).toBe(1)
    connection.abandon(1, 'enough')
    expect(await call).toBe('enough')
    decide(true)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(seen).toHaveLength(1)
  })

  it('signs again for the target of a redirect', async () => {
    const signs = signer()
    const { url, seen } = await serve(({ message, url: path }, res) => {
      if (path === '/mcp') res.writeHead(307, { Location: '/other' }).end()
      else json(res, result(message?.id))
    })
    const { connection } = await open({ url, signer: signs })
    await connection.exchange(request(1))
    expect(signs.signed.map((one) => new URL(one.url).pathname)).toEqual(['/mcp', '/other'])
    expect(seen[1]?.headers.authorization).toBe('Bearer 2')
  })
})
