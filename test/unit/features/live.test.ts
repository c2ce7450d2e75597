import { describe, expect, it, vi } from 'vitest'
import { type Client, type ConnectOptions, connect, type McpError, type ResourceUpdate } from '../../../src/index.ts'
import { Session } from '../../../src/session/session.ts'
import { connected } from '../../support/connected.ts'
import { type Ask, type FakeServer, legacyServer, type Message, modernServer, ServerError, SILENCE } from '../../support/fake-server.ts'
import { recordingLogger } from '../../support/loggers.ts'
import { ownStreams } from '../../support/own-streams.ts'
import { rejection, turns, until } from '../../support/settled.ts'
import { cleanUp, serve } from '../transport/http/stand-in.ts'

const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
}
const LISTEN = 'subscriptions/listen'
const ID = 'io.modelcontextprotocol/subscriptionId'

/** Acknowledges a listen request; by default as it was asked. */
function acknowledge(ask: Ask, notifications: unknown = ask.params.notifications, id: unknown = ask.id): typeof SILENCE {
  ask.send({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { notifications, _meta: { [ID]: id } } })
  return SILENCE
}

/** Leaves a request without an answer, for later. */
function kept(waiting: Ask[], ask: Ask): typeof SILENCE {
  waiting.push(ask)
  return SILENCE
}

const filters = (fake: FakeServer): unknown[] => fake.calls(LISTEN).map(({ params }) => (params as Message).notifications)
const ended = (fake: FakeServer): unknown[] => fake.calls('notifications/cancelled').map(({ params }) => (params as Message).requestId)
const idsOf = (fake: FakeServer): unknown[] => fake.calls(LISTEN).map(({ id }) => id)

async function modern(answer: (ask: Ask) => unknown = (ask) => acknowledge(ask), options: ConnectOptions = {}) {
  const fake = modernServer({ [LISTEN]: answer, 'tools/list': () => ({ tools: [] }) }, { capabilities: CAPABILITIES })
  const errors: McpError[] = []
  const client = await connected(fake, { retryBackoffMs: 5, ...options })
  client.on('error', (error) => errors.push(error))
  return { fake, client, errors, update: (uri: string) => tell(fake, 'resources/updated', { uri }) }
}

function tell(fake: FakeServer, name: string, params: Message = {}): void {
  fake.send({ jsonrpc: '2.0', method: `notifications/${name}`, params })
}

