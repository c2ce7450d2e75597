import { describe, expect, it } from 'vitest'
import { accept, cancel, decline, type ElicitationHandler, RpcError, type SamplingHandler } from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { type FakeServer, legacyServer, type Message, modernServer, SILENCE, TEXT_RESULT } from '../../support/fake-server.ts'
import { recordingLogger } from '../../support/loggers.ts'
import { rejection, turns, until } from '../../support/settled.ts'

let lastId = 0

/** Asks the client as servers of the older revisions do; resolves with the answer. */
async function ask(fake: FakeServer, method: string, params?: unknown): Promise<Message> {
  const id = `question ${++lastId}`
  fake.send({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) })
  await until(() => fake.received.some((message) => message.id === id), `an answer to ${method}`)
  const answers = fake.received.filter((message) => message.id === id)
  expect(answers).toHaveLength(1)
  expect(answers[0]?.jsonrpc).toBe('2.0')
  return answers[0] ?? {}
}

const FORM = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } }
const URL_REQUEST = { mode: 'url', message: 'Go there', url: 'https://example.com/x', elicitationId: 'e1' }
const SAMPLE = { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 10 }

describe('a question of the server', () => {
  it.each([
    ['ping', undefined, { result: {} }],
    ['ping', null, { result: {} }],
    ['ping', { extra: 1 }, { result: {} }],
    ['ping', [], { result: {} }],
    ['roots/list', undefined, { error: { code: -32601, message: expect.any(String) } }],
    ['sampling/createMessage', SAMPLE, { error: { code: -32601, message: expect.any(String) } }],
    ['elicitation/create', FORM, { error: { code: -32601, message: expect.any(String) } }],
    ['vendor/unknown', {}, { error: { code: -32601, message: expect.any(String) } }],
    ['constructor', {}, { error: { code: -32601, message: expect.any(String) } }],
    ['tasks/get', { taskId: 'x' }, { error: { code: -32601, message: expect.any(String) } }],
  ])('is answered by what is registered: %s %j', async (method, params, expected) => {
    const fake = legacyServer()
    await connected(fake)
    expect(await ask(fake, method, params)).toMatchObject(expected)
  })

  it('is answered during the handshake: a ping, before and after the greeting', async () => {
    const fake = legacyServer({
      initialize: async ({ send }) => {
        send({ jsonrpc: '2.0', id: 'early', method: 'ping' })
        send({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'starting' } })
        await turns()
        return { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } }
      },
    })
    const client = await connected(fake, { era: 'legacy' })
    expect(fake.received.find((message) => message.id === 'early')).toEqual({ jsonrpc: '2.0', id: 'early', result: {} })
    expect(client.state).toBe('ready')
  })

  it('is not answered in the modern era, where servers may not ask', async () => {
    const logger = recordingLogger()
    const fake = modernServer({ 'tools/call': () => TEXT_RESULT })
    const client = await connected(fake, { logger, handlers: { sampling: () => 'x' } })
    for (const method of ['ping', 'sampling/createMessage', 'roots/list']) fake.send({ jsonrpc: '2.0', id: 'q', method, params: SAMPLE })
    expect((await client.callTool('x')).text).toBe('done')
    expect(fake.received.filter((message) => message.method === undefined)).toEqual([])
    expect(logger.of('debug').length).toBeGreaterThan(0)
  })

  it('keeps its id, of either JSON type', async () => {
    const fake = legacyServer()
    await connected(fake)
    for (const id of [0, 7, '', '7', -1, 'a b']) fake.send({ jsonrpc: '2.0', id, method: 'ping' })
    await until(() => fake.received.filter((message) => 'result' in message).length === 6)
    expect(fake.received.filter((message) => 'result' in message).map((message) => message.id)).toEqual([0, 7, '', '7', -1, 'a b'])
  })

  it.each([
    ['an RpcError', new RpcError(-31_999, 'mine', { why: 1 }), { code: -31_999, message: 'mine', data: { why: 1 } }],
    ['an RpcError without data', new RpcError(-1, 'no'), { code: -1, message: 'no' }],
    ['an Error', new Error('secret path /home/me'), { code: -32603, message: 'Internal error' }],
    ['a text', 'secret', { code: -32603, message: 'Internal error' }],
    ['nothing', undefined, { code: -32603, message: 'Internal error' }],
  ])('whose handler throws %s is answered by it', async (_what, thrown, error) => {
    const logger = recordingLogger()
    const fake = legacyServer()
    const handler = (): never => {
      throw thrown
    }
    await connected(fake, { logger, handlers: { sampling: handler, elicitation: async () => handler() } })
    expect((await ask(fake, 'sampling/createMessage', SAMPLE)).error).toEqual(error)
    expect((await ask(fake, 'elicitation/create', FORM)).error).toEqual(error)
    expect(logger.of('error')).toHaveLength(thrown instanceof RpcError ? 0 : 2)
  })

  it.each([
    [
      'a cycle',
      (() => {
        const content: Record<string, unknown> = { type: 'text', text: 'x' }
        content.self = content
        return content
      })(),
    ],
    ['a BigInt', { type: 'text', text: 1n }],
  ])('whose handler returns what is no JSON is answered with an error: %s', async (_what, content) => {
    const logger = recordingLogger()
    const fake = legacyServer()
    await connected(fake, { logger, handlers: { sampling: () => ({ content }) as never } })
    expect((await ask(fake, 'sampling/createMessage', SAMPLE)).error).toMatchObject({ code: -32603 })
    expect(logger.of('error')).toHaveLength(1)
  })

  it('beyond maxInboundRequests is refused, and one is taken again when one is answered', async () => {
    const answers: (() => void)[] = []
    const logger = recordingLogger()
    const fake = legacyServer()
    await connected(fake, {
      logger,
      limits: { maxInboundRequests: 2 },
      handlers: { sampling: () => new Promise((resolve) => answers.push(() => resolve('ok'))) },
    })
    const first = [ask(fake, 'sampling/createMessage', SAMPLE), ask(fake, 'sampling/createMessage', SAMPLE)]
    await until(() => answers.length === 2)
    expect((await ask(fake, 'sampling/createMessage', SAMPLE)).error).toMatchObject({ code: -32603 })
    expect(await ask(fake, 'ping')).toMatchObject({ result: {} })
    expect(logger.of('warn')).toEqual([expect.stringContaining('maxInboundRequests (2)')])
    for (const answer of answers.splice(0)) answer()
    for (const answer of await Promise.all(first)) expect(answer.result).toMatchObject({ content: { type: 'text', text: 'ok' } })
    const next = ask(fake, 'sampling/createMessage', SAMPLE)
    await until(() => answers.length === 1)
    answers[0]?.()
    expect((await next).result).toBeDefined()
  })

  it('that is taken back aborts its handler and is not answered', async () => {
    let signal: AbortSignal | undefined
    const fake = legacyServer()
    const client = await connected(fake, {
      handlers: {
        elicitation: (_request, context) => {
          signal = context.signal
          return new Promise((resolve) => context.signal.addEventListener('abort', () => resolve(accept({}))))
        },
      },
    })
    const seen: unknown[] = []
    client.on('notification', (event) => seen.push(event))
    fake.send({ jsonrpc: '2.0', id: 5, method: 'elicitation/create', params: FORM })
    await until(() => signal !== undefined)
    for (const params of [undefined, {}, { requestId: '5' }, { requestId: 6 }, { requestId: null }]) {
      fake.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
    }
    await turns()
    expect(signal?.aborted).toBe(false)
    fake.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5, reason: 'r' } })
    await turns()
    expect(signal?.aborted).toBe(true)
    expect(fake.received.filter((message) => message.id === 5)).toEqual([])
  })

  it('reaches a handler that may call the same server', async () => {
    const fake = legacyServer({
      'tools/call': async ({ params, send }) => {
        if (params.name === 'inner') return { content: [{ type: 'text', text: 'inner' }] }
        send({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: FORM })
        await until(() => fake.received.some((message) => message.id === 'q'))
        return TEXT_RESULT
      },
    })
    const client = await connected(fake, {
      handlers: { elicitation: async () => accept({ name: (await client.callTool('inner')).text }) },
    })
    expect((await client.callTool('outer')).text).toBe('done')
    expect(fake.received.find((message) => message.id === 'q')).toMatchObject({ result: { action: 'accept', content: { name: 'inner' } } })
  })

  it('64 at once during one call are all answered', async () => {
    const fake = legacyServer({
      'tools/call': async ({ send }) => {
        for (let i = 0; i < 64; i++) send({ jsonrpc: '2.0', id: `m${i}`, method: 'elicitation/create', params: FORM })
        await until(() => fake.received.filter((message) => String(message.id).startsWith('m')).length === 64)
        return TEXT_RESULT
      },
    })
    const client = await connected(fake, { handlers: { elicitation: async () => decline() } })
    expect((await client.callTool('x')).text).toBe('done')
  })
})

