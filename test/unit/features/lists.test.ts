import { describe, expect, it } from 'vitest'
import { type Client, ProtocolError } from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { type Answering, ERAS, legacyServer, type Message, modernServer, ServerError } from '../../support/fake-server.ts'
import { recordingLogger } from '../../support/loggers.ts'
import { rejection, turns, until } from '../../support/settled.ts'

const KINDS = [
  ['tools', 'tools/list', (name: string) => ({ name, inputSchema: { type: 'object' } }), (client: Client) => client.listTools()],
  ['prompts', 'prompts/list', (name: string) => ({ name }), (client: Client) => client.listPrompts()],
  ['resources', 'resources/list', (name: string) => ({ uri: `a:${name}`, name }), (client: Client) => client.listResources()],
  [
    'resourceTemplates',
    'resources/templates/list',
    (name: string) => ({ uriTemplate: `a:${name}`, name }),
    (client: Client) => client.listResourceTemplates(),
  ],
] as const

const nameOf = (item: { name: string }): string => item.name
const cursorsOf = (messages: readonly Message[]): unknown[] => messages.map((message) => (message.params as Message | undefined)?.cursor)

/** Pages by cursor; `undefined` is the first. */
function paged(
  key: string,
  pages: readonly (readonly [cursor: string | undefined, items: readonly unknown[], next?: unknown])[],
): Answering {
  return ({ params }) => {
    const page = pages.find(([cursor]) => cursor === params.cursor)
    if (page === undefined) throw new ServerError(-32602, `bad cursor ${JSON.stringify(params.cursor)}`)
    return { [key]: page[1], ...(page.length > 2 && { nextCursor: page[2] }) }
  }
}