describe('the stream of changes of the modern era', () => {
  it('asks at once for all that is wanted at one moment', async () => {
    const { fake, client } = await modern()
    client.on('toolsChanged', () => {})
    client.on('promptsChanged', () => {})
    client.on('resourcesChanged', () => {})
    await Promise.all([client.subscribe('a:1'), client.subscribe('a:2'), client.subscribe('a:1')])
    expect(filters(fake)).toEqual([
      { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true, resourceSubscriptions: ['a:1', 'a:2'] },
    ])
  })

  it('carries what every request of the era carries, and no progress token', async () => {
    const { fake, client } = await modern()
    await client.subscribe('a:1')
    expect(fake.calls(LISTEN)[0]?.params).toEqual({
      notifications: { resourceSubscriptions: ['a:1'] },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': expect.objectContaining({ name: 'mcp-switchboard' }),
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    })
  })

  it('is replaced when the wishes change: the new one is acknowledged before the old one ends', async () => {
    const late: Ask[] = []
    const { fake, client } = await modern((ask) => (idsOf(fake).length === 1 ? acknowledge(ask) : kept(late, ask)))
    await client.subscribe('a:1')
    const more = client.subscribe('a:2')
    await until(() => late.length === 1)
    await turns()
    expect(ended(fake)).toEqual([])
    for (const ask of late) acknowledge(ask)
    await more
    expect(filters(fake)).toEqual([{ resourceSubscriptions: ['a:1'] }, { resourceSubscriptions: ['a:1', 'a:2'] }])
    expect(ended(fake)).toEqual([idsOf(fake)[0]])
  })

  it('counts: it asks no second time for what it hears already, and goes on until the last one leaves', async () => {
    const { fake, client } = await modern()
    await client.subscribe('a:1')
    const [one, two] = [client.watch('a:1'), client.watch('a:1')]
    const updates = [one.next(), two.next()]
    await turns()
    tell(fake, 'resources/updated', { uri: 'a:1' })
    await Promise.all(updates)
    await client.unsubscribe('a:1')
    await one.return()
    await turns()
    expect(filters(fake)).toHaveLength(1)
    expect(ended(fake)).toEqual([])
    await two.return()
    await until(() => ended(fake).length === 1)
    expect(filters(fake)).toHaveLength(1)
  })

  it('gathers the wishes that come while it is being opened', async () => {
    const waiting: Ask[] = []
    const { fake, client } = await modern((ask) => kept(waiting, ask))
    const wishes = [client.subscribe('a:1')]
    await until(() => waiting.length === 1)
    for (let i = 2; i < 50; i++) wishes.push(client.subscribe(`a:${i}`))
    await turns()
    for (const ask of waiting) acknowledge(ask)
    await until(() => waiting.length === 2)
    for (const ask of waiting.slice(1)) acknowledge(ask)
    await Promise.all(wishes)
    expect(filters(fake)).toHaveLength(2)
  })

  it('has no deadline', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const { fake, client, errors } = await modern(undefined, { timeoutMs: 100, maxTotalTimeoutMs: 200 })
      await client.subscribe('a:1')
      await vi.advanceTimersByTimeAsync(86_400_000)
      const seen: string[] = []
      client.on('resourceUpdated', ({ uri }) => seen.push(uri))
      tell(fake, 'resources/updated', { uri: 'a:1' })
      await turns()
      expect(seen).toEqual(['a:1'])
      expect(errors).toEqual([])
      expect(ended(fake)).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })

  it.each([
    ['leaves out', {}],
    ['denies', { resourceSubscriptions: [] }],
    ['garbles', { resourceSubscriptions: 'a:1' }],
    ['answers with nonsense for', 5],
    ['answers with null for', null],
  ])('says so to who asks when the server %s a resource', async (_what, acknowledged) => {
    const { fake, client, errors } = await modern((ask) => acknowledge(ask, acknowledged))
    expect(await rejection(client.subscribe('a:1'))).toMatchObject({ code: 'ERR_MCP_UNSUPPORTED', server: 'fake' })
    expect(await rejection(client.watch('a:1').next())).toMatchObject({ code: 'ERR_MCP_UNSUPPORTED' })
    await until(() => ended(fake).length === filters(fake).length)
    expect(errors).toEqual([])
  })

  it('hears what was acknowledged, and warns of a list that was not', async () => {
    const logger = recordingLogger()
    const { fake, client } = await modern((ask) => acknowledge(ask, { toolsListChanged: true }), { logger })
    client.on('toolsChanged', () => {})
    client.on('promptsChanged', () => {})
    await until(() => logger.of('warn').length === 1)
    expect(logger.of('warn')[0]).toContain('promptsChanged')
    await turns()
    expect(filters(fake)).toHaveLength(1)
  })

  it('does not ask for what the server does not declare', async () => {
    const logger = recordingLogger()
    const fake = modernServer({ [LISTEN]: (ask) => acknowledge(ask) }, { capabilities: { tools: {}, prompts: { listChanged: true } } })
    const client = await connected(fake, { logger })
    for (const event of ['toolsChanged', 'resourcesChanged'] as const) client.on(event, () => {})
    await turns()
    expect(fake.calls(LISTEN)).toEqual([])
    client.on('promptsChanged', () => {})
    await until(() => fake.calls(LISTEN).length === 1)
    expect(filters(fake)).toEqual([{ promptsListChanged: true }])
    for (const failing of [client.subscribe('a:1'), client.watch('a:1').next()]) {
      expect(await rejection(failing)).toMatchObject({
        code: 'ERR_MCP_UNSUPPORTED',
        message: expect.stringContaining('resources.subscribe'),
      })
    }
    expect(fake.calls(LISTEN)).toHaveLength(1)
    expect(logger.of('warn')).toEqual([])
  })

  it('is matched by the id as it was sent, number or text', async () => {
    const { client } = await modern((ask) => acknowledge(ask, undefined, String(ask.id)), { timeoutMs: 50 })
    expect(await rejection(client.subscribe('a:1'))).toMatchObject({ code: 'ERR_MCP_TIMEOUT' })
  })

  it('takes an acknowledgement without an id on the reply stream of the request itself', async () => {
    const fake = modernServer(
      {
        [LISTEN](ask) {
          const { notifications } = ask.params
          ask.send({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { notifications }, during: ask.id })
          return SILENCE
        },
      },
      { capabilities: CAPABILITIES },
    )
    const streams = ownStreams(fake)
    const client = await connected(streams.transport)
    await client.subscribe('a:1')
    const { id } = fake.calls(LISTEN)[0] ?? {}
    expect(streams.options.get(id)).toMatchObject({ headers: { 'mcp-method': LISTEN } })
    await client.unsubscribe('a:1')
    expect(streams.abandoned).toEqual([id])
    expect(ended(fake)).toEqual([])
  })

  it('that is never acknowledged is given up after timeoutMs, and told to the server', async () => {
    const { fake, client, errors } = await modern(() => SILENCE, { timeoutMs: 30 })
    client.on('toolsChanged', () => {})
    await until(() => errors.length === 1)
    expect(errors[0]).toMatchObject({ code: 'ERR_MCP_TIMEOUT', message: expect.stringContaining('timeoutMs') })
    expect(ended(fake)).toEqual(idsOf(fake))
  })

  it.each([
    ['is refused', () => Promise.reject(new ServerError(-32601, 'no such method')), 'ERR_MCP_RPC'],
    ['ends without a word', () => ({ resultType: 'complete' }), 'ERR_MCP_PROTOCOL'],
    ['ends with nonsense', () => 'over', 'ERR_MCP_PROTOCOL'],
  ])('that %s is an error of who asked, an event for who listens, and no loop', async (_what, answer, code) => {
    const { fake, client, errors } = await modern(answer)
    expect(await rejection(client.subscribe('a:1'))).toMatchObject({ code })
    expect(errors).toEqual([])
    client.on('toolsChanged', () => {})
    await until(() => errors.length === 1)
    expect(errors[0]).toMatchObject({ code })
    const asked = fake.calls(LISTEN).length
    await client.listTools()
    await turns()
    expect(fake.calls(LISTEN)).toHaveLength(asked)
    expect(errors).toHaveLength(1)
  })

  it('survives that one more wish is refused', async () => {
    const { fake, client } = await modern((ask) => {
      if (JSON.stringify(ask.params.notifications).includes('bad')) throw new ServerError(-32602, 'bad uri')
      return acknowledge(ask)
    })
    await client.subscribe('a:good')
    expect(await rejection(client.subscribe('a:bad'))).toMatchObject({ rpcCode: -32602 })
    expect(ended(fake)).toEqual([])
    const seen: string[] = []
    client.on('resourceUpdated', ({ uri }) => seen.push(uri))
    tell(fake, 'resources/updated', { uri: 'a:good' })
    await until(() => seen.length === 1)
    await client.subscribe('a:other')
    expect(filters(fake).at(-1)).toEqual({ resourceSubscriptions: ['a:good', 'a:other'] })
  })

  const ends: [string, (fake: FakeServer, id: unknown) => void][] = [
    ['by its answer', (fake, id) => fake.send({ jsonrpc: '2.0', id, result: { resultType: 'complete', _meta: { [ID]: id } } })],
    ['by a notification', (fake, id) => tell(fake, 'cancelled', { requestId: id, reason: 'going down' })],
    ['by a passing error', (fake, id) => fake.send({ jsonrpc: '2.0', id, error: { code: -32603, message: 'broken' } })],
  ]

  it.each(ends.slice(0, 2))('that the server ends %s is opened again, and what may have been missed is told', async (_how, end) => {
    const { fake, client, errors } = await modern()
    const told: string[] = []
    client.on('toolsChanged', () => told.push('tools'))
    client.on('resourceUpdated', ({ uri }) => told.push(uri))
    await client.subscribe('a:1')
    const looped = client.watch('a:1').next()
    await turns()
    expect(told).toEqual([])
    await client.listTools()
    end(fake, idsOf(fake)[0])
    await until(() => fake.calls(LISTEN).length === 2)
    await until(() => told.length === 2)
    expect(told.sort()).toEqual(['a:1', 'tools'])
    expect(await looped).toEqual({ value: { uri: 'a:1' }, done: false })
    expect(filters(fake)[1]).toEqual(filters(fake)[0])
    expect(ended(fake)).toEqual([])
    await client.listTools()
    expect(errors).toEqual([])
  })

  it('that ends again and again is given up after maxReconnects', async () => {
    const { fake, client, errors } = await modern(
      (ask) => {
        acknowledge(ask)
        queueMicrotask(() => ask.send({ jsonrpc: '2.0', id: ask.id, result: { resultType: 'complete' } }))
        return SILENCE
      },
      { limits: { maxReconnects: 3 } },
    )
    client.on('toolsChanged', () => {})
    const loop = rejection(
      (async () => {
        for await (const update of client.watch('a:1')) expect(update.uri).toBe('a:1')
      })(),
    )
    await until(() => errors.length === 1)
    expect(fake.calls(LISTEN)).toHaveLength(4)
    expect(errors[0]).toMatchObject({ code: 'ERR_MCP_PROTOCOL', message: expect.stringContaining('keeps ending') })
    expect(await loop).toBe(errors[0])
  })

  it('ignores ends of what it does not know', async () => {
    const { fake, client } = await modern()
    await client.subscribe('a:1')
    for (const requestId of [99, '1', null, {}, undefined]) tell(fake, 'cancelled', { requestId })
    await turns()
    expect(filters(fake)).toHaveLength(1)
  })

  it('that comes without a subscription is a hint', async () => {
    const { fake, client } = await modern()
    const seen: string[] = []
    client.on('notification', ({ method }) => seen.push(method))
    tell(fake, 'tools/list_changed', { _meta: { [ID]: 'nobody' } })
    await until(() => seen.length === 1)
  })

  it('forgets the tools when it begins to hear of them', async () => {
    const { fake, client } = await modern()
    await client.listTools()
    const before = fake.calls('tools/list').length
    client.on('toolsChanged', () => {})
    await until(() => filters(fake).length === 1)
    await client.listTools()
    expect(fake.calls('tools/list').length).toBe(before + 1)
  })

  it('ends with the client, without an error and without a word after it', async () => {
    const { fake, client, errors } = await modern()
    client.on('toolsChanged', () => {})
    await client.subscribe('a:1')
    await client.close()
    await turns()
    expect(errors).toEqual([])
    expect(fake.calls(LISTEN)).toHaveLength(1)
  })
})

