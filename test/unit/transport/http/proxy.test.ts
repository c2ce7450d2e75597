import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ConnectionError, HttpError, ResponseTooLargeError } from '../../../../src/errors.ts'
import { connect } from '../../../../src/index.ts'
import { isLoopback } from '../../../../src/transport/http/loopback.ts'
import { environmentProxy } from '../../../../src/transport/http/node-env-proxy.ts'
import { answerTo } from '../../../support/legacy-http.ts'
import { type Authority, type Identity, noCertificates, withAuthority } from './certificates.ts'
import { cleanUp, deadPort, failure, json, LEGACY, open, type Respond, request, result, serve, sse } from './stand-in.ts'
import { serveProxy } from './stand-in-proxy.ts'
import { serveTls } from './stand-in-tls.ts'

if (noCertificates !== undefined) console.log(`skip: proxies with TLS (${noCertificates})`)

const VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()])

beforeEach(() => {
  for (const name of VARIABLES) vi.stubEnv(name, undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
})

const made =
  noCertificates === undefined
    ? withAuthority((authority: Authority) => ({
        ca: authority.ca,
        identity: authority.identity('server.test', { altNames: 'DNS:server.test,IP:127.0.0.1' }),
      }))
    : undefined

/** A server that only the proxy finds: nobody else can resolve its name. */
async function behind(): Promise<{ url: string; seen: Awaited<ReturnType<typeof serve>>['seen']; sockets: Set<Socket> }> {
  const { url, seen, sockets } = await serve(answerAllBut(HELD))
  return { url: url.replace('127.0.0.1', 'server.test'), seen, sockets }
}

async function behindTls(identity: Identity): ReturnType<typeof serveTls> {
  return serveTls({ ...identity }, answerAllBut(HELD))
}

const HELD = 'held'

function answerAllBut(id: string): Respond {
  return ({ message }, res) => (message?.id === id ? undefined : json(res, result(message?.id)))
}

describe('a proxy in front of a server without TLS', () => {
  it('is taken from HTTP_PROXY, in either case, and forwards the request with the whole URL', async () => {
    const { url, seen } = await behind()
    for (const name of ['HTTP_PROXY', 'http_proxy']) {
      const proxy = await serveProxy()
      vi.stubEnv(name, proxy.url)
      const { connection } = await open({ url: `${url}?key=1` })
      expect(await connection.exchange(request(1))).toMatchObject({ result: { ok: true } })
      expect(proxy.asked).toEqual([`POST ${url}?key=1`])
      vi.stubEnv(name, undefined)
    }
    expect(seen[0]?.headers.host).toBe(new URL(url).host)
  })

  it('may be named without a scheme', async () => {
    const { url } = await behind()
    const proxy = await serveProxy()
    vi.stubEnv('HTTP_PROXY', proxy.host)
    const { connection } = await open({ url })
    await connection.exchange(request(1))
    expect(proxy.asked).toHaveLength(1)
  })

  it('is looked for anew whenever a link is opened', async () => {
    const { url } = await serve(({ message }, res) => json(res, result(message?.id)))
    const proxy = await serveProxy()
    await (await open({ url })).connection.exchange(request(1))
    vi.stubEnv('HTTP_PROXY', proxy.url)
    const { connection } = await open({ url: url.replace('127.0.0.1', 'server.test') })
    await connection.exchange(request(1))
    expect(proxy.asked).toHaveLength(1)
  })

  it('gets its credentials with every request, and the server never sees them', async () => {
    const { url, seen } = await behind()
    const proxy = await serveProxy({ credentials: 'me:p@ss' })
    const { connection } = await open({ url, proxy: proxy.url.replace('//', '//me:p%40ss@'), headers: { Authorization: 'Bearer t' } })
    for (const id of [1, 2]) await connection.exchange(request(id))
    expect(seen.map(({ headers }) => [headers['proxy-authorization'], headers.authorization])).toEqual([
      [undefined, 'Bearer t'],
      [undefined, 'Bearer t'],
    ])
  })

  it('given as an option wins over the environment, NO_PROXY and the loopback rule', async () => {
    const { url } = await serve(({ message }, res) => json(res, result(message?.id)))
    const proxy = await serveProxy()
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9')
    vi.stubEnv('NO_PROXY', '*')
    const { connection } = await open({ url, proxy: proxy.url })
    await connection.exchange(request(1))
    expect(proxy.asked).toEqual([`POST ${url}`])
  })

  it('is not used for this machine, whatever the environment says, nor with `proxy: false`', async () => {
    const { url, seen } = await serve(({ message }, res) => json(res, result(message?.id)))
    const proxy = await serveProxy()
    vi.stubEnv('HTTP_PROXY', proxy.url)
    for (const host of ['127.0.0.1', 'localhost']) {
      const { connection } = await open({ url: url.replace('127.0.0.1', host) })
      await connection.exchange(request(1))
    }
    const { connection } = await open({ url: 'http://server.test:1/mcp', proxy: false })
    expect(await failure(connection.exchange(request(1)))).toMatchObject({
      outcome: 'not-run',
      reason: { errno: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) },
    })
    expect(seen).toHaveLength(2)
    expect(proxy.asked).toEqual([])
  })

  it('keeps connections, and messages wait for none that a call holds', async () => {
    const { url, sockets } = await behind()
    const proxy = await serveProxy()
    const { connection } = await open({ url, proxy: proxy.url })
    const running = failure(connection.exchange(request(HELD)))
    for (let id = 0; id < 5; id++) {
      await connection.exchange(request(id))
      await connection.post({ jsonrpc: '2.0', method: 'notifications/x' })
    }
    expect(proxy.sockets.size).toBe(2)
    expect(sockets.size).toBeGreaterThan(0)
    await connection.close()
    expect(await running).toMatchObject({ outcome: 'unknown' })
  })

  it('drops connections that were idle for 2 s', async () => {
    const { url } = await behind()
    const proxy = await serveProxy()
    const { connection } = await open({ url, proxy: proxy.url })
    await connection.exchange(request(1))
    expect(proxy.sockets.size).toBe(1)
    await vi.waitFor(() => expect(proxy.sockets.size).toBe(0), { timeout: 4_000, interval: 50 })
  })

  it('that wants other credentials is named without them, and nothing has run', async () => {
    const { url, seen } = await behind()
    const proxy = await serveProxy({ credentials: 'me:right' })
    for (const [own, hint] of [
      [proxy.url, 'http://user:password@host'],
      [proxy.url.replace('//', '//me:s3cret@'), 'does not accept the credentials'],
    ] as const) {
      const { connection } = await open({ url, proxy: own })
      const error = await failure(connection.exchange(request(1)))
      expect(error).toBeInstanceOf(ConnectionError)
      expect(error).toMatchObject({ outcome: 'not-run', retryable: false, reason: { kind: 'network', status: 407 } })
      expect(String(error)).toContain(proxy.url)
      expect(String(error)).toContain(hint)
      expect(secretsIn(error)).toEqual([])
      await expect(connection.post({ jsonrpc: '2.0', method: 'notifications/x' })).rejects.toMatchObject({
        outcome: 'not-run',
        reason: { status: 407 },
      })
    }
    expect(seen).toEqual([])
  })

  it('that nobody listens at is named without its credentials, and so is who set it', async () => {
    const port = await deadPort()
    vi.stubEnv('http_proxy', `http://me:s3cret@127.0.0.1:${port}`)
    const { connection } = await open({ url: 'http://server.test/mcp' })
    const error = await failure(connection.exchange(request(1)))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ outcome: 'not-run', retryable: true, reason: { errno: 'ECONNREFUSED' } })
    expect(String(error)).toContain(`http://127.0.0.1:${port}`)
    expect(String(error)).toContain('`proxy: false`')
    expect(secretsIn(error)).toEqual([])
  })

  it('that does not reach the server answers for it', async () => {
    const proxy = await serveProxy()
    const { connection } = await open({ url: `http://server.test:${await deadPort()}/mcp`, proxy: proxy.url })
    const error = await failure(connection.exchange(request(1)))
    expect(error).toBeInstanceOf(HttpError)
    expect(error).toMatchObject({ status: 502 })
  })

  it('is followed by redirects within the origin', async () => {
    const { url } = await serve(({ message, url: path }, res) => {
      if (path === '/mcp') res.writeHead(307, { Location: '/there?x=1' }).end()
      else json(res, result(message?.id))
    })
    const proxy = await serveProxy()
    const { connection } = await open({ url: url.replace('127.0.0.1', 'server.test'), proxy: proxy.url })
    await connection.exchange(request(1))
    expect(proxy.asked.map((each) => each.replace(/:\d+/, ''))).toEqual([
      'POST http://server.test/mcp',
      'POST http://server.test/there?x=1',
    ])
  })

  it('serves event streams of the server as well', async () => {
    const { url } = await serve(({ method, message }, res) => {
      if (method === 'GET') sse(res).write('data: {"jsonrpc":"2.0","method":"notifications/x"}\n\n')
      else json(res, result(message?.id), 200, message?.method === 'initialize' ? { 'Mcp-Session-Id': 'abc' } : {})
    })
    const proxy = await serveProxy()
    const { connection, inbound } = await open({ url: url.replace('127.0.0.1', 'server.test'), proxy: proxy.url })
    await connection.exchange(request(0, 'initialize'))
    connection.adopt(LEGACY)
    connection.listen()
    await vi.waitFor(() => expect(inbound).toHaveLength(1))
    expect(proxy.asked.some((each) => each.startsWith('GET '))).toBe(true)
  })
})

