import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ConnectionError } from '../../../../src/errors.ts'
import { connect } from '../../../../src/index.ts'
import { networkError } from '../../../../src/transport/http/network-error.ts'
import type { TlsOptions } from '../../../../src/transport/http/tls-options.ts'
import { answerTo } from '../../../support/legacy-http.ts'
import { noCertificates, withAuthority } from './certificates.ts'
import { cleanUp, failure, json, open, request, result, serve } from './stand-in.ts'
import { serveTls as serveWith } from './stand-in-tls.ts'

if (noCertificates !== undefined) console.log(`skip: client certificates and other authorities (${noCertificates})`)

// Made for these tests, trusted by nobody: for localhost, signed by itself, valid for a hundred years.
const CERT = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUUR6bRJCGgKFmFy6MLeT7ByejSFUwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTIwMTAwNDcwMFoYDzIxMjYxMTA3
MDA0NzAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATku0qPsK2MfQo5uE+RMtgsJhYc9UJ1oM4QYTrGSDZEWEZC4Mruasyl
DchfhxBdB2KaapOHOELhjGn0hb2laaijo28wbTAdBgNVHQ4EFgQUYTRMPA42L4sV
nrFMW+P18BgkCU0wHwYDVR0jBBgwFoAUYTRMPA42L4sVnrFMW+P18BgkCU0wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhANfzEuyGn6dEmgjUdni+m9+RpkTTvQSdEpNe9+XyuVRnAiEA
hofvfXzfb1VjOOevXH+Q3AOKU7CtOuXq+yk1LsPT5wE=
-----END CERTIFICATE-----`
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwWnxw3gbS6iBiNko
6X0jtal7y3Vw4VlSs9NpoX0Iy5ahRANCAATku0qPsK2MfQo5uE+RMtgsJhYc9UJ1
oM4QYTrGSDZEWEZC4MruasylDchfhxBdB2KaapOHOELhjGn0hb2laaij
-----END PRIVATE KEY-----`