describe.each(ERAS)('lists, %s era', (era, server) => {
  describe.each(KINDS)('of %s', (key, method, item, list) => {
    it('are followed to the end', async () => {
      const pages = paged(key, [
        [undefined, [item('a'), item('b')], 'p2'],
        ['p2', [], 'p3'],
        ['p3', [item('c')], '0'],
        ['0', [item('d')], 'ünï 🙂 "'],
        ['ünï 🙂 "', [item('e')]],
      ])
      const fake = server({ [method]: pages })
      expect((await list(await connected(fake))).map(nameOf)).toEqual(['a', 'b', 'c', 'd', 'e'])
      expect(cursorsOf(fake.calls(method))).toEqual([undefined, 'p2', 'p3', '0', 'ünï 🙂 "'])
    })

    it.each([[null], [undefined], [5], [{}], [false]])('end at the cursor %j', async (next) => {
      const fake = server({ [method]: paged(key, [[undefined, [item('a')], next]]) })
      expect((await list(await connected(fake))).map(nameOf)).toEqual(['a'])
      expect(fake.calls(method)).toHaveLength(1)
    })

    it(`${era === 'modern' ? 'go on' : 'end'} at an empty cursor`, async () => {
      const fake = server({
        [method]: paged(key, [
          [undefined, [item('a')], ''],
          ['', [item('b')]],
        ]),
      })
      expect((await list(await connected(fake))).map(nameOf)).toEqual(era === 'modern' ? ['a', 'b'] : ['a'])
      expect(cursorsOf(fake.calls(method))).toEqual(era === 'modern' ? [undefined, ''] : [undefined])
    })

    it('end at a cursor that repeats, with what was read and a warning', async () => {
      const logger = recordingLogger()
      const fake = server({ [method]: () => ({ [key]: [item('a')], nextCursor: 'again' }) })
      expect((await list(await connected(fake, { logger }))).map(nameOf)).toEqual(['a', 'a'])
      expect(fake.calls(method)).toHaveLength(2)
      expect(logger.of('warn')).toEqual([expect.stringContaining('repeats a cursor')])
    })

    it('end at cursors that go in a circle', async () => {
      let page = 0
      const fake = server({ [method]: () => ({ [key]: [item(`i${page}`)], nextCursor: `c${page++ % 3}` }) })
      expect(await list(await connected(fake))).toHaveLength(4)
      expect(fake.calls(method)).toHaveLength(4)
    })

    it.each([1, 3])('with new cursors for ever end with an error that holds what was read, after maxPages of %i', async (maxPages) => {
      let page = 0
      const fake = server({ [method]: () => ({ [key]: [item(`i${page++}`)], nextCursor: `c${page}` }) })
      const error = await rejection(list(await connected(fake, { limits: { maxPages } })))
      expect(error).toBeInstanceOf(ProtocolError)
      expect(error).toMatchObject({ method, outcome: 'answered', server: 'fake' })
      expect((error as Error).message).toContain(`maxPages (${maxPages})`)
      expect(fake.calls(method)).toHaveLength(maxPages)
      const { items } = (error as ProtocolError).cause as { items: unknown[] }
      expect(items).toHaveLength(maxPages)
    })

    it('have maxPages pages without an error', async () => {
      const fake = server({
        [method]: paged(key, [
          [undefined, [item('a')], 'b'],
          ['b', [item('b')]],
        ]),
      })
      expect(await list(await connected(fake, { limits: { maxPages: 2 } }))).toHaveLength(2)
    })

    it('with too many items end with an error', async () => {
      const fake = server({ [method]: () => ({ [key]: Array.from({ length: 11 }, (_, i) => item(`i${i}`)) }) })
      expect(await list(await connected(fake, { limits: { maxItems: 11 } }))).toHaveLength(11)
      const error = await rejection(list(await connected(fake, { limits: { maxItems: 10 } })))
      expect(error).toMatchObject({ code: 'ERR_MCP_PROTOCOL' })
      expect((error as Error).message).toContain('maxItems (10)')
    })

    it('keep the good entries among malformed ones', async () => {
      const logger = recordingLogger()
      const fake = server({ [method]: () => ({ [key]: [item('a'), null, 5, {}, [], { name: 5 }, item('b')] }) })
      expect((await list(await connected(fake, { logger }))).map(nameOf)).toEqual(['a', 'b'])
      expect(logger.of('warn').every((line) => line.includes(method))).toBe(true)
      expect(logger.of('warn').length).toBeGreaterThan(0)
    })

    it('have entries with icons, titles, metadata and what nobody knows, as they came', async () => {
      const known = { title: 'T', icons: [{ src: 'data:,', sizes: ['any'], theme: 'dark' }], _meta: { 'com.example/x': { deep: [1] } } }
      const entry = { ...item('a'), ...known, description: 'd', unknown: { kept: true } }
      const client = await connected(server({ [method]: () => ({ [key]: [entry] }) }))
      const [got] = await list(client)
      expect(got).toMatchObject({ title: known.title, icons: known.icons })
      expect(got !== undefined && 'definition' in got ? got.definition : got).toEqual(entry)
      if (got !== undefined && 'meta' in got) expect(got.meta).toEqual(known._meta)
    })

    it('can be walked page by page, from any cursor', async () => {
      const pages = paged(key, [
        [undefined, [item('a'), item('b')], '2'],
        ['2', [item('c'), item('d')], '3'],
        ['3', [item('e')]],
      ])
      const client = await connected(server({ [method]: pages }))
      const walk = async (cursor?: string) => {
        const seen: unknown[] = []
        for await (const page of client.pages(key, { cursor })) seen.push([page.items.map(nameOf), page.nextCursor])
        return seen
      }
      expect(await walk()).toEqual([
        [['a', 'b'], '2'],
        [['c', 'd'], '3'],
        [['e'], undefined],
      ])
      expect(await walk('2')).toEqual([
        [['c', 'd'], '3'],
        [['e'], undefined],
      ])
      const refused = await rejection(walk('gone'))
      expect(refused).toMatchObject({ rpcCode: -32602 })
    })

    it('ask for a page only when it is wanted', async () => {
      let page = 0
      const fake = server({ [method]: () => ({ [key]: [item('a')], nextCursor: `c${page++}` }) })
      const client = await connected(fake)
      for await (const _ of client.pages(key)) if (page === 2) break
      await turns()
      expect(fake.calls(method)).toHaveLength(2)
    })

    it('end by the signal of the caller', async () => {
      let page = 0
      const fake = server({ [method]: () => ({ [key]: [], nextCursor: `c${page++}` }) })
      const client = await connected(fake)
      const controller = new AbortController()
      const walk = rejection(
        (async () => {
          for await (const _ of client.pages(key, { signal: controller.signal })) if (page === 3) controller.abort('enough')
        })(),
      )
      expect(await walk).toBe('enough')
      expect(fake.calls(method)).toHaveLength(3)
    })
  })

  it('send no parameters for a first page that needs none', async () => {
    const fake = server({ 'tools/list': () => ({ tools: [] }) })
    await (await connected(fake)).listTools()
    const { params } = fake.calls('tools/list')[0] ?? {}
    if (era === 'legacy') expect(params).toBeUndefined()
    else expect(Object.keys(params as object)).toEqual(['_meta'])
  })

  it('that the server refuses reject with its error', async () => {
    const client = await connected(server({}))
    expect(await rejection(client.listTools())).toMatchObject({ rpcCode: -32601, method: 'tools/list', outcome: 'not-run' })
  })
})