describe('elicitation', () => {
  type Row = [string, ElicitationHandler, unknown, unknown]
  const form = (answer: unknown, schema: object = FORM.requestedSchema): Row[2] => ({ message: 'm', requestedSchema: schema, answer })
  const withDefaults = {
    type: 'object',
    properties: { name: { type: 'string', default: 'Ada' }, age: { type: 'integer', default: 0 }, ok: { type: 'boolean', default: false } },
  }

  it.each<Row>([
    ['accept(content)', () => accept({ name: 'A' }), FORM, { action: 'accept', content: { name: 'A' } }],
    ['accept() of a form', () => accept(), FORM, { action: 'accept', content: {} }],
    ['decline()', () => decline(), FORM, { action: 'decline' }],
    ['cancel()', () => cancel(), FORM, { action: 'cancel' }],
    ['the wire form', () => ({ action: 'accept', content: { name: 'B' } }), FORM, { action: 'accept', content: { name: 'B' } }],
    ['a promise', async () => accept({ name: 'C' }), FORM, { action: 'accept', content: { name: 'C' } }],
    ['content beside a decline is left out', () => ({ action: 'decline', content: { a: 'b' } }), FORM, { action: 'decline' }],
    ['undefined', () => undefined, FORM, { action: 'cancel' }],
    ['null', (() => null) as never, FORM, { action: 'cancel' }],
    ['an object without action', (() => ({ name: 'A' })) as never, FORM, { action: 'cancel' }],
    ['an unknown action', (() => ({ action: 'yes' })) as never, FORM, { action: 'cancel' }],
    ['a text', (() => 'accept') as never, FORM, { action: 'cancel' }],
    ['true', (() => true) as never, FORM, { action: 'cancel' }],
    [
      'defaults of the schema',
      () => accept({ name: 'Bob' }),
      form(0, withDefaults),
      { action: 'accept', content: { name: 'Bob', age: 0, ok: false } },
    ],
    [
      'no defaults over what is given',
      () => accept({ ok: true, age: 5, name: '' }),
      form(0, withDefaults),
      { action: 'accept', content: { name: '', age: 5, ok: true } },
    ],
    [
      'no default that no answer may be',
      () => accept(),
      form(0, {
        type: 'object',
        properties: { a: { default: null }, b: { default: {} }, c: { default: [1] }, d: { default: ['x'] }, e: null },
      }),
      { action: 'accept', content: { d: ['x'] } },
    ],
    ['no defaults with a decline', () => decline(), form(0, withDefaults), { action: 'decline' }],
    ['accept of a URL', () => accept(), URL_REQUEST, { action: 'accept' }],
    ['accept of a URL with content', () => accept({ a: 'b' }), URL_REQUEST, { action: 'accept' }],
    ['decline of a URL', { url: () => decline() }, URL_REQUEST, { action: 'decline' }],
    ['a form handler alone', { form: () => accept({ name: 'F' }) }, FORM, { action: 'accept', content: { name: 'F' } }],
  ])('sends %s', async (_what, elicitation, params, expected) => {
    const fake = legacyServer()
    await connected(fake, { handlers: { elicitation } })
    expect((await ask(fake, 'elicitation/create', params)).result).toEqual(expected)
  })

  const bounded = { type: 'object', properties: { name: { type: 'string', minLength: 2 }, age: { type: 'integer' } }, required: ['name'] }

  it.each<[string, object]>([
    ['a required field that is missing', {}],
    ['a text that is too short', { name: 'A' }],
    ['a number for a text', { name: 5 }],
    ['a fraction for a whole number', { name: 'Ann', age: 1.5 }],
    ['an object in a field', { name: 'Ann', extra: { a: 1 } }],
    ['null in a field', { name: 'Ann', extra: null }],
    ['a list of numbers', { name: 'Ann', extra: [1] }],
  ])('does not let content leave that has %s', async (_what, content) => {
    const logger = recordingLogger()
    const fake = legacyServer()
    await connected(fake, { logger, handlers: { elicitation: () => accept(content as never) } })
    const { error } = await ask(fake, 'elicitation/create', form(0, bounded))
    expect(error).toEqual({ code: -32603, message: 'Internal error' })
    expect(logger.of('error').join()).toContain('the content of the form does not fit')
  })

  it('answers a form whose schema cannot be used whole, with a warning', async () => {
    const logger = recordingLogger()
    const fake = legacyServer()
    await connected(fake, { logger, handlers: { elicitation: () => accept({ name: 'A' }) } })
    const { result } = await ask(fake, 'elicitation/create', form(0, { type: 'object', $ref: '#/nowhere' }))
    expect(result).toEqual({ action: 'accept', content: { name: 'A' } })
    expect(logger.of('warn').join()).toContain('/$ref was not checked')
  })

  it('leaves out fields that are undefined', async () => {
    const fake = legacyServer()
    await connected(fake, { handlers: { elicitation: () => accept({ name: 'Ann', age: undefined } as never) } })
    expect((await ask(fake, 'elicitation/create', form(0, bounded))).result).toEqual({ action: 'accept', content: { name: 'Ann' } })
  })

  it('warns of an answer that is none', async () => {
    const logger = recordingLogger()
    const fake = legacyServer()
    await connected(fake, { logger, handlers: { elicitation: () => undefined } })
    await ask(fake, 'elicitation/create', FORM)
    expect(logger.of('warn')).toEqual([expect.stringMatching(/^fake: .*accept\(content\)/)])
  })

  it('hands the request over with its mode, also when the server names none', async () => {
    const seen: unknown[] = []
    const fake = legacyServer()
    await connected(fake, {
      handlers: {
        elicitation: (request, context) => {
          seen.push(request, context.server)
          return decline()
        },
      },
    })
    await ask(fake, 'elicitation/create', { ...FORM, _meta: { a: 1 } })
    await ask(fake, 'elicitation/create', URL_REQUEST)
    expect(seen).toEqual([{ mode: 'form', ...FORM, _meta: { a: 1 } }, 'fake', URL_REQUEST, 'fake'])
  })

  it.each([
    ['a mode that was not declared', { form: () => decline() }, URL_REQUEST],
    ['a form to a URL handler', { url: () => decline() }, FORM],
    ['an unknown mode', () => decline(), { ...FORM, mode: 'voice' }],
    ['no message', () => decline(), { requestedSchema: {} }],
    ['no schema', () => decline(), { message: 'm' }],
    ['a schema that is no object', () => decline(), { message: 'm', requestedSchema: [] }],
    ['no URL', () => decline(), { mode: 'url', message: 'm' }],
    ['no params', () => decline(), undefined],
    ['a URL that runs a script', () => accept(), { ...URL_REQUEST, url: 'javascript:alert(1)' }],
    ['a URL of a file', () => accept(), { ...URL_REQUEST, url: 'file:///etc/passwd' }],
    ['a URL that is none', () => accept(), { ...URL_REQUEST, url: 'example.com' }],
  ])('refuses %s with -32602 and asks nobody', async (_what, elicitation, params) => {
    const fake = legacyServer()
    await connected(fake, { handlers: { elicitation } })
    expect((await ask(fake, 'elicitation/create', params)).error).toMatchObject({ code: -32602 })
  })
})