describe.each([
  [
    'legacy',
    () => legacyServer({ 'resources/subscribe': () => ({}), 'resources/unsubscribe': () => ({}) }, { capabilities: CAPABILITIES }),
  ],
  ['modern', () => modernServer({ [LISTEN]: (ask) => acknowledge(ask) }, { capabilities: CAPABILITIES })],
] as const)('a loop over updates, %s era', (_era, server) => {
  async function looping(
    uri = 'a:dir',
  ): Promise<{ fake: FakeServer; client: Client; updates: AsyncGenerator<ResourceUpdate, void, void>; first: Promise<unknown> }> {
    const fake = server()
    const client = await connected(fake)
    const updates = client.watch(uri)
    const first = updates.next()
    await turns()
    return { fake, client, updates, first }
  }

  it('yields an update of the resource and of what is below it, and of nothing else', async () => {
    const { fake, updates, first } = await looping()
    for (const uri of ['a:other', 'a:directory', 'a:di', 'a:dir/x', 'a:dir?q', 'a:dir#f', 'a:dir']) tell(fake, 'resources/updated', { uri })
    const seen = [await first, await updates.next(), await updates.next(), await updates.next()]
    expect(seen.map((each) => (each as { value: ResourceUpdate }).value.uri)).toEqual(['a:dir/x', 'a:dir?q', 'a:dir#f', 'a:dir'])
  })

  it('gets many changes as one while it is busy', async () => {
    const { fake, updates, first } = await looping()
    const change = (): void => tell(fake, 'resources/updated', { uri: 'a:dir' })
    change()
    await first
    for (let i = 0; i < 100; i++) change()
    await turns()
    expect(await updates.next()).toEqual({ value: { uri: 'a:dir' }, done: false })
    const next = updates.next()
    await turns()
    tell(fake, 'resources/updated', { uri: 'a:dir/last' })
    expect((await next).value).toEqual({ uri: 'a:dir/last' })
  })

  it('holds no more than a bounded number of different updates; beyond it all of the resource changed', async () => {
    const { fake, updates, first } = await looping()
    tell(fake, 'resources/updated', { uri: 'a:dir' })
    await first
    for (let i = 0; i < 1_500; i++) tell(fake, 'resources/updated', { uri: `a:dir/${i}` })
    await turns()
    tell(fake, 'resources/updated', { uri: 'a:dir/end' })
    await turns()
    const seen: string[] = []
    while (seen.at(-1) !== 'a:dir/end') {
      const { value } = await updates.next()
      if (value) seen.push(value.uri)
    }
    expect(seen).toContain('a:dir')
    expect(seen.length).toBeLessThanOrEqual(1_000)
  })

  it('is left by break: the server is told', async () => {
    const { fake, updates, first } = await looping()
    tell(fake, 'resources/updated', { uri: 'a:dir' })
    await first
    await updates.return()
    await until(() => fake.calls('resources/unsubscribe').length + ended(fake).length === 1)
  })

  it('ends by its signal, with the reason, and the server is told', async () => {
    const fake = server()
    const client = await connected(fake)
    const controller = new AbortController()
    const next = client.watch('a:dir', { signal: controller.signal }).next()
    await turns()
    controller.abort(new Error('enough'))
    expect(await rejection(next)).toMatchObject({ message: 'enough' })
    await until(() => fake.calls('resources/unsubscribe').length + ended(fake).length === 1)
    const asked = fake.received.length
    expect(await rejection(client.watch('a:dir', { signal: controller.signal }).next())).toMatchObject({ message: 'enough' })
    expect(fake.received).toHaveLength(asked)
  })

  it('ends with the client, without an error', async () => {
    const { client, first } = await looping()
    await client.close()
    expect(await first).toEqual({ value: undefined, done: true })
  })

  it('ends with an error when the server is gone for good', async () => {
    const { fake, first } = await looping()
    fake.hangUp()
    expect(await rejection(first)).toMatchObject({ code: 'ERR_MCP_CONNECTION', reason: { kind: 'stream' } })
  })

  it.each([[''], [undefined], [5]])('of %j is a mistake of the caller', async (uri) => {
    const fake = server()
    const client = await connected(fake)
    const asked = fake.received.length
    // @ts-expect-error what a caller without types may write
    expect(await rejection(client.watch(uri).next())).toBeInstanceOf(TypeError)
    // @ts-expect-error what a caller without types may write
    expect(await rejection(client.subscribe(uri))).toBeInstanceOf(TypeError)
    expect(await rejection(client.subscribe('a:1', { timeoutMs: Number.NaN }))).toBeInstanceOf(TypeError)
    expect(fake.received).toHaveLength(asked)
  })
})