async function serveTls(): Promise<string> {
  const server = createServer({ cert: CERT, key: KEY }, (req, res) => {
    req.resume()
    req.on('end', () => {
      res.writeHead(200, { 'Content-Type': 'application/json' })
      res.end(result(1))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return `https://localhost:${(server.address() as AddressInfo).port}/mcp`
}

describe('a server with TLS', () => {
  it('is reached when its authority is given, over one connection', async () => {
    const { connection } = await open({ url: await serveTls(), tls: { ca: CERT } })
    for (let n = 0; n < 3; n++) expect(await connection.exchange(request(1))).toMatchObject({ result: { ok: true } })
  })

  it.each([
    ['node:http', {}],
    ['fetch', { fetch: globalThis.fetch }],
  ])('is not spoken to when its certificate is not trusted, and the error says what to configure, over %s', async (_runtime, base) => {
    const { connection } = await open({ ...base, url: await serveTls() })
    expect(await failure(connection.exchange(request(1)))).toMatchObject({
      outcome: 'not-run',
      retryable: false,
      reason: { errno: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      message: expect.stringMatching(/tls\.ca|NODE_EXTRA_CA_CERTS/),
    })
  })

  it('is not spoken to over the connection of a client that trusts more', async () => {
    const url = await serveTls()
    const trusting = await open({ url, tls: { rejectUnauthorized: false } })
    await trusting.connection.exchange(request(1))
    const { connection } = await open({ url })
    expect(await failure(connection.exchange(request(1)))).toMatchObject({ reason: { errno: 'DEPTH_ZERO_SELF_SIGNED_CERT' } })
    await trusting.connection.exchange(request(1))
  })

  it('is told apart from one without', async () => {
    const { url } = await serve((_seen, res) => void res.end())
    const { connection } = await open({ url: url.replace('http:', 'https:') })
    const error = await failure(connection.exchange(request(1)))
    expect(error).toMatchObject({ outcome: 'not-run', message: expect.stringContaining('https') })
  })
})

const made =
  noCertificates === undefined
    ? withAuthority((authority) => {
        const names = { altNames: 'DNS:localhost' }
        return {
          ca: authority.ca,
          server: authority.identity('localhost', names),
          elsewhere: authority.identity('elsewhere.test'),
          expired: authority.identity('localhost', { ...names, days: -1 }),
          client: authority.identity('client'),
          locked: authority.identity('client', { passphrase: 'open sesame' }),
        }
      })
    : undefined

describe.skipIf(made === undefined)('options of TLS', () => {
  const none = { cert: '', key: '' }
  const { ca, server, elsewhere, expired, client, locked } = made ?? {
    ca: '',
    server: none,
    elsewhere: none,
    expired: none,
    client: none,
    locked: none,
  }
  const start = async (identity = server, more: object = {}) => {
    const one = await serveWith({ ...identity, ...more }, ({ message, socket }, res) => {
      const subject =
        'getPeerCertificate' in socket ? (socket as import('node:tls').TLSSocket).getPeerCertificate()?.subject?.CN : undefined
      json(res, result(message?.id, { client: subject }))
    })
    return { ...one, url: `https://localhost:${one.port}/mcp` }
  }
  const answer = async (url: string, tls: TlsOptions) => (await open({ url, tls })).connection.exchange(request(1))

  it.each([
    ['text', () => ca],
    ['bytes', () => new TextEncoder().encode(ca)],
    ['a list', () => [CERT, ca]],
  ])('take an authority as %s', async (_form, authority) => {
    const { url } = await start()
    expect(await answer(url, { ca: authority() })).toMatchObject({ result: {} })
  })

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('take a certificate of ours, for a server that wants one, by %s', async (version) => {
    const { url } = await start(server, { requestCert: true, ca, maxVersion: version })
    expect(await answer(url, { ca, ...client })).toMatchObject({ result: { client: 'client' } })
  })

  it('take a key that a passphrase opens', async () => {
    const { url } = await start(server, { requestCert: true, ca })
    expect(await answer(url, { ca, ...locked, passphrase: 'open sesame' })).toMatchObject({ result: { client: 'client' } })
  })

  it('a certificate that the server misses is asked for by the error, and nothing has run', async () => {
    const { url, seen } = await start(server, { requestCert: true, rejectUnauthorized: true, ca })
    const error = await failure(answer(url, { ca }))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({
      outcome: 'not-run',
      retryable: false,
      reason: { errno: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' },
      message: expect.stringMatching(/`tls\.cert`.*\(ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED\)/),
    })
    expect(seen).toEqual([])
  })

  it('a certificate of ours that the server hangs up on without a word leaves the outcome open', async () => {
    const { url, seen } = await start(server, { requestCert: true, rejectUnauthorized: true, ca: CERT })
    expect(await failure(answer(url, { ca, ...client }))).toMatchObject({ outcome: 'unknown', reason: { errno: 'ECONNRESET' } })
    expect(seen).toEqual([])
  })

  it('the name of a certificate may differ from the host when `servername` says so', async () => {
    const { url } = await start(elsewhere)
    const error = await failure(answer(url, { ca }))
    expect(error).toMatchObject({
      outcome: 'not-run',
      retryable: false,
      reason: { errno: 'ERR_TLS_CERT_ALTNAME_INVALID' },
      message: expect.stringContaining('`tls.servername`'),
    })
    expect(await answer(url, { ca, servername: 'elsewhere.test' })).toMatchObject({ result: {} })
  })

  it('an expired certificate is told as one', async () => {
    const { url } = await start(expired)
    expect(await failure(answer(url, { ca }))).toMatchObject({
      outcome: 'not-run',
      retryable: false,
      reason: { errno: 'CERT_HAS_EXPIRED' },
      message: expect.stringMatching(/expired.*\(CERT_HAS_EXPIRED\)/),
    })
  })

  it('an authority that only the server knows is told with what to configure', async () => {
    const { url } = await start()
    expect(await failure(answer(url, {}))).toMatchObject({
      outcome: 'not-run',
      retryable: false,
      reason: { errno: expect.stringMatching(/^UNABLE_TO_/) },
      message: expect.stringMatching(/`tls\.ca`.*NODE_EXTRA_CA_CERTS/),
    })
  })

  it('without `rejectUnauthorized` any certificate does', async () => {
    const { url } = await start(elsewhere)
    expect(await answer(url, { rejectUnauthorized: false })).toMatchObject({ result: {} })
  })

  it("the check of the name can be the caller's", async () => {
    const { url } = await start(elsewhere)
    const asked: string[] = []
    const checkServerIdentity = (host: string): undefined => void asked.push(host)
    expect(await answer(url, { ca, checkServerIdentity })).toMatchObject({ result: {} })
    expect(asked).toEqual(['localhost'])
  })

  it('a version that the server does not speak makes no connection', async () => {
    const { url } = await start(server, { maxVersion: 'TLSv1.2' })
    expect(await failure(answer(url, { ca, minVersion: 'TLSv1.3' }))).toMatchObject({ outcome: 'not-run', retryable: false })
  })

  it.each<[string, TlsOptions]>([
    ['a certificate that is none', { cert: 'no certificate', key: 'no key' }],
    ['a passphrase that does not open the key', { ...locked, passphrase: 'wrong' }],
    ['a key without the certificate that it is for', { cert: server.cert, key: client.key }],
  ])('that cannot be used are a TypeError before anything is sent: %s', async (_what, tls) => {
    const { url, sockets } = await start()
    const error = await failure(open({ url, tls: { ca, ...tls } }))
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toContain('tls')
    expect(await failure(connect(url, { tls: { ca, ...tls } }))).toBeInstanceOf(TypeError)
    expect(sockets.size).toBe(0)
  })

  it("an authority in NODE_EXTRA_CA_CERTS is trusted beside the runtime's own", async () => {
    const { url } = await start()
    // The variable is read once, when a process starts.
    const folder = mkdtempSync(join(tmpdir(), 'authority-'))
    cleanUp(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'ca.pem'), ca)
    const script = join(import.meta.dirname, '../../../support/one-exchange.ts')
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') }
    const args = ['--import', 'tsx', '--conditions', 'switchboard-source', script, url]
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env })
    expect([stdout.trim(), stderr]).toEqual(['{}', ''])
  })

  it('serve `connect`, whichever transport it comes to', async () => {
    const { port } = await serveWith({ ...server, requestCert: true, rejectUnauthorized: true, ca }, ({ message }, res) => {
      const reply = message === undefined ? undefined : answerTo({ ...message }, '2025-11-25')
      if (reply === undefined) return void res.writeHead(message === undefined ? 405 : 202).end()
      json(res, reply)
    })
    const connected = await connect(`https://localhost:${port}/mcp`, { tls: { ca, ...client }, era: 'legacy' })
    cleanUp(() => connected.close())
    expect(await connected.listTools()).toHaveLength(1)
  })

  it('one connection serves many calls', async () => {
    const { url, sockets } = await start()
    const { connection } = await open({ url, tls: { ca } })
    for (let id = 0; id < 4; id++) await connection.exchange(request(id))
    expect(sockets.size).toBe(1)
  })
})

describe('a handshake that the server ended', () => {
  it.each([
    ['TLSV1_ALERT_UNKNOWN_CA'],
    ['SSLV3_ALERT_BAD_CERTIFICATE'],
    ['SSLV3_ALERT_CERTIFICATE_EXPIRED'],
    ['SSLV3_ALERT_CERTIFICATE_REVOKED'],
    ['TLSV13_ALERT_CERTIFICATE_REQUIRED'],
  ])('over our certificate shows that nothing has run, even if the request was on its way: %s', (alert) => {
    const error = Object.assign(new Error(alert), { code: `ERR_SSL_${alert}` })
    expect(networkError({ error, sent: true }, 'https://server.test/mcp', false, 1)).toMatchObject({
      outcome: 'not-run',
      retryable: false,
      message: expect.stringMatching(/^cannot reach https:.*`tls\.cert`/),
    })
  })
})

describe('an option of TLS that cannot be', () => {
  it.each([
    [{ rejectUnauthorised: false }, 'rejectUnauthorised'],
    [{ CA: '' }, 'CA'],
    ['yes', 'object'],
    [[], 'object'],
  ])('is a TypeError that names it: %j', async (tls, named) => {
    const error = await failure(connect('https://localhost:1/mcp', { tls: tls as TlsOptions }))
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toContain(named)
  })

  it('is any, for a URL without TLS and for a process', async () => {
    for (const target of ['http://localhost:1/mcp', 'node server.js']) {
      const error = await failure(connect(target, { tls: {} }))
      expect(error).toBeInstanceOf(TypeError)
      expect(String(error)).toContain('tls')
    }
  })
})