describe('sampling', () => {
  type Row = [string, SamplingHandler, unknown]
  const wire = { role: 'assistant', content: { type: 'text', text: 'w' }, model: 'm', stopReason: 'maxTokens' } as const
  const use = { type: 'tool_use', id: '1', name: 't', input: {} } as const

  it.each<Row>([
    ['a text', () => 'hello', { role: 'assistant', content: { type: 'text', text: 'hello' }, model: 'unknown', stopReason: 'endTurn' }],
    ['an empty text', () => '', { role: 'assistant', content: { type: 'text', text: '' }, model: 'unknown', stopReason: 'endTurn' }],
    ['the wire result', async () => wire, wire],
    [
      'a result of content alone',
      () => ({ content: { type: 'text', text: 'c' } }),
      { role: 'assistant', content: { type: 'text', text: 'c' }, model: 'unknown', stopReason: 'endTurn' },
    ],
    [
      'a result with a model',
      () => ({ content: { type: 'text', text: 'c' }, model: 'x' }),
      { role: 'assistant', content: { type: 'text', text: 'c' }, model: 'x', stopReason: 'endTurn' },
    ],
    [
      'undefined members as left out',
      () => ({ content: { type: 'text', text: 'c' }, model: undefined, role: undefined, stopReason: undefined }) as never,
      { role: 'assistant', content: { type: 'text', text: 'c' }, model: 'unknown', stopReason: 'endTurn' },
    ],
    [
      'a tool use',
      { createMessage: () => ({ content: [use] }), tools: true },
      { role: 'assistant', content: [use], model: 'unknown', stopReason: 'toolUse' },
    ],
    [
      'a tool use beside text',
      { createMessage: () => ({ content: [{ type: 'text', text: 'a' }, use] }), tools: true },
      { role: 'assistant', content: [{ type: 'text', text: 'a' }, use], model: 'unknown', stopReason: 'toolUse' },
    ],
    [
      'a tool use with its own reason',
      { createMessage: () => ({ content: [use], stopReason: 'maxTokens' }), tools: true },
      { role: 'assistant', content: [use], model: 'unknown', stopReason: 'maxTokens' },
    ],
  ])('sends %s', async (_what, sampling, expected) => {
    const fake = legacyServer()
    await connected(fake, { handlers: { sampling } })
    expect((await ask(fake, 'sampling/createMessage', SAMPLE)).result).toEqual(expected)
  })

  it('refuses by undefined', async () => {
    const fake = legacyServer()
    await connected(fake, { handlers: { sampling: () => undefined } })
    expect((await ask(fake, 'sampling/createMessage', SAMPLE)).error).toMatchObject({ code: -1 })
  })

  it.each([
    ['tools that were not declared', () => 'x', { ...SAMPLE, tools: [] }, -32602],
    ['a tool choice that was not declared', () => 'x', { ...SAMPLE, toolChoice: { mode: 'auto' } }, -32602],
    ['tools not declared by an object', { createMessage: () => 'x' }, { ...SAMPLE, tools: [] }, -32602],
    ['no messages', () => 'x', { maxTokens: 5 }, -32602],
    ['no params', () => 'x', undefined, -32602],
  ])('refuses %s and asks nobody', async (_what, sampling, params, code) => {
    const fake = legacyServer()
    await connected(fake, { handlers: { sampling } })
    expect((await ask(fake, 'sampling/createMessage', params)).error).toMatchObject({ code })
  })

  it('takes null for tools that are not there', async () => {
    const fake = legacyServer()
    await connected(fake, { handlers: { sampling: () => 'x' } })
    expect((await ask(fake, 'sampling/createMessage', { ...SAMPLE, tools: null, toolChoice: null })).result).toBeDefined()
  })

  it('hands over everything that the server sent', async () => {
    const params = {
      ...SAMPLE,
      modelPreferences: { hints: [{ name: 'a' }, { name: 'b' }], costPriority: 0.1, speedPriority: 0.2, intelligencePriority: 0.3 },
      systemPrompt: 's',
      temperature: 0.5,
      stopSequences: ['x'],
      includeContext: 'none',
      metadata: { m: 1 },
      tools: [{ name: 't', inputSchema: { type: 'object' } }],
      toolChoice: { mode: 'required' },
      future: true,
    }
    const seen: unknown[] = []
    const fake = legacyServer()
    await connected(fake, {
      handlers: {
        sampling: {
          createMessage: (request, { server, signal }) => {
            seen.push(request, server, signal.aborted)
            return 'ok'
          },
          tools: true,
        },
      },
    })
    await ask(fake, 'sampling/createMessage', params)
    expect(seen).toEqual([params, 'fake', false])
  })
})