describe('prompts and resources', () => {
  it('come as the server wrote them', async () => {
    const contents = [
      { uri: 'a:b', text: 't', mimeType: 'text/plain', _meta: { x: 1 } },
      { uri: 'a:c', blob: 'AA==' },
    ]
    const messages = [{ role: 'user', content: { type: 'hologram' } }]
    const fake = legacyServer({
      'prompts/get': () => ({ description: 'd', messages, _meta: { y: 1 }, extra: 1 }),
      'resources/read': () => ({ contents }),
    })
    const client = await connected(fake)
    expect(await client.getPrompt('p')).toEqual({ description: 'd', messages, _meta: { y: 1 }, extra: 1 })
    expect(await client.readResource('any:uri#at all')).toEqual(contents)
    expect(fake.calls('prompts/get')[0]?.params).toEqual({ name: 'p' })
    expect(fake.calls('resources/read')[0]?.params).toEqual({ uri: 'any:uri#at all' })
  })

  it.each([
    ['prompts/get', { messages: null }],
    ['prompts/get', {}],
    ['resources/read', { contents: {} }],
    ['resources/read', {}],
  ])('that lack what they must have are a ProtocolError: %s %j', async (method, result) => {
    const client = await connected(legacyServer({ [method]: () => result }))
    const call = method === 'prompts/get' ? client.getPrompt('p') : client.readResource('a:b')
    expect(await rejection(call)).toMatchObject({ code: 'ERR_MCP_PROTOCOL', method, server: 'fake' })
  })
})

