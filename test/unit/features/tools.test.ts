import { describe, expect, it } from 'vitest'
import { NotFoundError, RpcError, ToolError, type ToolEvent, ToolResult, ValidationError } from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { type Ask, ERAS, legacyServer, type Message, modernServer, ServerError, SILENCE, TEXT_RESULT } from '../../support/fake-server.ts'
import { recordingLogger } from '../../support/loggers.ts'
import { rejection, turns, until } from '../../support/settled.ts'

const tool = (name: string, more: object = {}): Message => ({ name, inputSchema: { type: 'object' }, ...more })
const listing = (...tools: unknown[]) => ({ 'tools/list': () => ({ tools }) })

describe.each(ERAS)('the list of tools, %s era', (_era, server) => {
  it('is every tool in order, as it came', async () => {
    const definition = tool('a', {
      title: 'T',
      description: 'd',
      icons: [{ src: 'data:,' }],
      _meta: { k: 1 },
      annotations: { readOnlyHint: true, custom: 1 },
      outputSchema: { type: 'object' },
      unknown: { kept: true },
    })
    const client = await connected(server(listing(definition, tool('b'))))
    const tools = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['a', 'b'])
    const [a] = tools
    expect(a?.definition).toEqual(definition)
    expect(a).toMatchObject({
      title: 'T',
      description: 'd',
      icons: definition.icons,
      meta: { k: 1 },
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object' },
      hasStructuredOutput: true,
    })
    expect(a?.annotations).toEqual({ readOnlyHint: true, custom: 1 })
  })

  it('keeps the good tools among malformed ones, and names the method of what it left out', async () => {
    const logger = recordingLogger()
    const bad = [
      null,
      5,
      'x',
      [],
      {},
      { name: 5, inputSchema: {} },
      { name: '', inputSchema: {} },
      { name: 'n' },
      { name: 'n', inputSchema: null },
      { inputSchema: {} },
    ]
    const client = await connected(server(listing(tool('first'), ...bad, tool('last'))), { logger })
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['first', 'last'])
    expect(logger.of('warn').length).toBeGreaterThan(0)
    expect(logger.of('warn').every((line) => line.includes('tools/list'))).toBe(true)
  })

  it('takes any name and any shape of what may be left out', async () => {
    const odd = { title: null, description: null, annotations: null, icons: null, _meta: null, outputSchema: null, execution: null }
    const tools = await (
      await connected(
        server(
          listing(
            tool('with spaces / and ü'),
            tool('x'.repeat(500)),
            tool('nulls', odd),
            tool('texts', { annotations: 'no', execution: 'no' }),
          ),
        ),
      )
    ).listTools()
    expect(tools).toHaveLength(4)
    for (const each of tools) {
      expect([each.readOnlyHint, each.destructiveHint, each.idempotentHint, each.openWorldHint]).toEqual([false, true, false, true])
      expect([each.requiresConfirmation, each.taskSupport, each.supportsTask, each.hasStructuredOutput]).toEqual([
        true,
        'forbidden',
        false,
        false,
      ])
      expect(each.title ?? undefined).toBeUndefined()
    }
  })

  it('of a server that writes an empty list as null is empty', async () => {
    expect(await (await connected(server({ 'tools/list': () => ({ tools: null }) }))).listTools()).toEqual([])
  })

  it.each([[{}], [{ tools: {} }], [{ tools: 'none' }]])('that is no list is a ProtocolError: %j', async (result) => {
    const error = await rejection((await connected(server({ 'tools/list': () => result }))).listTools())
    expect(error).toMatchObject({ code: 'ERR_MCP_PROTOCOL', method: 'tools/list', outcome: 'answered' })
  })
})