describe('roots', () => {
  it('are answered as they are at the moment, and changes are told where the revision has a word for it', async () => {
    const fake = legacyServer()
    const client = await connected(fake, { roots: [{ uri: 'file:///a', name: 'A' }] })
    expect((await ask(fake, 'roots/list')).result).toEqual({ roots: [{ uri: 'file:///a', name: 'A' }] })
    client.roots = []
    await until(() => fake.calls('notifications/roots/list_changed').length === 1)
    expect(fake.calls('notifications/roots/list_changed')).toEqual([{ jsonrpc: '2.0', method: 'notifications/roots/list_changed' }])
    expect((await ask(fake, 'roots/list')).result).toEqual({ roots: [] })
  })

  it('are not told in the modern era', async () => {
    const fake = modernServer()
    const client = await connected(fake, { roots: [] })
    client.roots = [{ uri: 'file:///b' }]
    await turns()
    expect(fake.calls('notifications/roots/list_changed')).toEqual([])
    expect(client.roots).toEqual([{ uri: 'file:///b' }])
  })

  it('are copied: what the caller does later with its array changes nothing', async () => {
    const root = { uri: 'file:///a' }
    const given = [root]
    const fake = legacyServer()
    const client = await connected(fake, { roots: given })
    given.push({ uri: 'file:///etc' })
    root.uri = 'file:///etc'
    expect((await ask(fake, 'roots/list')).result).toEqual({ roots: [{ uri: 'file:///a' }] })
    expect(client.roots).toEqual([{ uri: 'file:///a' }])
  })

  it.each([
    ['https://example.com/'],
    ['/home/me'],
    ['file:///a/../b'],
    ['file:///a/%2E%2E/b'],
    ['file:///a\\..\\b'],
    ['file:///%zz'],
    [''],
  ])('that are no plain file URI are a TypeError, and the old ones stay: %j', async (uri) => {
    const client = await connected(legacyServer(), { roots: [{ uri: 'file:///a' }] })
    expect(() => {
      client.roots = [{ uri }]
    }).toThrow(TypeError)
    expect(client.roots).toEqual([{ uri: 'file:///a' }])
  })

  it('cannot be set when they were not declared', async () => {
    const client = await connected(legacyServer())
    expect(() => {
      client.roots = []
    }).toThrow(expect.objectContaining({ code: 'ERR_MCP_UNSUPPORTED', server: 'fake' }))
  })
})

describe('a silent server', () => {
  it('may stay silent: nothing is sent that was not asked for', async () => {
    const fake = legacyServer({ 'tools/call': () => SILENCE })
    const client = await connected(fake)
    const call = rejection(client.callTool('x'))
    await turns()
    expect(fake.received.map((message) => message.method)).toEqual([
      'server/discover',
      'initialize',
      'notifications/initialized',
      'tools/call',
    ])
    await client.close()
    await call
  })
})