describe('subscriptions of the legacy era', () => {
  const server = (methods: Parameters<typeof legacyServer>[0] = {}): FakeServer =>
    legacyServer({ 'resources/subscribe': () => ({}), 'resources/unsubscribe': () => ({}), ...methods }, { capabilities: CAPABILITIES })
  const uris = (fake: FakeServer, method: string): unknown[] =>
    fake.calls(`resources/${method}`).map(({ params }) => (params as Message).uri)

  it('are asked for once for all who want them, and ended when the last one leaves', async () => {
    const fake = server()
    const client = await connected(fake)
    const loops = [client.watch('a:1'), client.watch('a:1')]
    const updates = loops.map((loop) => loop.next())
    await Promise.all([client.subscribe('a:1'), client.subscribe('a:1')])
    expect(uris(fake, 'subscribe')).toEqual(['a:1'])
    tell(fake, 'resources/updated', { uri: 'a:1' })
    await Promise.all(updates)
    await client.unsubscribe('a:1')
    for (const loop of loops) {
      expect(uris(fake, 'unsubscribe')).toEqual([])
      await loop.return()
    }
    await until(() => uris(fake, 'unsubscribe').length === 1)
    await client.unsubscribe('a:1')
    expect(uris(fake, 'unsubscribe')).toEqual(['a:1'])
  })

  it('end as the last word of the caller says, whatever is in flight', async () => {
    const fake = server()
    const client = await connected(fake)
    const first = client.subscribe('a:1').catch(() => 'ended')
    await turns()
    const ending = client.unsubscribe('a:1')
    const again = client.subscribe('a:1')
    await Promise.all([first, ending, again])
    await turns()
    expect(uris(fake, 'subscribe').length - uris(fake, 'unsubscribe').length).toBe(1)
    await client.unsubscribe('a:1')
    expect(uris(fake, 'subscribe').length).toBe(uris(fake, 'unsubscribe').length)
  })

  it('that are refused reject, and can be tried again', async () => {
    let refuse = true
    const fake = server({
      'resources/subscribe': () => {
        if (refuse) throw new ServerError(-32002, 'no such resource')
        return {}
      },
    })
    const client = await connected(fake)
    expect(await rejection(client.subscribe('a:1'))).toMatchObject({ rpcCode: -32002 })
    refuse = false
    await client.subscribe('a:1')
    expect(uris(fake, 'subscribe')).toEqual(['a:1', 'a:1'])
    expect(uris(fake, 'unsubscribe')).toEqual([])
  })

  it('need the capability', async () => {
    const fake = legacyServer({}, { capabilities: { resources: {} } })
    const client = await connected(fake)
    expect(await rejection(client.subscribe('a:1'))).toMatchObject({ code: 'ERR_MCP_UNSUPPORTED' })
    expect(fake.calls('resources/subscribe')).toEqual([])
  })

  it('ended where none was begun, cost nothing and send nothing', async () => {
    const made = vi.spyOn(Session.prototype, 'keepLinkedWhile')
    try {
      const fake = server()
      const client = await connected(fake)
      const before = [made.mock.calls.length, fake.received.length]
      await client.unsubscribe('a:1')
      expect([made.mock.calls.length, fake.received.length]).toEqual(before)
      await client.subscribe('a:1')
      expect(made.mock.calls.length).toBe((before[0] ?? 0) + 1)
    } finally {
      made.mockRestore()
    }
  })

  it('end at the deadline or the signal of who asked', async () => {
    const fake = server({ 'resources/subscribe': () => SILENCE })
    const client = await connected(fake)
    expect(await rejection(client.subscribe('a:1', { timeoutMs: 20 }))).toMatchObject({ code: 'ERR_MCP_TIMEOUT' })
    const controller = new AbortController()
    const asked = client.subscribe('a:2', { signal: controller.signal })
    controller.abort(new Error('enough'))
    expect(await rejection(asked)).toMatchObject({ message: 'enough' })
  })
})