describe('a tool', () => {
  it.each([
    [undefined, [false, true, false, true], true],
    [{}, [false, true, false, true], true],
    [{ readOnlyHint: true }, [true, true, false, true], false],
    [{ destructiveHint: false }, [false, false, false, true], false],
    [{ idempotentHint: true, openWorldHint: false }, [false, true, true, false], true],
    [{ readOnlyHint: true, requiresConfirmation: true }, [true, true, false, true], true],
    [{ readOnlyHint: null, destructiveHint: null }, [false, true, false, true], true],
    [{ readOnly: true, destructive: false }, [false, true, false, true], true],
  ])('has the hints of the specification where it says nothing: %j', async (annotations, hints, confirms) => {
    const [handle] = await (await connected(legacyServer(listing(tool('x', { annotations }))))).listTools()
    expect([handle?.readOnlyHint, handle?.destructiveHint, handle?.idempotentHint, handle?.openWorldHint]).toEqual(hints)
    expect(handle?.requiresConfirmation).toBe(confirms)
  })

  it.each([
    [{ title: 'T', annotations: { title: 'A' } }, 'T'],
    [{ annotations: { title: 'A' } }, 'A'],
    [{}, undefined],
  ])('has its title, else that of its annotations: %j', async (more, title) => {
    const [handle] = await (await connected(legacyServer(listing(tool('x', more))))).listTools()
    expect(handle?.title).toBe(title)
  })

  it.each([
    [undefined, false],
    [{}, true],
    [{ type: 'object' }, true],
  ])('has structured output when it has a schema for it: %j', async (outputSchema, has) => {
    const [handle] = await (await connected(legacyServer(listing(tool('x', { outputSchema }))))).listTools()
    expect(handle?.hasStructuredOutput).toBe(has)
    expect(handle?.outputSchema).toEqual(outputSchema)
  })

  it.each([
    [undefined, 'forbidden', false],
    [{ taskSupport: 'optional' }, 'optional', true],
    [{ taskSupport: 'required' }, 'required', true],
    [{ taskSupport: 'forbidden' }, 'forbidden', false],
  ])('says whether it runs as a task: %j', async (execution, support, supports) => {
    const [handle] = await (await connected(legacyServer(listing(tool('x', { execution }))))).listTools()
    expect([handle?.taskSupport, handle?.supportsTask]).toEqual([support, supports])
  })

  it('is called through its handle', async () => {
    const fake = legacyServer({ ...listing(tool('x')), 'tools/call': () => TEXT_RESULT })
    const [handle] = await (await connected(fake)).listTools()
    expect((await handle?.call({ a: 1 }))?.text).toBe('done')
    expect(fake.calls('tools/call')[0]?.params).toEqual({ name: 'x', arguments: { a: 1 } })
  })
})

describe('finding a tool', () => {
  const names = ['read_file', 'read_text_file', 'write_file', 'Read_File', 'toString']
  const client = () => connected(legacyServer(listing(...names.map((name) => tool(name)))))

  it.each<[string | RegExp | ((tool: { name: string }) => boolean), string[]]>([
    ['read_file', ['read_file']],
    ['read', []],
    ['READ_FILE', []],
    ['toString', ['toString']],
    ['constructor', []],
    [/^read/, ['read_file', 'read_text_file']],
    [/^read/i, ['read_file', 'read_text_file', 'Read_File']],
    [/file/g, ['read_file', 'read_text_file', 'write_file']],
    [/read_/y, ['read_file', 'read_text_file']],
    [({ name }) => name.length > 10, ['read_text_file']],
    [/nothing/, []],
  ])('by %s', async (query, found) => {
    const each = await client()
    for (let again = 0; again < 2; again++) {
      expect((await each.findTools(query)).map(({ name }) => name)).toEqual(found)
      if (found.length > 0) expect((await each.findTool(query)).name).toBe(found[0])
      else expect(await rejection(each.findTool(query))).toBeInstanceOf(NotFoundError)
    }
    if (query instanceof RegExp) expect(query.lastIndex).toBe(0)
  })

  it('in vain names the closest', async () => {
    const error = await rejection((await client()).findTool('read_fil'))
    expect(error).toMatchObject({ code: 'ERR_MCP_NOT_FOUND', kind: 'tool', wanted: 'read_fil', outcome: 'not-run', server: 'fake' })
    expect((error as NotFoundError).candidates[0]).toBe('read_file')
    expect((error as Error).message).toContain('did you mean "read_file"')
    expect((await rejection((await client()).findTool('completely different'))) as NotFoundError).toMatchObject({ candidates: [] })
  })

  it('in vain quotes names of the server safely', async () => {
    const error = await rejection((await connected(legacyServer(listing(tool('\u001b[1mx'))))).findTool('[1mx'))
    expect((error as NotFoundError).message).not.toContain('\u001b')
  })
})

