import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { ConnectionError, type Interceptor, ProtocolError, RpcError, UnsupportedError } from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { type Ask, ERAS, legacyServer, type Message, modernServer, ServerError, SILENCE, TEXT_RESULT } from '../../support/fake-server.ts'
import { recordingLogger } from '../../support/loggers.ts'
import { rejection, turns, until } from '../../support/settled.ts'

const tokenOf = (ask: Ask): unknown => (ask.params._meta as Message).progressToken
const progress = (token: unknown, value: unknown, more = {}): Message => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: token, progress: value, ...more },
})

describe.each(ERAS)('a call, %s era', (era, server) => {
  it('has an id of its own, never reused', async () => {
    const fake = server({ 'tools/call': () => TEXT_RESULT })
    const client = await connected(fake)
    await Promise.all(Array.from({ length: 50 }, () => client.callTool('x')))
    const ids = fake.received.filter((message) => message.method !== undefined && message.id !== undefined).map((message) => message.id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(Number.isSafeInteger(id)).toBe(true)
  })

  it('is answered whatever the order of the answers', async () => {
    const waiting: (() => void)[] = []
    const fake = server({
      'tools/call': ({ params }) =>
        new Promise((resolve) => waiting.push(() => resolve({ content: [{ type: 'text', text: String(params.name) }] }))),
    })
    const client = await connected(fake)
    const calls = ['a', 'b', 'c'].map(async (name) => (await client.callTool(name)).text)
    await turns()
    for (const answer of waiting.reverse()) answer()
    expect(await Promise.all(calls)).toEqual(['a', 'b', 'c'])
  })

  it('that is aborted rejects with the reason itself and tells the server once, with the id of the call', async () => {
    const fake = server({ 'tools/call': () => SILENCE })
    const client = await connected(fake)
    const controller = new AbortController()
    const call = rejection(client.callTool('x', {}, { signal: controller.signal }))
    await turns()
    const reason = { mine: true }
    controller.abort(reason)
    expect(await call).toBe(reason)
    await turns()
    const cancels = fake.calls('notifications/cancelled')
    expect(cancels).toHaveLength(1)
    expect(cancels[0]).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: fake.calls('tools/call')[0]?.id, reason: expect.any(String) },
    })
  })

  it('that is aborted before it begins sends nothing', async () => {
    const fake = server({ 'tools/call': () => TEXT_RESULT })
    const client = await connected(fake)
    const before = fake.received.length
    expect(await rejection(client.callTool('x', {}, { signal: AbortSignal.abort('early') }))).toBe('early')
    await turns()
    expect(fake.received).toHaveLength(before)
  })

  it('that was answered is not cancelled by a later abort', async () => {
    const fake = server({ 'tools/call': () => TEXT_RESULT })
    const client = await connected(fake)
    const controller = new AbortController()
    await client.callTool('x', {}, { signal: controller.signal })
    controller.abort()
    await turns()
    expect(fake.calls('notifications/cancelled')).toEqual([])
  })

  it('leaves no listener on a signal that 10,000 calls share', async () => {
    const fake = server({ 'tools/call': ({ params }) => (params.name === 'fail' ? Promise.reject(new ServerError(-1)) : TEXT_RESULT) })
    const client = await connected(fake)
    const { signal } = new AbortController()
    const warnings: Error[] = []
    const warned = (warning: Error): void => void warnings.push(warning)
    process.on('warning', warned)
    for (let batch = 0; batch < 100; batch++) {
      await Promise.allSettled(Array.from({ length: 100 }, (_, i) => client.callTool(i % 2 ? 'x' : 'fail', {}, { signal })))
    }
    expect(getEventListeners(signal, 'abort')).toEqual([])
    await turns()
    process.off('warning', warned)
    expect(warnings).toEqual([])
  })

  it('gets its progress in order and whole before its result, 10,000 of 10,000', async () => {
    const fake = server({
      'tools/call': (ask) => {
        for (let i = 1; i <= 10_000; i++) ask.send(progress(tokenOf(ask), i))
        return TEXT_RESULT
      },
    })
    const client = await connected(fake)
    const seen: number[] = []
    const result = await client.callTool('x', {}, { onProgress: (event) => seen.push(event.progress) })
    expect(result.text).toBe('done')
    expect(seen).toEqual(Array.from({ length: 10_000 }, (_, i) => i + 1))
  })

  it('gets its own progress only, with what belongs to it', async () => {
    const fake = server({
      'tools/call': async (ask) => {
        const token = tokenOf(ask)
        const foreign = [undefined, null, 'nobody', 999_999, String(token), {}, true]
        for (const other of foreign) ask.send(progress(other, 1))
        ask.send(progress(token, 'half'))
        ask.send({ jsonrpc: '2.0', method: 'notifications/progress' })
        ask.send(progress(token, 0.5, { total: 1, message: 'half', extra: 1 }))
        ask.send(progress(token, 1, { total: null, message: null }))
        return TEXT_RESULT
      },
    })
    const client = await connected(fake)
    const seen: unknown[] = []
    await client.callTool('x', {}, { onProgress: (event) => seen.push(event) })
    expect(seen).toEqual([{ progress: 0.5, total: 1, message: 'half' }, { progress: 1 }])
  })

  it('gets no progress after its result', async () => {
    let ask: Ask | undefined
    const fake = server({
      'tools/call': (given) => {
        ask = given
        return TEXT_RESULT
      },
    })
    const client = await connected(fake)
    const seen: unknown[] = []
    await client.callTool('x', {}, { onProgress: (event) => seen.push(event) })
    if (ask !== undefined) ask.send(progress(tokenOf(ask), 1))
    await turns()
    expect(seen).toEqual([])
  })

  it('is not harmed by a progress listener that throws', async () => {
    const logger = recordingLogger()
    const fake = server({
      'tools/call': (ask) => {
        for (let i = 1; i <= 3; i++) ask.send(progress(tokenOf(ask), i))
        return TEXT_RESULT
      },
    })
    const client = await connected(fake, { logger })
    const seen: number[] = []
    const result = await client.callTool(
      'x',
      {},
      {
        onProgress: (event) => {
          seen.push(event.progress)
          throw new Error('listener')
        },
      },
    )
    expect(result.text).toBe('done')
    expect(seen).toEqual([1, 2, 3])
    expect(logger.of('error')).toHaveLength(3)
  })

  it('asks for progress only when somebody listens', async () => {
    const fake = server({ 'tools/call': () => TEXT_RESULT })
    const client = await connected(fake)
    await client.callTool('x')
    await client.callTool('x', {}, { onProgress: () => {} })
    await client.callTool('x', {}, { resetTimeoutOnProgress: true })
    const tokens = fake.calls('tools/call').map((message) => ((message.params as Message)._meta as Message | undefined)?.progressToken)
    expect(tokens.map((token) => token !== undefined)).toEqual([false, true, true])
    expect(tokens[1]).not.toBe(tokens[2])
  })

  it('carries the metadata of the caller; what the protocol reserves wins, and so does the generated token', async () => {
    const fake = server({ 'tools/call': () => TEXT_RESULT })
    const client = await connected(fake)
    const meta = {
      'com.example/trace': '1',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      progressToken: 'mine',
      'io.modelcontextprotocol/protocolVersion': 'forged',
      'io.modelcontextprotocol/clientInfo': 'forged',
      'io.modelcontextprotocol/clientCapabilities': 'forged',
    }
    await client.callTool('x', {}, { meta, onProgress: () => {} })
    await client.callTool('x', {}, { meta: { progressToken: 'mine' } })
    const [first, second] = fake.calls('tools/call').map((message) => (message.params as Message)._meta as Message)
    expect(first).toMatchObject({ 'com.example/trace': '1', traceparent: meta.traceparent })
    expect(first?.progressToken).not.toBe('mine')
    expect(second?.progressToken).toBe('mine')
    if (era === 'modern') expect(JSON.stringify(first)).not.toContain('forged')
    expect(meta.progressToken).toBe('mine')
  })

  it.each([
    ...['', ' ', 'a b', '/name', 'com.example/-x', '-x', 'x-', '1com/x', 'com..example/x', 'com.example-/x', 'a/b/c', 'ü', 'x'.repeat(300)],
  ])('with metadata under the key %j is a TypeError with nothing sent', async (key) => {
    const fake = server({ 'tools/call': () => TEXT_RESULT })
    const client = await connected(fake)
    expect(await rejection(client.callTool('x', {}, { meta: { [key]: 1 } }))).toBeInstanceOf(TypeError)
    expect(fake.calls('tools/call')).toEqual([])
  })

  it.each(['x', 'trace.id_2', '0', 'com.example/', 'com.example/a-b_c.d', 'a-1.b/x'])('may have metadata under the key %j', async (key) => {
    const fake = server({ 'tools/call': () => TEXT_RESULT })
    const client = await connected(fake)
    await client.callTool('x', {}, { meta: { [key]: 1 } })
    expect(fake.calls('tools/call')[0]?.params).toMatchObject({ _meta: { [key]: 1 } })
  })

  it('that the server refuses is an RpcError with all that it said', async () => {
    const fake = server({ 'tools/call': () => Promise.reject(new ServerError(-32050, 'no \u001b[31mway', { why: ['x'] })) })
    const client = await connected(fake)
    const error = await rejection(client.callTool('x'))
    expect(error).toBeInstanceOf(RpcError)
    expect(error).toMatchObject({
      code: 'ERR_MCP_RPC',
      name: 'RpcError',
      rpcCode: -32050,
      data: { why: ['x'] },
      method: 'tools/call',
      server: 'fake',
      outcome: 'answered',
      retryable: false,
    })
    expect((error as Error).message).toBe('no \\u001b[31mway')
  })

  it.each([
    [-32601, 'not-run'],
    [-32602, 'answered'],
    [-32603, 'answered'],
    [-32000, 'answered'],
    [-32021, 'not-run'],
    [-32042, 'not-run'],
    [-32700, 'answered'],
  ])('that is refused with %i has the outcome %s', async (code, outcome) => {
    const client = await connected(server({ 'tools/call': () => Promise.reject(new ServerError(code)) }))
    expect(await rejection(client.callTool('x'))).toMatchObject({ rpcCode: code, outcome })
  })

  it.each([
    ['a text', 'done'],
    ['a list', []],
    ['a number', 0],
  ])('that is answered with %s instead of an object is a ProtocolError, and the connection goes on', async (_what, result) => {
    const fake = server({ 'tools/call': () => result, 'prompts/list': () => ({ prompts: [] }) })
    const client = await connected(fake)
    expect(await rejection(client.callTool('x'))).toBeInstanceOf(ProtocolError)
    expect(await rejection(client.callTool('x'))).toMatchObject({
      code: 'ERR_MCP_PROTOCOL',
      outcome: 'answered',
      method: 'tools/call',
      server: 'fake',
    })
    expect(await client.listPrompts()).toEqual([])
  })

  it('whose answer has a null error beside its result is answered', async () => {
    const fake = server({
      'tools/call': ({ id, send }) => {
        send({ jsonrpc: '2.0', id, result: TEXT_RESULT, error: null })
        return SILENCE
      },
    })
    expect((await (await connected(fake)).callTool('x')).text).toBe('done')
  })

  it('whose answer has a null result beside its error has failed', async () => {
    const fake = server({
      'tools/call': ({ id, send }) => {
        send({ jsonrpc: '2.0', id, result: null, error: { code: -5, message: 'm' } })
        return SILENCE
      },
    })
    expect(await rejection((await connected(fake)).callTool('x'))).toMatchObject({ rpcCode: -5 })
  })

  it('with arguments that JSON cannot carry is a TypeError with nothing sent', async () => {
    const fake = server({ 'tools/call': () => TEXT_RESULT })
    const client = await connected(fake)
    const circular: Record<string, unknown> = {}
    circular.self = circular
    for (const args of [circular, { n: 1n }]) expect(await rejection(client.callTool('x', args))).toBeInstanceOf(TypeError)
    expect(fake.calls('tools/call')).toEqual([])
    expect((await client.callTool('x')).text).toBe('done')
  })

  it.each([[[]], ['text'], [5], [null]])('with arguments that are no object is a TypeError with nothing sent: %j', async (args) => {
    const fake = server({ 'tools/call': () => TEXT_RESULT })
    const client = await connected(fake)
    expect(await rejection(client.callTool('x', args as never))).toBeInstanceOf(TypeError)
    expect(await rejection(client.callTool('' as never))).toBeInstanceOf(TypeError)
    expect(await rejection(client.callTool(undefined as never))).toBeInstanceOf(TypeError)
    expect(fake.calls('tools/call')).toEqual([])
  })

  it('beyond maxPendingRequests is refused with nothing sent, and one takes the place of one that ended', async () => {
    const answers: (() => void)[] = []
    const fake = server({ 'tools/call': () => new Promise((resolve) => answers.push(() => resolve(TEXT_RESULT))) })
    const client = await connected(fake, { limits: { maxPendingRequests: 3 } })
    const calls = [client.callTool('x'), client.callTool('x'), client.callTool('x')]
    const error = await rejection(client.callTool('x'))
    expect(error).toMatchObject({
      code: 'ERR_MCP_CONNECTION',
      outcome: 'not-run',
      reason: { kind: 'limit' },
      server: 'fake',
      method: 'tools/call',
    })
    expect((error as Error).message).toContain('maxPendingRequests')
    await turns()
    expect(answers).toHaveLength(3)
    answers[0]?.()
    await calls[0]
    calls.push(client.callTool('x'))
    await until(() => answers.length === 4)
    for (const answer of answers) answer()
    await Promise.all(calls)
  })

  it('of any method and a notification of any method go out as they are given', async () => {
    const fake = server({ 'vendor/method': ({ params }) => ({ got: params.a }) })
    const client = await connected(fake)
    expect(await client.request('vendor/method', { a: [1] })).toMatchObject({ got: [1] })
    await client.notify('notifications/vendor', { b: 2 })
    await client.notify('notifications/bare')
    await turns()
    expect(fake.calls('notifications/vendor')).toEqual([{ jsonrpc: '2.0', method: 'notifications/vendor', params: { b: 2 } }])
    expect(fake.calls('notifications/bare')).toEqual([{ jsonrpc: '2.0', method: 'notifications/bare' }])
  })
})