describe('a proxy in front of a server with TLS', () => {
  const { ca, identity } = made ?? { ca: '', identity: { cert: '', key: '' } }

  it.skipIf(made === undefined).each(['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'])(
    'is taken from %s and sees only where the tunnel leads',
    async (name) => {
      const { port } = await behindTls(identity)
      const proxy = await serveProxy({ credentials: 'me:s3cret' })
      vi.stubEnv(name, proxy.url.replace('//', '//me:s3cret@'))
      const { connection } = await open({ url: `https://server.test:${port}/mcp`, tls: { ca } })
      for (const id of [1, 2]) expect(await connection.exchange(request(id))).toMatchObject({ result: { ok: true } })
      expect(proxy.asked).toEqual([`CONNECT server.test:${port}`])
    },
  )

  it.skipIf(made === undefined)('named without a scheme is spoken to without TLS', async () => {
    const { port } = await behindTls(identity)
    const proxy = await serveProxy()
    vi.stubEnv('HTTPS_PROXY', proxy.host)
    const { connection } = await open({ url: `https://server.test:${port}/mcp`, tls: { ca } })
    expect(await connection.exchange(request(1))).toMatchObject({ result: { ok: true } })
  })

  it.skipIf(made === undefined)('may speak TLS itself, to both kinds of server', async () => {
    vi.stubEnv('HTTPS_PROXY', undefined)
    const { port } = await behindTls(identity)
    const proxy = await serveProxy({ identity })
    const { connection } = await open({ url: `https://server.test:${port}/mcp`, tls: { ca }, proxy: proxy.url })
    expect(await connection.exchange(request(1))).toMatchObject({ result: { ok: true } })
    await connection.close()
    await vi.waitFor(() => expect(proxy.sockets.size).toBe(0))
    const plain = await open({ url: 'http://server.test/mcp', proxy: proxy.url })
    expect(await failure(plain.connection.exchange(request(1)))).toMatchObject({
      outcome: 'not-run',
      message: expect.stringMatching(/the proxy https:.*NODE_EXTRA_CA_CERTS/),
    })
  })

  it.skipIf(made === undefined)(
    'keeps tunnels, one for each call at once, for messages beside them too, and none beyond 2 s of idleness',
    async () => {
      const { port, sockets } = await behindTls(identity)
      const proxy = await serveProxy()
      const { connection } = await open({ url: `https://server.test:${port}/mcp`, tls: { ca }, proxy: proxy.url })
      for (let round = 0; round < 3; round++) {
        const calls = [1, 2, 3].map((id) => connection.exchange(request(round * 10 + id)))
        await Promise.all([...calls, connection.post({ jsonrpc: '2.0', method: 'notifications/x' })])
      }
      expect(sockets.size).toBe(4)
      expect(proxy.asked).toHaveLength(4)
      await vi.waitFor(() => expect([sockets.size, proxy.sockets.size]).toEqual([0, 0]), { timeout: 4_000, interval: 50 })
      expect(await connection.exchange(request(99))).toMatchObject({ result: { ok: true } })
    },
  )

  it.skipIf(made === undefined)('may be at localhost, in either family', async () => {
    const { port } = await behindTls(identity)
    const proxy = await serveProxy()
    const { connection } = await open({
      url: `https://server.test:${port}/mcp`,
      tls: { ca },
      proxy: proxy.url.replace('127.0.0.1', 'localhost'),
    })
    expect(await connection.exchange(request(1))).toMatchObject({ result: { ok: true } })
  })

  it.skipIf(made === undefined)('leaves no socket when the connection is closed', async () => {
    const { port, sockets } = await behindTls(identity)
    const proxy = await serveProxy()
    const { connection } = await open({ url: `https://server.test:${port}/mcp`, tls: { ca }, proxy: proxy.url })
    await connection.exchange(request(1))
    await connection.close()
    await vi.waitFor(() => expect([sockets.size, proxy.sockets.size]).toEqual([0, 0]))
  })

  it('that wants other credentials is named without them, and nothing has run', async () => {
    const proxy = await serveProxy({ credentials: 'me:right' })
    const { connection } = await open({ url: 'https://server.test/mcp', proxy: proxy.url.replace('//', '//me:s3cret@') })
    const error = await failure(connection.exchange(request(1)))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ outcome: 'not-run', retryable: false, reason: { status: 407 } })
    expect(String(error)).toContain(proxy.url)
    expect(secretsIn(error)).toEqual([])
    expect(proxy.asked).toEqual(['CONNECT server.test:443'])
  })

  it.each([
    [403, false],
    [502, true],
    [503, true],
  ])('that answers %i to a tunnel is no answer of the server; trying again: %s', async (status, retryable) => {
    const proxy = await serveProxy({ answer: `HTTP/1.1 ${status} No\r\nContent-Length: 4\r\n\r\nbody` })
    const { connection } = await open({ url: 'https://server.test/mcp', proxy: proxy.url })
    const error = await failure(connection.exchange(request(1)))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({
      outcome: 'not-run',
      retryable,
      reason: { status },
      message: expect.stringContaining(`server.test:443 (${status})`),
    })
  })

  it('that nobody listens at is named without its credentials', async () => {
    const port = await deadPort()
    const { connection } = await open({ url: 'https://server.test/mcp', proxy: `http://me:s3cret@127.0.0.1:${port}` })
    const error = await failure(connection.exchange(request(1)))
    expect(error).toMatchObject({ outcome: 'not-run', retryable: true, reason: { errno: 'ECONNREFUSED' } })
    expect(String(error)).toContain(`the proxy http://127.0.0.1:${port}`)
    expect(secretsIn(error)).toEqual([])
  })

  it.each<[string, string]>([
    ['says nothing and hangs up', ''],
    ['talks nonsense', 'SSH-2.0-OpenSSH_9\r\n'],
  ])('that %s costs no call its outcome', async (_what, answer) => {
    const proxy = await serveProxy({ answer })
    const { connection } = await open({ url: 'https://server.test/mcp', proxy: proxy.url })
    const error = await failure(connection.exchange(request(1)))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ outcome: 'not-run', message: expect.stringContaining(`the proxy ${proxy.url}`) })
  })

  it('whose answer never ends is cut at maxHeaderBytes', async () => {
    let written = 0
    const proxy = await serveProxy({
      answer: (socket) => {
        const more = (): void => {
          while (!socket.destroyed && written < 50_000_000) {
            written += 10_000
            if (!socket.write(`x-${written}: ${'y'.repeat(10_000)}\r\n`)) return void socket.once('drain', more)
          }
        }
        socket.write('HTTP/1.1 200 OK\r\n')
        more()
      },
    })
    const { connection } = await open({ url: 'https://server.test/mcp', proxy: proxy.url }, { maxHeaderBytes: 20_000 })
    const error = await failure(connection.exchange(request(1)))
    expect(error).toBeInstanceOf(ResponseTooLargeError)
    expect(error).toMatchObject({ limit: 'maxHeaderBytes', max: 20_000, outcome: 'not-run' })
    await vi.waitFor(() => expect(proxy.sockets.size).toBe(0))
    expect(written).toBeLessThan(50_000_000)
  })

  it('that never answers is left as soon as nobody waits for the tunnel', async () => {
    const proxy = await serveProxy({ answer: () => {} })
    const { connection } = await open({ url: 'https://server.test/mcp', proxy: proxy.url })
    const calls = [1, 2].map((id) => failure(connection.exchange(request(id))))
    await vi.waitFor(() => expect(proxy.asked).toHaveLength(2))
    connection.abandon(1, new Error('enough'))
    await vi.waitFor(() => expect(proxy.sockets.size).toBe(1))
    await connection.close()
    await vi.waitFor(() => expect(proxy.sockets.size).toBe(0))
    expect(await Promise.all(calls)).toMatchObject([{ message: 'enough' }, { outcome: expect.any(String) }])
  })

  it.skipIf(made === undefined)('does not stand for the server: its certificate is checked by the name in the URL', async () => {
    const { port, seen } = await behindTls(identity)
    const proxy = await serveProxy()
    const other = await open({ url: `https://other.test:${port}/mcp`, tls: { ca }, proxy: proxy.url })
    expect(await failure(other.connection.exchange(request(1)))).toMatchObject({
      outcome: 'not-run',
      retryable: false,
      reason: { errno: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    })
    const stranger = await open({ url: `https://server.test:${port}/mcp`, proxy: proxy.url })
    expect(await failure(stranger.connection.exchange(request(1)))).toMatchObject({
      outcome: 'not-run',
      message: expect.stringContaining('https://server.test'),
    })
    expect(seen).toEqual([])
  })
})