describe('a result', () => {
  const result = (raw: object): ToolResult => new ToolResult(raw as never)
  const text = (value: unknown): object => ({ type: 'text', text: value })

  it.each([
    [[], ''],
    [[text('a')], 'a'],
    [[text('a'), { type: 'image', data: '', mimeType: '' }, text('b')], 'a\nb'],
    [[text(''), text('')], '\n'],
    [[null, text('a'), 5, 'x', [], {}, text(7), text(null)], 'a'],
    [null, ''],
    [undefined, ''],
    ['text', ''],
  ])('has the text of all its blocks: %j', (content, expected) => {
    expect(result({ content }).text).toBe(expected)
  })

  it.each<[string, object, unknown]>([
    ['structured content', { content: [], structuredContent: { a: 1 } }, { a: 1 }],
    ['a structured null', { content: [text('{"b":2}')], structuredContent: null }, null],
    ['a structured zero', { content: [], structuredContent: 0 }, 0],
    ['a structured false', { content: [], structuredContent: false }, false],
    ['a structured empty text', { content: [], structuredContent: '' }, ''],
    ['a structured list', { content: [], structuredContent: [] }, []],
    ['a single text that is an object', { content: [text(' \n{"a":1}')] }, { a: 1 }],
    ['a single text that is a list', { content: [text('[1,2]')] }, [1, 2]],
    ['a single text that is a number', { content: [text('5')] }, undefined],
    ['a single text that is a JSON text', { content: [text('"x"')] }, undefined],
    ['a single text that is null', { content: [text('null')] }, undefined],
    ['a single text that only looks like it', { content: [text('{oops')] }, undefined],
    ['two texts', { content: [text('{"a":1}'), text('{"b":2}')] }, undefined],
    ['a text beside an image', { content: [text('{"a":1}'), { type: 'image', data: '', mimeType: '' }] }, undefined],
    ['an image', { content: [{ type: 'image', data: '', mimeType: '' }] }, undefined],
    ['null as content', { content: [null] }, undefined],
    ['nothing', { content: [] }, undefined],
  ])('has data: %s', (_what, raw, data) => {
    expect(result(raw).data).toEqual(data)
  })

  it.each([
    [{ structuredContent: null }, true],
    [{ structuredContent: 0 }, true],
    [{}, false],
  ])('has structuredContent exactly when the server sent it: %j', (raw, has) => {
    expect('structuredContent' in result({ content: [], ...raw })).toBe(has)
    expect(Object.keys(result({ content: [], ...raw })).includes('structuredContent')).toBe(has)
  })

  it.each([
    [true, true],
    [false, false],
    [undefined, false],
    [null, false],
    ['true', false],
  ])('is an error only by true: %j', (isError, expected) => {
    expect(result({ content: [], isError }).isError).toBe(expected)
  })

  it('keeps everything that came, unknown kinds of content too', () => {
    const raw = { content: [{ type: 'hologram', beam: [1] }, text('x')], _meta: { k: 1 }, unknown: { a: 1 } }
    expect(result(raw).raw).toBe(raw)
    expect(result(raw).content).toEqual(raw.content)
    expect(result(raw).text).toBe('x')
    expect(result(raw).meta).toEqual({ k: 1 })
    expect(result({ content: [], _meta: null }).meta).toBeUndefined()
  })
})