describe('a ping', () => {
  it.each([[{}], [[]], [null], ['pong'], [{ extra: 1 }]])('is answered by any result: %j', async (result) => {
    const fake = legacyServer({
      ping: ({ id, send }) => {
        send({ jsonrpc: '2.0', id, result })
        return SILENCE
      },
    })
    expect(await (await connected(fake)).ping()).toBeUndefined()
    expect(fake.calls('ping')).toHaveLength(1)
  })

  it('is a discovery where the revision has no ping', async () => {
    const fake = modernServer()
    await (await connected(fake)).ping()
    expect(fake.calls('server/discover')).toHaveLength(2)
    expect(fake.calls('ping')).toEqual([])
  })
})

describe('closing a client', () => {
  it.each(ERAS)('rejects what runs, refuses what comes, and does it once (%s)', async (_era, server) => {
    const fake = server({ 'tools/call': () => SILENCE })
    const client = await connected(fake)
    const states: string[] = []
    client.on('state', ({ state }) => states.push(state))
    const running = rejection(client.callTool('x'))
    await turns()
    const [first, second] = [client.close(), client.close()]
    await Promise.all([first, second, client[Symbol.asyncDispose]()])
    const error = await running
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ outcome: 'unknown', reason: { kind: 'closed' }, method: 'tools/call', server: 'fake' })
    expect(await rejection(client.callTool('x'))).toMatchObject({ code: 'ERR_MCP_CONNECTION', outcome: 'not-run' })
    expect(await rejection(client.ping())).toMatchObject({ code: 'ERR_MCP_CONNECTION' })
    expect(await rejection(client.notify('notifications/x'))).toMatchObject({ code: 'ERR_MCP_CONNECTION' })
    expect(client.state).toBe('closed')
    expect(states).toEqual(['closed'])
    expect(fake.open).toBe(0)
    expect(client.protocolVersion).toMatch(/^\d{4}-/)
  })

  it('ends a handler that is answering', async () => {
    let signal: AbortSignal | undefined
    const fake = legacyServer()
    const client = await connected(fake, {
      handlers: {
        sampling: (_request, context) => {
          signal = context.signal
          return new Promise(() => {})
        },
      },
    })
    fake.send({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } })
    await until(() => signal !== undefined)
    await client.close()
    expect(signal?.aborted).toBe(true)
  })

  it.each([
    ['a form', { inputRequests: { k: { method: 'elicitation/create', params: { message: 'm', requestedSchema: { type: 'object' } } } } }],
    ['a pause', { requestState: 's' }],
  ])('rejects a call that stands at %s', async (_what, asked) => {
    const fake = modernServer({ 'tools/call': () => ({ resultType: 'input_required', ...asked }) })
    let signal: AbortSignal | undefined
    const client = await connected(fake, {
      handlers: {
        elicitation: (_request, context) => {
          signal = context.signal
          return new Promise(() => {})
        },
      },
    })
    const call = rejection(client.callTool('x'))
    await until(() => fake.calls('tools/call').length > 0)
    await turns()
    await client.close()
    expect(await call).toMatchObject({ code: 'ERR_MCP_CONNECTION', reason: { kind: 'closed' } })
    if ('inputRequests' in asked) expect(signal?.aborted).toBe(true)
  })
})