describe('asking for changes is bounded', () => {
  it('when a server refuses a stream for fewer things than it tells of: the wider one stays', async () => {
    const { fake, client, errors, update } = await modern((ask) => {
      if (idsOf(fake).length === 1) return acknowledge(ask)
      throw new ServerError(-32600, 'one stream is enough')
    })
    await Promise.all([client.subscribe('a:1'), client.subscribe('a:2')])
    const told: string[] = []
    client.on('resourceUpdated', ({ uri }) => told.push(uri))
    await client.unsubscribe('a:2')
    await turns(50)
    expect(filters(fake).length).toBeLessThan(4)
    update('a:1')
    await until(() => told.includes('a:1'))
    expect(errors).toEqual([])
    // What it tells of is there for who wants it again, without another request.
    const asked = filters(fake).length
    await client.subscribe('a:2')
    expect(filters(fake)).toHaveLength(asked)
  })

  it.each(['legacy', 'modern'] as const)('when the server is gone: who wants to hear of changes then is told why (%s)', async (era) => {
    const fake =
      era === 'modern'
        ? modernServer({ [LISTEN]: (ask) => acknowledge(ask) }, { capabilities: CAPABILITIES })
        : legacyServer({ 'resources/subscribe': () => ({}) }, { capabilities: CAPABILITIES })
    const client = await connected(fake)
    fake.hangUp()
    await until(() => client.state === 'closed')
    expect(await rejection(client.subscribe('a:1'))).toMatchObject({ code: 'ERR_MCP_CONNECTION', outcome: 'not-run' })
    expect(fake.calls('resources/subscribe')).toEqual([])
  })

  it('when every session is lost of it', async () => {
    const server = await serve(({ method, message }, res) => {
      if (method !== 'POST') return void res.writeHead(405).end()
      if (message?.method === 'resources/subscribe') return void res.writeHead(404).end()
      if (message?.id === undefined) return void res.writeHead(202).end()
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: { resources: { subscribe: true } },
        serverInfo: { name: 's', version: '1' },
      }
      res.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': String(server.seen.length) })
      res.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
    })
    const client = await connect(server.url, { logger: false, limits: { maxReconnects: 2 }, retryBackoffMs: 1, era: '2025-11-25' })
    cleanUp(() => client.close())
    expect(await rejection(client.subscribe('a:1'))).toMatchObject({ status: 404 })
    const asked = (): number => server.seen.filter(({ message }) => message?.method === 'resources/subscribe').length
    expect(asked()).toBeLessThan(10)
    const before = server.seen.length
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(server.seen.length - before).toBeLessThan(5)
  })
})