describe('NO_PROXY', () => {
  const used = (url: string): boolean => environmentProxy(new URL(url)) !== undefined

  it.each<[string, string, boolean]>([
    ['', 'https://server.test/', true],
    ['*', 'https://server.test/', false],
    ['other.test, *', 'https://server.test/', false],
    ['server.test', 'https://server.test/', false],
    ['SERVER.test', 'https://server.test/', false],
    ['server.test', 'https://server.test./', false],
    ['server.test', 'https://deep.server.test/', false],
    ['.server.test', 'https://deep.server.test/', false],
    ['*.server.test', 'https://deep.server.test/', false],
    ['server.test', 'https://myserver.test/', true],
    ['.test', 'https://server.test/', false],
    ['a.test b.test,server.test', 'https://server.test/', false],
    ['server.test:443', 'https://server.test/', false],
    ['server.test:8443', 'https://server.test/', true],
    ['server.test:80', 'http://server.test/', false],
    ['10.0.0.0/8', 'https://10.1.2.3/', false],
    ['10.0.0.0/8', 'https://11.1.2.3/', true],
    ['10.0.0.0/8', 'https://server.test/', true],
    ['192.168.1.5', 'https://192.168.1.5/', false],
    ['192.168.1.5:8443', 'https://192.168.1.5:8443/', false],
    ['192.168.1.5', 'https://192.168.1.50/', true],
    ['10.0.0.0/8', 'https://[::ffff:10.1.2.3]/', false],
    ['fd00::/8', 'https://[fd12::1]/', false],
    ['fd00::/8', 'https://[fe80::1]/', true],
    ['fd00::/8', 'https://10.1.2.3/', true],
    ['[fd12::1]:8443', 'https://[fd12::1]:8443/', false],
    ['[fd12::1]:8443', 'https://[fd12::1]/', true],
    ['fd12:0::1', 'https://[fd12::1]/', false],
    ['10.0.0.0/99', 'https://10.1.2.3/', true],
    ['10.0.0.0/', 'https://10.1.2.3/', true],
  ])('%j and %s: the proxy is used: %s', (list, url, expected) => {
    vi.stubEnv('HTTPS_PROXY', 'http://proxy.test:3128')
    vi.stubEnv('HTTP_PROXY', 'http://proxy.test:3128')
    for (const name of ['NO_PROXY', 'no_proxy']) {
      vi.stubEnv('NO_PROXY', undefined)
      vi.stubEnv(name, list)
      expect(used(url)).toBe(expected)
    }
  })

  it.each([
    'http://localhost/',
    'http://a.localhost:8/',
    'http://127.0.0.1/',
    'http://127.9.9.9/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost./',
  ])('needs no entry for this machine: %s', (url) => {
    expect(isLoopback(new URL(url).hostname)).toBe(true)
  })

  it.each(['http://localhost.test/', 'http://128.0.0.1/', 'http://[::2]/', 'http://notlocalhost/'])(
    'what only looks like this machine is none: %s',
    (url) => {
      expect(isLoopback(new URL(url).hostname)).toBe(false)
    },
  )
})

