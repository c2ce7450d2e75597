import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { cleanUp, failure, open, request, result, serve } from './stand-in.ts'

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

  it('is told apart from one without', async () => {
    const { url } = await serve((_seen, res) => void res.end())
    const { connection } = await open({ url: url.replace('http:', 'https:') })
    const error = await failure(connection.exchange(request(1)))
    expect(error).toMatchObject({ outcome: 'not-run', message: expect.stringContaining('https') })
  })
})