describe.each(ERAS)('calling a tool, %s era', (_era, server) => {
  it('that fails gives a result, or an error for those who want one', async () => {
    const failing = { content: [{ type: 'text', text: 'disk \u001b[31mfull' }], isError: true }
    const fake = server({ 'tools/call': () => failing })
    const client = await connected(fake)
    const result = await client.callTool('x')
    expect(result).toMatchObject({ isError: true, text: 'disk \u001b[31mfull' })
    const error = await rejection(client.callTool('x', {}, { throwOnToolError: true }))
    expect(error).toBeInstanceOf(ToolError)
    expect(error).toMatchObject({ code: 'ERR_MCP_TOOL', outcome: 'answered', server: 'fake', method: 'tools/call' })
    expect((error as ToolError<ToolResult>).result.text).toBe('disk \u001b[31mfull')
    expect((error as Error).message).toBe('the tool "x" failed: disk \\u001b[31mfull')
    const strict = await connected(server({ 'tools/call': () => failing }), { throwOnToolError: true })
    expect(await rejection(strict.callTool('x'))).toBeInstanceOf(ToolError)
    expect((await strict.callTool('x', {}, { throwOnToolError: false })).isError).toBe(true)
  })

  it('sends an empty object when no arguments are given, and leaves out what is undefined', async () => {
    const fake = server({ 'tools/call': () => TEXT_RESULT })
    const client = await connected(fake)
    await client.callTool('x')
    await client.callTool('x', { a: undefined, b: null })
    expect(fake.calls('tools/call').map((message) => (message.params as Message).arguments)).toEqual([{}, { b: null }])
  })

  it('needs no list: the first request may be the call', async () => {
    const fake = server({ 'tools/call': () => TEXT_RESULT })
    await (await connected(fake)).callTool('x')
    expect(fake.calls('tools/list')).toEqual([])
  })

  it('that a fresh list lacks is a NotFoundError with the closest name, else an RpcError', async () => {
    const fake = server({
      ...listing(tool('echo')),
      'tools/call': ({ params }) => Promise.reject(new ServerError(-32602, `unknown tool ${params.name}`)),
    })
    const client = await connected(fake)
    expect(await rejection(client.callTool('eco'))).toBeInstanceOf(RpcError)
    await client.listTools()
    const error = await rejection(client.callTool('eco'))
    expect(error).toBeInstanceOf(NotFoundError)
    expect(error).toMatchObject({ candidates: ['echo'], cause: expect.objectContaining({ rpcCode: -32602 }) })
    expect(await rejection(client.callTool('echo'))).toBeInstanceOf(RpcError)
  })

  it('without a required argument sends nothing, names it and what was given instead', async () => {
    const inputSchema = {
      type: 'object',
      properties: { path: { type: 'string' }, head: { type: 'integer' }, mode: { type: 'string', default: 'r' } },
      required: ['path', 'mode'],
    }
    const fake = server({ ...listing({ name: 'read', inputSchema }), 'tools/call': () => TEXT_RESULT })
    const client = await connected(fake)
    await client.callTool('read')
    await client.listTools()
    const error = await rejection(client.callTool('read', { pth: 'a.txt' }))
    expect(error).toBeInstanceOf(ValidationError)
    expect(error).toMatchObject({ code: 'ERR_MCP_VALIDATION', reason: 'arguments', outcome: 'not-run', server: 'fake' })
    expect((error as Error).message).toMatch(/"path" is missing.*"pth"/)
    expect((error as Error).message).not.toContain('mode')
    await client.callTool('read', { path: null })
    expect(fake.calls('tools/call')).toHaveLength(2)
    const off = await connected(server({ ...listing({ name: 'read', inputSchema }), 'tools/call': () => TEXT_RESULT }), {
      validateArguments: 'off',
    })
    await off.listTools()
    expect((await off.callTool('read')).text).toBe('done')
  })
})