describe('a variable that names no proxy', () => {
  it.each(['socks5://me:s3cret@127.0.0.1:1080', 'http://me:s3cret@:80', 'http://me:s3cret@host:99999'])(
    'is told and not gone around',
    async (value) => {
      vi.stubEnv('HTTPS_PROXY', value)
      const error = await failure(open({ url: 'https://server.test/mcp' }))
      expect(error).toBeInstanceOf(ConnectionError)
      expect(error).toMatchObject({ outcome: 'not-run', message: expect.stringContaining('proxy: false') })
      expect(secretsIn(error)).toEqual([])
    },
  )

  it('is nothing when it is empty, or of another scheme than the URL', async () => {
    const { url, seen } = await serve(({ message }, res) => json(res, result(message?.id)))
    vi.stubEnv('HTTP_PROXY', '')
    vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9')
    const { connection } = await open({ url })
    await connection.exchange(request(1))
    expect(seen).toHaveLength(1)
  })
})

describe('connect with a proxy', () => {
  it('reaches a server, calls a tool, and closes with nothing left', async () => {
    const { url } = await serve(({ message }, res) => {
      const answer = message === undefined ? undefined : answerTo({ ...message }, '2025-11-25')
      if (answer === undefined) return void res.writeHead(message === undefined ? 405 : 202).end()
      json(res, answer)
    })
    const proxy = await serveProxy({ credentials: 'me:s3cret' })
    const client = await connect(url.replace('127.0.0.1', 'server.test'), { proxy: proxy.url.replace('//', '//me:s3cret@'), era: 'legacy' })
    cleanUp(() => client.close())
    expect((await client.listTools()).map((tool) => tool.name)).toEqual(['echo'])
    await client.close()
    await vi.waitFor(() => expect(proxy.sockets.size).toBe(0))
  })

  it.each([
    ['socks5://me:s3cret@host', 'http or https'],
    ['no url', 'the URL of a proxy'],
    [true, 'the URL of a proxy'],
  ])('says what is wrong with the option, without showing it', async (proxy, hint) => {
    const error = await failure(connect('http://server.test/mcp', { proxy: proxy as string }))
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toContain(hint)
    expect(secretsIn(error)).toEqual([])
  })

  it.each([{ proxy: 'http://host:1' }, { proxy: false }, { tls: {} }, { compression: true }] as const)(
    'does not take %j together with a fetch',
    async (options) => {
      const error = await failure(connect('https://server.test/mcp', { ...options, fetch: globalThis.fetch }))
      expect(error).toBeInstanceOf(TypeError)
      expect(String(error)).toContain(Object.keys(options)[0])
    },
  )

  it('takes none for a process', async () => {
    expect(await failure(connect(['node', '-e', ''], { proxy: 'http://host:1' }))).toBeInstanceOf(TypeError)
  })
})

/** The places of an error, its causes included, in which a secret of these tests stands. */
function secretsIn(error: unknown, depth = 0): string[] {
  if (typeof error !== 'object' || error === null || depth > 5) return []
  return Object.getOwnPropertyNames(error).flatMap((name) => {
    const value: unknown = Reflect.get(error, name)
    const encoded = Buffer.from('me:s3cret').toString('base64')
    if (typeof value === 'string') return value.includes('s3cret') || value.includes(encoded) ? [name] : []
    return secretsIn(value, depth + 1)
  })
}
