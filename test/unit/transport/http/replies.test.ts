import { describe, expect, it } from 'vitest'
import { ConnectionError, HttpError, ResponseTooLargeError } from '../../../../src/errors.ts'
import { deadPort, failure, json, LEGACY, MODERN, open, request, result, serve, serveRaw, sse } from './stand-in.ts'

const RUNTIMES = [
  ['node:http', {}],
  ['fetch', { fetch: globalThis.fetch }],
] as const

describe.each(RUNTIMES)('a request over %s', (_runtime, base) => {
  it("is one POST with the headers of the protocol, ours and the caller's", async () => {
    const { url, seen } = await serve(({ message }, res) => json(res, result(message?.id)))
    const { connection } = await open({ ...base, url: `${url}?key=a%20b&x`, headers: { 'X-Tenant': 'acme' } })
    connection.adopt(MODERN)
    const sent = request(1, 'tools/call', { text: 'äß😀' })
    const answer = await connection.exchange(sent, { headers: { 'Mcp-Method': 'tools/call', 'Mcp-Name': 'echo' } })
    expect(answer).toEqual({ jsonrpc: '2.0', id: 1, result: { ok: true } })
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/mcp?key=a%20b&x' })
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual(sent)
    expect(seen[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'user-agent': expect.stringMatching(/^mcp-switchboard\/\d/),
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'echo',
      'x-tenant': 'acme',
    })
    expect(seen[0]?.headers).not.toHaveProperty('mcp-session-id')
  })

  it('lets the caller replace the user agent, and a header of one request replace one of all', async () => {
    const { url, seen } = await serve(({ message }, res) => json(res, result(message?.id)))
    const { connection } = await open({ ...base, url, headers: { 'user-agent': 'mine', 'X-Tenant': 'a' } })
    await connection.exchange(request(1), { headers: { 'x-tenant': 'b' } })
    expect(seen[0]?.headers).toMatchObject({ 'user-agent': 'mine', 'x-tenant': 'b' })
  })

  it('turns credentials in the URL into basic authorization', async () => {
    const { url, seen } = await serve(({ message }, res) => json(res, result(message?.id)))
    const { connection } = await open({ ...base, url: url.replace('http://', 'http://us%40er:p%C3%A4ss@') })
    await connection.exchange(request(1))
    expect(seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('us@er:päss').toString('base64')}`)
  })

  it.each(['application/json', 'Application/JSON;Charset=UTF-8', 'application/json ; charset=utf-8', 'application/vnd.acme+json'])(
    'takes its answer from a body of type %s',
    async (type) => {
      const { url } = await serve(({ message }, res) => json(res, result(message?.id), 200, { 'Content-Type': type }))
      const { connection } = await open({ ...base, url })
      expect(await connection.exchange(request('x'))).toMatchObject({ id: 'x', result: { ok: true } })
    },
  )

  it('takes its answer from a batch, with the messages around it in order', async () => {
    const { url } = await serve(({ message }, res) => {
      json(res, `[{"jsonrpc":"2.0","method":"n/1"},${result(message?.id)},{"jsonrpc":"2.0","method":"n/2"}]`)
    })
    const { connection, inbound } = await open({ ...base, url })
    expect(await connection.exchange(request(1))).toMatchObject({ result: { ok: true } })
    expect(inbound.map(({ message, during }) => [message.method, during])).toEqual([
      ['n/1', 1],
      ['n/2', 1],
    ])
  })

  it('gets what its stream carries before the answer, in order, also when all comes in one chunk', async () => {
    const { url } = await serve(({ message }, res) => {
      const events = Array.from(
        { length: 100 },
        (_, n) => `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"n":${n}}}\n\n`,
      )
      const question = 'event: message\ndata: {"jsonrpc":"2.0","id":"q","method":"roots/list"}\n\n'
      sse(res).end(`: hi\n\nevent: ping\ndata: nothing\n\n${events.join('')}${question}data: ${result(message?.id)}\n\n`)
    })
    const { connection, inbound } = await open({ ...base, url })
    const answered = connection.exchange(request(7)).then((answer) => ({ answer, had: inbound.length }))
    expect(await answered).toMatchObject({ answer: { result: { ok: true } }, had: 101 })
    expect(inbound.slice(0, 100).map(({ message }) => message.params?.n)).toEqual(Array.from({ length: 100 }, (_, n) => n))
    expect(inbound.at(-1)).toMatchObject({ message: { id: 'q', method: 'roots/list' }, during: 7 })
  })

  it('reads text whose characters are cut by chunks', async () => {
    const { url } = await serve(async ({ message }, res) => {
      sse(res)
      for (const byte of Buffer.from(`data: ${result(message?.id, 'äß😀')}\n\n`)) {
        res.write(Buffer.from([byte]))
        await new Promise((resolve) => setImmediate(resolve))
      }
      res.end()
    })
    const { connection } = await open({ ...base, url })
    expect(await connection.exchange(request(1))).toMatchObject({ result: 'äß😀' })
  })

  it('is answered as soon as the event is read, although the stream stays open', async () => {
    let ended: Promise<void> | undefined
    const { url } = await serve(({ message }, res) => {
      ended = new Promise((resolve) => void res.on('close', resolve))
      sse(res).write(`data: ${result(message?.id)}\n\ndata: {"jsonrpc":"2.0","method":"late"}\n\n`)
    })
    const { connection, inbound } = await open({ ...base, url })
    const start = performance.now()
    await connection.exchange(request(1))
    expect(performance.now() - start).toBeLessThan(900)
    await ended
    expect(performance.now() - start).toBeGreaterThan(900)
    expect(performance.now() - start).toBeLessThan(3_000)
    expect(inbound).toEqual([])
  })

  it('takes an error without an id, or with null, on its own reply', async () => {
    const bodies = [
      '{"jsonrpc":"2.0","error":{"code":-32600,"message":"a"}}',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a"}}',
    ]
    const { url } = await serve(({ message }, res) => {
      const body = bodies[Number(message?.id) % 2] ?? ''
      if (Number(message?.id) < 2) json(res, body)
      else sse(res).end(`data: ${body}\n\n`)
    })
    const { connection } = await open({ ...base, url })
    for (const id of [0, 1, 2, 3]) expect(await connection.exchange(request(id))).toMatchObject({ error: { code: -32600 } })
  })

  it('takes "1" for 1 on its own reply and says so, but not while somebody waits for "1"', async () => {
    const { url } = await serve(({ message }, res) => {
      if (message?.method === 'hold') return
      json(res, result(String(message?.id)))
    })
    const { connection, reports } = await open({ ...base, url })
    expect(await connection.exchange(request(1))).toMatchObject({ result: { ok: true } })
    expect(reports).toHaveLength(1)
    const held = failure(connection.exchange(request('2', 'hold')))
    expect(await failure(connection.exchange(request(2)))).toBeInstanceOf(HttpError)
    connection.abandon('2', 'done')
    expect(await held).toBe('done')
  })

  it('never takes an answer to another id, and its error names that id', async () => {
    const { url } = await serve(({ message }, res) => {
      if (message?.id === 5) json(res, result(0))
      else sse(res).end(`data: ${result(0)}\n\n`)
    })
    const { connection, reports } = await open({ ...base, url })
    const wrong = await failure(connection.exchange(request(5)))
    expect(wrong).toMatchObject({ outcome: 'unknown', status: 200, message: expect.stringContaining('id 0') })
    expect(await failure(connection.exchange(request(6)))).toMatchObject({ outcome: 'unknown', message: expect.stringContaining('id 0') })
    expect(reports).toHaveLength(2)
  })

  it('skips what is no JSON or no JSON-RPC on its stream, and says so without the text', async () => {
    const { url } = await serve(({ message }, res) => {
      sse(res).end(`data: secret text\n\ndata: 5\n\ndata: {"jsonrpc":"2.0","id":9}\n\ndata: null\n\ndata: ${result(message?.id)}\n\n`)
    })
    const { connection, reports } = await open({ ...base, url })
    expect(await connection.exchange(request(1))).toMatchObject({ result: { ok: true } })
    expect(reports).toHaveLength(4)
    expect(reports.join()).not.toContain('secret')
  })

  it('survives messages and ids nested a hundred thousand deep', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const { url } = await serve(({ message }, res) => {
      const odd = `{"jsonrpc":"2.0","id":${deep},"error":{"code":1,"message":"x"}}`
      sse(res).end(`data: {"x":${deep}}\n\ndata: ${deep}\n\ndata: ${odd}\n\ndata: ${result(message?.id)}\n\n`)
    })
    const { connection, reports } = await open({ ...base, url })
    expect(await connection.exchange(request(1))).toMatchObject({ result: { ok: true } })
    expect(reports.length).toBeGreaterThan(0)
    expect(reports.every((report) => report.length < 500)).toBe(true)
  })

  it.each([
    ['nothing at all', 202, undefined, '', 'an empty body'],
    ['an empty 200', 200, undefined, '', 'an empty body'],
    ['a page', 200, 'text/html; charset=utf-8', '<html>hello</html>', 'text/html'],
    ['text', 200, 'text/plain', 'ok', 'text/plain'],
    ['JSON that is none', 200, 'application/json', '{"jsonrpc":', 'no JSON'],
    ['JSON without an answer', 200, 'application/json', '{"hello":1}', 'without the answer'],
  ])('that is answered by %s is rejected with what to check', async (_name, status, type, body, hint) => {
    const { url } = await serve((_seen, res) => {
      res.writeHead(status, type === undefined ? {} : { 'Content-Type': type })
      res.end(body)
    })
    const { connection } = await open({ ...base, url: `${url}?key=secret` })
    const error = await failure(connection.exchange(request(1)))
    expect(error).toBeInstanceOf(HttpError)
    expect(error).toMatchObject({ status, outcome: 'unknown', message: expect.stringContaining(hint), details: { url } })
    if (error instanceof HttpError) {
      if (body !== '') expect(error.details.body).toBe(body)
      expect(error.message).not.toContain('secret')
      expect(error.message).toContain(url)
    }
  })

  it.each([
    [301, 'not-run'],
    [302, 'not-run'],
    [303, 'not-run'],
    [307, 'not-run'],
    [400, 'unknown'],
    [401, 'not-run'],
    [402, 'unknown'],
    [403, 'not-run'],
    [404, 'unknown'],
    [405, 'not-run'],
    [406, 'not-run'],
    [408, 'unknown'],
    [409, 'unknown'],
    [413, 'not-run'],
    [415, 'not-run'],
    [422, 'unknown'],
    [429, 'not-run'],
    [500, 'unknown'],
    [502, 'unknown'],
    [503, 'unknown'],
    [504, 'unknown'],
  ])('refused with %i has the outcome %s', async (status, outcome) => {
    const { url } = await serve((_seen, res) => void res.writeHead(status, { 'Content-Type': 'text/plain' }).end('no'))
    const { connection } = await open({ ...base, url })
    const error = await failure(connection.exchange(request(1)))
    expect(error).toBeInstanceOf(HttpError)
    expect(error).toMatchObject({ status, outcome, details: { body: 'no' } })
  })

  it.each([400, 404, 405, 406, 429, 500, 503])('resolves with the JSON-RPC error of a reply with status %i', async (status) => {
    const error = { code: -32000, message: 'no', data: [1] }
    const { url } = await serve(({ message }, res) => {
      const id = [message?.id, null, undefined, 'server-error'][Number(message?.id)]
      json(res, JSON.stringify({ jsonrpc: '2.0', id, error }), status, { 'Retry-After': '2' })
    })
    const { connection } = await open({ ...base, url })
    for (const id of [0, 1, 2, 3]) {
      expect(await connection.exchange(request(id))).toMatchObject({ error, status, retryAfterMs: 2_000 })
    }
  })

  it('reads such an error from a stream, a batch and plain text too', async () => {
    const { url } = await serve(({ message }, res) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: message?.id, error: { code: 1, message: 'no' } })
      if (message?.id === 1) res.writeHead(400, { 'Content-Type': 'text/event-stream' }).end(`data: ${body}\n\n`)
      else if (message?.id === 2) json(res, `[{"jsonrpc":"2.0","method":"x"},${body}]`, 400)
      else res.writeHead(400, { 'Content-Type': 'text/plain' }).end(body)
    })
    const { connection } = await open({ ...base, url })
    expect(await connection.exchange(request(1))).toMatchObject({ error: { code: 1 }, status: 400 })
    expect(await connection.exchange(request(2))).toMatchObject({ error: { code: 1 }, status: 400 })
    expect(await connection.exchange(request(3))).toMatchObject({ error: { code: 1 }, status: 400 })
  })

  it.each([401, 403])('refused with %i is rejected with the challenge, a JSON-RPC error in its body or not', async (status) => {
    const { url } = await serve(({ message }, res) => {
      const body = message?.id === 1 ? 'no' : '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"login"}}'
      json(res, body, status, { 'WWW-Authenticate': 'Bearer resource_metadata="https://x/y"' })
    })
    const { connection } = await open({ ...base, url })
    const details = { challenge: 'Bearer resource_metadata="https://x/y"' }
    expect(await failure(connection.exchange(request(1)))).toMatchObject({ status, outcome: 'not-run', details })
    expect(await failure(connection.exchange(request(2)))).toMatchObject({
      status,
      details: { ...details, rpc: { code: -32001, message: 'login' } },
    })
  })

  it('says how long to wait, given in seconds or as a date', async () => {
    const { url } = await serve(({ message }, res) => {
      const retry = message?.id === 1 ? '3' : new Date(Date.now() + 60_000).toUTCString()
      res.writeHead(429, { 'Retry-After': retry }).end()
    })
    const { connection } = await open({ ...base, url })
    expect(await failure(connection.exchange(request(1)))).toMatchObject({ retryable: true, details: { retryAfterMs: 3_000 } })
    const error = await failure(connection.exchange(request(2)))
    expect(error instanceof HttpError && error.details.retryAfterMs).toBeGreaterThan(50_000)
  })

  it('follows a redirect that keeps method and origin, within the limit', async () => {
    const { url, seen } = await serve(({ url: path, message }, res) => {
      const step = Number(/\/step(\d)/.exec(path)?.[1] ?? 0)
      if (step === 3) json(res, result(message?.id))
      else res.writeHead(step % 2 === 0 ? 307 : 308, { Location: `/step${step + 1}?a=b` }).end()
    })
    const first = await open({ ...base, url })
    expect(await first.connection.exchange(request(1), { headers: { 'Mcp-Method': 'x' } })).toMatchObject({ result: { ok: true } })
    expect(seen.map((one) => [one.method, one.url])).toEqual([
      ['POST', '/mcp'],
      ['POST', '/step1?a=b'],
      ['POST', '/step2?a=b'],
      ['POST', '/step3?a=b'],
    ])
    expect(new Set(seen.map((one) => one.body)).size).toBe(1)
    expect(seen.every((one) => one.headers['mcp-method'] === 'x')).toBe(true)
    const second = await open({ ...base, url }, { maxRedirects: 2 })
    expect(await failure(second.connection.exchange(request(1)))).toMatchObject({ status: 307, outcome: 'not-run' })
  })

  it.each([301, 302, 303, 307, 308])('sends nothing to another origin, nor a GET, when it is redirected with %i', async (status) => {
    const other = await serve((_seen, res) => void res.end())
    const { url, seen } = await serve((_seen, res) => {
      const target = status < 307 ? '/elsewhere?token=1' : `${other.url}?token=1`
      res.writeHead(status, { Location: target }).end()
    })
    const { connection } = await open({ ...base, url })
    const error = await failure(connection.exchange(request(1)))
    expect(error).toMatchObject({
      status,
      outcome: 'not-run',
      details: { location: expect.stringContaining(status < 307 ? '/elsewhere' : other.url) },
    })
    expect(error instanceof Error && error.message).toMatch(/configure/)
    expect(JSON.stringify(error) + String(error)).not.toContain('token')
    expect(seen).toHaveLength(1)
    expect(other.seen).toHaveLength(0)
  })

  it('that reaches nobody did not run, and the error names the code and the URL without its secrets', async () => {
    const port = await deadPort()
    const { connection } = await open({ ...base, url: `http://user:word@127.0.0.1:${port}/mcp?key=secret` })
    const error = await failure(connection.exchange(request(1)))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ outcome: 'not-run', retryable: true, reason: { kind: 'network', errno: 'ECONNREFUSED' } })
    expect(String(error)).toContain(`http://127.0.0.1:${port}/mcp`)
    expect(String(error)).not.toMatch(/secret|word/)
    const named = await open({ ...base, url: `http://localhost:${port}/mcp` })
    expect(await failure(named.connection.exchange(request(1)))).toMatchObject({ outcome: 'not-run', reason: { errno: 'ECONNREFUSED' } })
    const nowhere = await open({ ...base, url: 'http://nowhere.invalid/mcp' })
    expect(await failure(nowhere.connection.exchange(request(1)))).toMatchObject({
      outcome: 'not-run',
      message: expect.stringContaining('nowhere.invalid'),
    })
  })

  it.each([
    ['before the reply', ''],
    ['within its head', 'HTTP/1.1 200 OK\r\nContent-Ty'],
    ['within a JSON body', 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"jsonrpc"'],
    ['within a chunk', 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n20\r\ndata: {'],
    ['by what is no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['by an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
  ])('that is cut %s rejects at once with the outcome unknown', async (_name, bytes) => {
    const { url } = await serveRaw((socket) => void socket.end(bytes))
    const { connection } = await open({ ...base, url })
    const error = await failure(connection.exchange(request(1)))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ outcome: 'unknown' })
  })

  it('whose stream ends without the answer rejects at once with the outcome unknown', async () => {
    const { url } = await serve((_seen, res) => void sse(res).end('id: 1\ndata: {"jsonrpc":"2.0","method":"x"}\n\n'))
    const { connection } = await open({ ...base, url })
    connection.adopt(MODERN)
    const error = await failure(connection.exchange(request(1), { resumable: true }))
    expect(error).toMatchObject({ outcome: 'unknown', reason: { kind: 'stream' } })
  })

  it('takes a JSON body whose end is the end of the connection', async () => {
    const { url } = await serveRaw((socket) => void socket.end(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n${result(1)}`))
    const { connection } = await open({ ...base, url })
    expect(await connection.exchange(request(1))).toMatchObject({ result: { ok: true } })
  })

  it('reaches the end of its stream when it is abandoned, before and behind the head of the reply', async () => {
    const closed: Promise<void>[] = []
    const { url, seen } = await serve(({ message }, res) => {
      closed.push(new Promise((resolve) => void res.on('close', resolve)))
      if (message?.id === 2) sse(res).write(': hi\n\n')
    })
    const { connection } = await open({ ...base, url })
    connection.adopt(MODERN)
    const reason = new Error('enough')
    for (const id of [1, 2]) {
      const outcome = failure(connection.exchange(request(id)))
      await expect.poll(() => seen.length).toBe(id)
      connection.abandon(id, reason)
      expect(await outcome).toBe(reason)
    }
    await Promise.all(closed)
    expect(seen).toHaveLength(2)
    connection.abandon(1, reason)
    connection.abandon('unheard of', reason)
  })

  it.each([
    ['a JSON body', 'application/json', (id: unknown) => result(id, 'x'.repeat(2_000))],
    ['an event', 'text/event-stream', (id: unknown) => `data: ${result(id, 'x'.repeat(2_000))}\n\n`],
  ])('fails alone when %s exceeds maxMessageBytes', async (_name, type, bodyOf) => {
    const { url } = await serve(({ message }, res) => {
      if (message?.id === 1) {
        res.writeHead(200, { 'Content-Type': type })
        res.end(bodyOf(1))
      } else if (message?.id === 2)
        json(res, result(2, 'x'.repeat(2_000)), 200, { 'Content-Length': String(Buffer.byteLength(result(2, 'x'.repeat(2_000)))) })
      else json(res, result(message?.id))
    })
    const { connection } = await open({ ...base, url }, { maxMessageBytes: 1_000 })
    for (const id of [1, 2]) {
      const error = await failure(connection.exchange(request(id)))
      expect(error).toBeInstanceOf(ResponseTooLargeError)
      expect(error).toMatchObject({ limit: 'maxMessageBytes', max: 1_000, outcome: 'unknown' })
    }
    expect(await connection.exchange(request(3))).toMatchObject({ result: { ok: true } })
  })

  it('quotes of a hostile page only a bounded, escaped part, in the details alone', async () => {
    const { url } = await serve((_seen, res) => {
      res.writeHead(500, { 'Content-Type': 'text/html' })
      res.write(`\u001b[31mred\n${'x'.repeat(10_000)}`)
      const flood = setInterval(() => res.write('y'.repeat(50_000)), 1)
      res.on('close', () => clearInterval(flood))
    })
    const { connection } = await open({ ...base, url }, { maxPeerTextChars: 100 })
    const error = await failure(connection.exchange(request(1)))
    expect(error).toMatchObject({ status: 500, outcome: 'unknown' })
    if (!(error instanceof HttpError)) throw error
    expect(error.details.body).toMatch(/^\\u001b\[31mred\\nx{80,100}… \(\d+ more characters\)$/)
    expect(error.message).not.toContain('xxx')
  })

  it('does not wait for the rest of a body that can hold no answer', async () => {
    const { url } = await serve((_seen, res) => {
      res.writeHead(200, { 'Content-Type': 'text/html' })
      res.write('<html>')
    })
    const { connection } = await open({ ...base, url })
    const start = performance.now()
    expect(await failure(connection.exchange(request(1)))).toMatchObject({ status: 200, details: { body: '<html>' } })
    expect(performance.now() - start).toBeLessThan(2_500)
  })
})

describe.each(RUNTIMES)('a message without an answer over %s', (_runtime, base) => {
  it.each([
    [202, undefined, ''],
    [200, undefined, ''],
    [204, undefined, ''],
    [200, 'text/plain; charset=utf-8', 'ok'],
    [200, 'application/json', 'null'],
    [200, 'text/event-stream', ''],
  ])('is delivered when the server answers %i with %s', async (status, type, body) => {
    const { url, seen } = await serve((_seen, res) => {
      res.writeHead(status, type === undefined ? {} : { 'Content-Type': type })
      res.end(status === 204 ? undefined : body)
    })
    const { connection } = await open({ ...base, url })
    await connection.post({ jsonrpc: '2.0', method: 'notifications/x' })
    expect(seen[0]).toMatchObject({ method: 'POST', body: '{"jsonrpc":"2.0","method":"notifications/x"}' })
  })

  it('rejects with the status, the challenge and the error in the body', async () => {
    const { url } = await serve((_seen, res) => {
      json(res, '{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}}', 403, { 'WWW-Authenticate': 'Bearer error="x"' })
    })
    const { connection } = await open({ ...base, url })
    const error = await failure(connection.post({ jsonrpc: '2.0', method: 'x' }))
    expect(error).toMatchObject({ status: 403, outcome: 'not-run', details: { challenge: 'Bearer error="x"', rpc: { code: -32600 } } })
  })

  it('says whether it may have arrived', async () => {
    const { url } = await serveRaw((socket) => void socket.destroy())
    const { connection } = await open({ ...base, url })
    expect(await failure(connection.post({ jsonrpc: '2.0', method: 'x' }))).toMatchObject({ outcome: 'unknown' })
    const nobody = await open({ ...base, url: `http://127.0.0.1:${await deadPort()}/` })
    expect(await failure(nobody.connection.post({ jsonrpc: '2.0', method: 'x' }))).toMatchObject({ outcome: 'not-run' })
  })

  it('is not held up by a body that never ends', async () => {
    const { url } = await serve((_seen, res) => {
      res.writeHead(200)
      res.write('x')
    })
    const { connection } = await open({ ...base, url })
    connection.adopt(LEGACY)
    await connection.post({ jsonrpc: '2.0', method: 'x' })
    await connection.close()
  })
})