describe.each(ERAS)('a stream of events, %s era', (_era, server) => {
  const progress = (ask: Ask, value: number): unknown => ({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: (ask.params._meta as Message).progressToken, progress: value, total: 3 },
  })

  it('yields progress while the tool runs, then the result, and ends', async () => {
    let finish = (): void => {}
    const fake = server({
      'tools/call': (ask) => {
        ask.send(progress(ask, 1))
        return new Promise((resolve) => {
          finish = () => {
            ask.send(progress(ask, 2))
            ask.send(progress(ask, 3))
            resolve(TEXT_RESULT)
          }
        })
      },
    })
    const client = await connected(fake)
    const own: number[] = []
    const events: ToolEvent[] = []
    for await (const event of client.callToolStream('x', { a: 1 }, { onProgress: (each) => own.push(each.progress) })) {
      events.push(event)
      if (events.length === 1) finish()
    }
    expect(events.slice(0, 3)).toEqual([1, 2, 3].map((value) => ({ type: 'progress', progress: value, total: 3 })))
    expect(events[3]).toMatchObject({ type: 'result', result: { text: 'done' } })
    expect(events).toHaveLength(4)
    expect(own).toEqual([1, 2, 3])
    expect(fake.calls('notifications/cancelled')).toEqual([])
  })

  it('cancels the call when the loop is left', async () => {
    const fake = server({
      'tools/call': (ask) => {
        ask.send(progress(ask, 1))
        return SILENCE
      },
    })
    const client = await connected(fake)
    for await (const event of client.callToolStream('x')) {
      expect(event.type).toBe('progress')
      break
    }
    await until(() => fake.calls('notifications/cancelled').length === 1)
    expect(fake.calls('notifications/cancelled')[0]?.params).toMatchObject({ requestId: fake.calls('tools/call')[0]?.id })
  })

  it('throws what the call throws', async () => {
    const fake = server({ 'tools/call': () => Promise.reject(new ServerError(-5, 'no')) })
    const client = await connected(fake)
    const all = async (name: unknown, options = {}): Promise<void> => {
      for await (const _ of client.callToolStream(name as string, {}, options)) await turns(1)
    }
    expect(await rejection(all('x'))).toMatchObject({ rpcCode: -5 })
    expect(await rejection(all(''))).toBeInstanceOf(TypeError)
    expect(await rejection(all('x', { signal: AbortSignal.abort('why') }))).toBe('why')
  })

  it('ends by the signal of the caller, with its reason', async () => {
    const fake = server({ 'tools/call': () => SILENCE })
    const client = await connected(fake)
    const controller = new AbortController()
    const loop = rejection(
      (async () => {
        for await (const _ of client.callToolStream('x', {}, { signal: controller.signal })) await turns(1)
      })(),
    )
    await until(() => fake.calls('tools/call').length === 1)
    controller.abort('why')
    expect(await loop).toBe('why')
    await until(() => fake.calls('notifications/cancelled').length === 1)
  })

  it('sends nothing until somebody reads it', async () => {
    const fake = server({ 'tools/call': () => TEXT_RESULT })
    const client = await connected(fake)
    client.callToolStream('x')
    await turns()
    expect(fake.calls('tools/call')).toEqual([])
  })

  it('loses no event of a listener that throws', async () => {
    const fake = server({
      'tools/call': (ask) => {
        ask.send(progress(ask, 1))
        return TEXT_RESULT
      },
    })
    const client = await connected(fake)
    const types: string[] = []
    const options = {
      onProgress: () => {
        throw new Error('listener')
      },
    }
    for await (const event of client.callToolStream('x', {}, options)) types.push(event.type)
    expect(types).toEqual(['progress', 'result'])
  })
})