describe('events', () => {
  it.each([['toolChanged'], ['constructor'], ['']])('that do not exist are a TypeError which lists them: %j', async (name) => {
    const client = await connected(modernServer({}))
    expect(() => client.on(name as 'log', () => {})).toThrow(/TypeError|toolsChanged, promptsChanged/)
    expect(() => client.on('log', undefined as never)).toThrow(TypeError)
  })

  const notify = (method: string, params?: unknown) => ({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) })

  it.each([
    ['toolsChanged', 'notifications/tools/list_changed', undefined, {}],
    ['promptsChanged', 'notifications/prompts/list_changed', { _meta: {} }, {}],
    ['resourcesChanged', 'notifications/resources/list_changed', null, {}],
    ['resourceUpdated', 'notifications/resources/updated', { uri: 'a:b', title: 't' }, { uri: 'a:b' }],
    ['log', 'notifications/message', { level: 'info', data: null }, { level: 'info', data: null }],
    [
      'log',
      'notifications/message',
      { level: 'emergency', logger: 'l', data: { a: 1 } },
      { level: 'emergency', logger: 'l', data: { a: 1 } },
    ],
    [
      'progress',
      'notifications/progress',
      { progressToken: 'x', progress: 1, total: 2, message: 'm' },
      { token: 'x', progress: 1, total: 2, message: 'm' },
    ],
  ] as const)('%s is told from %s', async (event, method, params, expected) => {
    const fake = legacyServer()
    const client = await connected(fake)
    const seen: unknown[] = []
    const all: unknown[] = []
    client.on(event, (payload) => seen.push(payload))
    client.on('notification', (payload) => all.push(payload))
    fake.send(notify(method, params))
    await turns()
    expect(seen).toEqual([expected])
    expect(all).toEqual([{ method, ...(typeof params === 'object' && params !== null && { params }) }])
  })

  it.each([
    ['resourceUpdated', 'notifications/resources/updated', {}],
    ['resourceUpdated', 'notifications/resources/updated', { uri: 5 }],
    ['log', 'notifications/message', { level: 'loud', data: 1 }],
    ['log', 'notifications/message', undefined],
    ['progress', 'notifications/progress', { progressToken: {}, progress: 1 }],
    ['elicitationComplete', 'notifications/elicitation/complete', { elicitationId: 5 }],
  ] as const)('%s is not told from a malformed one, which is still a notification: %s %j', async (event, method, params) => {
    const fake = legacyServer()
    const client = await connected(fake)
    const seen: unknown[] = []
    client.on(event, (payload) => seen.push(payload))
    const all: string[] = []
    client.on('notification', ({ method: each }) => all.push(each))
    fake.send(notify(method, params))
    await turns()
    expect(seen).toEqual([])
    expect(all).toEqual([method])
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])(
    'of a method called %j are notifications like others',
    async (method) => {
      const fake = legacyServer()
      const client = await connected(fake)
      const seen: unknown[] = []
      client.on('notification', (payload) => seen.push(payload))
      fake.send(notify(method, { a: 1 }))
      await turns()
      expect(seen).toEqual([{ method, params: { a: 1 } }])
      await client.ping()
    },
  )

  it('reach every listener although one throws, and none that has stopped', async () => {
    const logger = recordingLogger()
    const fake = legacyServer()
    const client = await connected(fake, { logger })
    const seen: string[] = []
    const controller = new AbortController()
    client.on('toolsChanged', () => seen.push('a'))
    client.on('toolsChanged', () => {
      throw new Error('listener')
    })
    const stop = client.on('toolsChanged', () => seen.push('b'))
    client.on('toolsChanged', () => seen.push('c'), { signal: controller.signal })
    client.on('toolsChanged', () => seen.push('never'), { signal: AbortSignal.abort() })
    fake.send(notify('notifications/tools/list_changed'))
    await turns()
    stop()
    stop()
    controller.abort()
    fake.send(notify('notifications/tools/list_changed'))
    await turns()
    expect(seen).toEqual(['a', 'b', 'c', 'a'])
    expect(logger.of('error')).toHaveLength(2)
  })

  it('do not reach a listener that came while they were told', async () => {
    const fake = legacyServer()
    const client = await connected(fake)
    let added = 0
    const add = (): void => {
      added++
      if (added < 100) client.on('toolsChanged', () => add())
    }
    client.on('toolsChanged', add)
    fake.send(notify('notifications/tools/list_changed'))
    await turns()
    expect(added).toBe(1)
  })

  it('of a changed list come after the old list is forgotten', async () => {
    const tools = [{ name: 'x', inputSchema: { type: 'object', required: ['a'] } }]
    const fake = legacyServer({ 'tools/list': () => ({ tools }), 'tools/call': () => ({ content: [] }) })
    const client = await connected(fake)
    await client.listTools()
    expect(await rejection(client.callTool('x'))).toMatchObject({ code: 'ERR_MCP_VALIDATION' })
    let called: Promise<unknown> | undefined
    client.on('toolsChanged', () => {
      called = client.callTool('x')
    })
    fake.send(notify('notifications/tools/list_changed'))
    await until(() => called !== undefined)
    await called
  })
})

describe('the log level', () => {
  it('is told once where the revision has a request for it', async () => {
    const fake = legacyServer({ 'logging/setLevel': () => ({}) })
    const client = await connected(fake)
    await client.setLogLevel('warning')
    expect(fake.calls('logging/setLevel').map((message) => message.params)).toEqual([{ level: 'warning' }])
  })

  it('is carried by every later request where it has none', async () => {
    const fake = modernServer({ 'tools/list': () => ({ tools: [] }) })
    const client = await connected(fake)
    await client.listTools()
    await client.setLogLevel('debug')
    await client.listTools()
    const levels = fake
      .calls('tools/list')
      .map((message) => ((message.params as Message)._meta as Message)['io.modelcontextprotocol/logLevel'])
    expect(levels).toEqual([undefined, 'debug'])
    expect(fake.calls('logging/setLevel')).toEqual([])
  })

  it.each([['loud'], [''], [undefined], [5]])('that is none is a TypeError with nothing sent: %j', async (level) => {
    const fake = legacyServer()
    const client = await connected(fake)
    const before = fake.received.length
    expect(await rejection(client.setLogLevel(level as never))).toBeInstanceOf(TypeError)
    expect(fake.received).toHaveLength(before)
  })
})