describe('a server that goes away', () => {
  it.each(ERAS)('rejects every call at once, and later ones with the same reason (%s)', async (_era, server) => {
    const fake = server({ 'tools/call': () => SILENCE })
    const client = await connected(fake)
    const states: unknown[] = []
    client.on('state', (event) => states.push(event))
    const calls = [rejection(client.callTool('x')), rejection(client.callTool('y'))]
    await turns()
    fake.hangUp()
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ code: 'ERR_MCP_CONNECTION', reason: { kind: 'stream' } })
    expect(await rejection(client.callTool('x'))).toMatchObject({ outcome: 'not-run', reason: { kind: 'stream' } })
    expect(states).toEqual([{ state: 'closed', reason: expect.stringContaining('fake') }])
    await client.close()
  })
})

describe('interceptors', () => {
  it('see each call once, the first outermost, whatever legs it takes', async () => {
    let rounds = 0
    const fake = modernServer({
      'tools/call': () => (rounds++ < 2 ? { resultType: 'input_required', inputRequests: { r: { method: 'roots/list' } } } : TEXT_RESULT),
    })
    const log: string[] = []
    const named =
      (name: string): Interceptor =>
      (next) =>
      async (call) => {
        log.push(`${name} > ${call.method} on ${call.server}`)
        const result = await next(call)
        log.push(`${name} <`)
        return result
      }
    const client = await connected(fake, { roots: [], interceptors: [named('a'), named('b')] })
    await client.callTool('x')
    expect(fake.calls('tools/call')).toHaveLength(3)
    expect(log).toEqual(['a > tools/call on fake', 'b > tools/call on fake', 'b <', 'a <'])
  })

  it.each<[string, (call: unknown, next: (call: unknown) => unknown) => unknown]>([
    ['nothing', () => undefined],
    ['a promise that fails', async (call, next) => next(call)],
    ['a value', () => 5],
  ])('that return %s are a TypeError that shows the form', async (_what, wrong) => {
    const error = await rejection(connected(modernServer({}), { interceptors: [wrong as unknown as Interceptor] }))
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toContain('(next) => (call) => next(call)')
  })

  it('may change a call, answer it and refuse it', async () => {
    const fake = legacyServer({ 'tools/call': ({ params }) => ({ content: [{ type: 'text', text: JSON.stringify(params.arguments) }] }) })
    const refused = new Error('not allowed')
    const client = await connected(fake, {
      interceptors: [
        (next) => async (call) => {
          if (call.params?.name === 'refuse') throw refused
          if (call.params?.name === 'answer') return { content: [{ type: 'text', text: 'from here' }] }
          return next({ ...call, params: { ...call.params, arguments: { changed: true } } })
        },
      ],
    })
    expect((await client.callTool('x', { a: 1 })).text).toBe('{"changed":true}')
    expect((await client.callTool('answer')).text).toBe('from here')
    expect(await rejection(client.callTool('refuse'))).toBe(refused)
    expect(fake.calls('tools/call')).toHaveLength(1)
  })
})

describe('what a client says of its server', () => {
  it.each(ERAS)('is there after connect (%s)', async (era, server) => {
    const client = await connected(server({}))
    expect(client).toMatchObject({ name: 'fake', transport: 'memory', state: 'ready', serverInfo: { name: 'fake', version: '1.0.0' } })
    expect(client.capabilities).toEqual({ tools: {}, prompts: {}, resources: {}, logging: {} })
    expect(client.instructions).toBeUndefined()
    expect(client.protocolVersion).toBe(era === 'modern' ? '2026-07-28' : '2025-11-25')
  })

  it('decides what is asked of it: no capability, no request', async () => {
    const fake = legacyServer({}, { capabilities: {} })
    const client = await connected(fake)
    const before = fake.received.length
    expect(await Promise.all([client.listTools(), client.listPrompts(), client.listResources(), client.listResourceTemplates()])).toEqual([
      [],
      [],
      [],
      [],
    ])
    expect(await rejection(client.setLogLevel('info'))).toBeInstanceOf(UnsupportedError)
    expect(fake.received).toHaveLength(before)
  })
})