describe('structured results', () => {
  const typed = tool('count', { outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } })
  const server = (result: object) => modernServer({ ...listing(typed), 'tools/call': () => ({ content: [], ...result }) })

  it.each([
    ['a value that does not fit', { structuredContent: { n: 'x' } }],
    ['no value at all', {}],
  ])('warn once by default and keep the result: %s', async (_what, result) => {
    const logger = recordingLogger()
    const client = await connected(server(result), { logger })
    await client.listTools()
    expect(await client.callTool('count')).toBeInstanceOf(ToolResult)
    await until(() => logger.of('warn').length > 0)
    expect(logger.of('warn')).toHaveLength(1)
    expect(logger.of('warn')[0]).toContain('count')
  })

  it('are refused in strict, with the result, also when the tool was never listed', async () => {
    const client = await connected(server({ structuredContent: { n: 'x' } }), { validate: 'strict' })
    const error = await rejection(client.callTool('count'))
    expect(error).toBeInstanceOf(ValidationError)
    expect(error).toMatchObject({ reason: 'mismatch', outcome: 'answered', server: 'fake', issues: [{ path: '/n' }] })
    expect((error as ValidationError<ToolResult>).result?.structuredContent).toEqual({ n: 'x' })
  })

  it('that are missing are refused in strict too when the tool was never listed; it is listed once, before the call', async () => {
    const fake = server({})
    const client = await connected(fake, { validate: 'strict' })
    for (let i = 0; i < 3; i++) expect(await rejection(client.callTool('count'))).toBeInstanceOf(ValidationError)
    expect(fake.received.map((message) => message.method).filter((method) => method !== 'server/discover')).toEqual([
      'tools/list',
      'tools/call',
      'tools/call',
      'tools/call',
    ])
  })

  it('are listed for once behind the first of them by default, also when that fails', async () => {
    const logger = recordingLogger()
    const fake = server({ structuredContent: { n: 'x' } })
    const client = await connected(fake, { logger })
    await client.callTool('count')
    await until(() => logger.of('warn').length === 1)
    await client.callTool('count')
    await until(() => logger.of('warn').length === 2)
    expect(fake.calls('tools/list')).toHaveLength(1)
    const broken = modernServer({
      'tools/list': () => Promise.reject(new ServerError(-32603)),
      'tools/call': () => ({ content: [], structuredContent: 1 }),
    })
    const other = await connected(broken)
    for (let i = 0; i < 3; i++) expect((await other.callTool('count')).data).toBe(1)
    await turns()
    expect(broken.calls('tools/list')).toHaveLength(1)
  })

  it.each([
    ['good ones', { structuredContent: { n: 1 } }],
    ['failed ones without any', { isError: true }],
    ['failed ones that do not fit', { isError: true, structuredContent: { n: 'x' } }],
  ])('pass in strict: %s', async (_what, result) => {
    const client = await connected(server(result), { validate: 'strict' })
    await client.listTools()
    expect(await client.callTool('count')).toBeInstanceOf(ToolResult)
  })

  it('are not looked at with off, and nothing is listed for them', async () => {
    const fake = server({ structuredContent: { n: 'x' } })
    const logger = recordingLogger()
    const client = await connected(fake, { validate: 'off', logger })
    await client.callTool('count')
    await turns()
    expect(fake.calls('tools/list')).toEqual([])
    expect(logger.of('warn')).toEqual([])
  })

  it('are not delayed by a list that never comes, by default', async () => {
    const fake = modernServer({ 'tools/list': () => SILENCE, 'tools/call': () => ({ content: [], structuredContent: { n: 1 } }) })
    const client = await connected(fake)
    const result = await Promise.race([client.callTool('count'), new Promise((resolve) => setTimeout(() => resolve('late'), 500))])
    expect(result).toBeInstanceOf(ToolResult)
  })
})
