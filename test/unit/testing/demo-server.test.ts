import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DemoServer, demoServer } from '../../../src/testing/index.ts'
import { LEGACY, MODERN, PREFIX, RawClient } from './raw-client.ts'
import { schemasMissing } from './wire-schema.ts'

let server: DemoServer
let clients: RawClient[]

beforeEach(() => {
  server = demoServer()
  clients = []
})

afterEach(async () => {
  await server.close()
  expect(clients.flatMap((client) => client.problems)).toEqual([])
})

const ANSWERS: Record<string, object> = {
  'elicitation/create': { action: 'accept', content: { name: 'Ada', age: 36 } },
  'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'A fox jumps.' }, model: 'm' },
  'roots/list': { roots: [{ uri: 'file:///home/ada' }] },
}
const EVERYTHING = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }

function client(version: string, capabilities: Record<string, unknown> = {}): Promise<RawClient> {
  const raw = new RawClient(server, { version, capabilities, answer: ({ method }) => ({ result: ANSWERS[String(method)] }) })
  clients.push(raw)
  return raw.open()
}

it('says nothing that the schemas of the specification forbid', (ctx) => {
  if (schemasMissing === undefined) return
  console.log(`skip: server messages against the specification's schemas (${schemasMissing})`)
  ctx.skip()
})

describe.each([...LEGACY, MODERN])('in revision %s', (version) => {
  const modern = version === MODERN
  const structured = version >= '2025-06-18'

  it('lists one of everything, in pages when it is asked to', async () => {
    server = demoServer({ pageSize: 5 })
    const raw = await client(version)
    const names: unknown[] = []
    let cursor: unknown
    do {
      const { result } = await raw.request('tools/list', cursor === undefined ? {} : { cursor })
      const { tools, nextCursor } = Object(result)
      names.push(...tools.map((tool: { name: string }) => tool.name))
      cursor = nextCursor
    } while (cursor !== undefined)
    expect(names).toEqual(['echo', 'add', 'slow', 'fail', 'media', 'log', 'ask', 'visit', 'summarize', 'workspace', 'job', 'broken'])
    expect(await raw.request('tools/list', { cursor: 'nonsense' })).toMatchObject({ error: { code: -32602 } })
    expect(await raw.request('prompts/list')).toMatchObject({ result: { prompts: [{ name: 'greet' }] } })
    const uris = ['demo://text', 'demo://image', 'demo://clock'].map((uri) => ({ uri }))
    expect(await raw.request('resources/list')).toMatchObject({ result: { resources: uris } })
    expect(await raw.request('resources/templates/list')).toMatchObject({
      result: { resourceTemplates: [{ uriTemplate: 'demo://item/{id}' }] },
    })
  })

  it('answers the plain tools', async () => {
    const raw = await client(version)
    expect(await raw.call('echo', { message: 'hi' })).toMatchObject({ result: { content: [{ type: 'text', text: 'hi' }] } })
    const { result } = await raw.call('add', { a: 1, b: 0.5 })
    expect(result).toMatchObject({ content: [{ text: '{"sum":1.5}' }], ...(structured && { structuredContent: { sum: 1.5 } }) })
    expect('structuredContent' in Object(result)).toBe(structured)
    expect(await raw.call('fail')).toMatchObject({ result: { isError: true, content: [{ type: 'text' }] } })
    expect(await raw.call('echo')).toMatchObject({ result: { isError: true, content: [{ text: 'the argument "message" is required' }] } })
    expect(await raw.call('slow', { steps: 'x' })).toMatchObject({ result: { isError: true } })
    expect(await raw.call('nothing')).toMatchObject({ error: { code: -32602 } })
    expect(await raw.call('constructor')).toMatchObject({ error: { code: -32602 } })
    if (structured) expect(await raw.call('broken')).toMatchObject({ result: { structuredContent: { count: 'three' } } })
  })

  it('has one block of every content kind of the revision', async () => {
    const { result } = await (await client(version)).call('media')
    const kinds = Object(result).content.map((block: { type: string }) => block.type)
    const audio = version >= '2025-03-26' ? ['audio'] : []
    expect(kinds).toEqual(['text', 'image', ...audio, 'resource', 'resource', ...(structured ? ['resource_link'] : [])])
  })

  it('tells progress to those who ask, before the result', async () => {
    const raw = await client(version)
    await raw.call('slow', { steps: 2, delayMs: 0 })
    expect(raw.notifications('progress')).toEqual([])
    await raw.call('slow', { steps: 2, delayMs: 1 }, { progressToken: 'p' })
    expect(raw.notifications('progress')).toMatchObject([
      { progressToken: 'p', progress: 1, total: 2 },
      { progressToken: 'p', progress: 2, total: 2 },
    ])
    expect(raw.received.at(-1)).toHaveProperty('result')
  })

  it('stops a cancelled call and does not answer it', async () => {
    const raw = await client(version)
    const { id } = raw.begin('tools/call', { name: 'slow', arguments: { steps: 1, delayMs: 60_000 } })
    raw.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
    await raw.call('echo', { message: 'x' })
    expect(raw.received.some((message) => message.id === id)).toBe(false)
  })

  it('gives prompts, resources and completions', async () => {
    const raw = await client(version)
    const greet = { name: 'greet', arguments: { name: 'Ada', lang: 'de' } }
    expect(await raw.request('prompts/get', greet)).toMatchObject({ result: { messages: [{ content: { text: 'Guten Tag, Ada!' } }] } })
    expect(await raw.request('prompts/get', { name: 'greet' })).toMatchObject({ error: { code: -32602 } })
    expect(await raw.request('resources/read', { uri: 'demo://text' })).toMatchObject({
      result: { contents: [{ mimeType: 'text/plain' }] },
    })
    const { result } = await raw.request('resources/read', { uri: 'demo://image' })
    expect(Buffer.from(Object(result).contents[0].blob, 'base64').subarray(1, 4).toString()).toBe('PNG')
    expect(await raw.request('resources/read', { uri: 'demo://item/7' })).toMatchObject({
      result: { contents: [{ text: '{"id":7,"even":false}' }] },
    })
    const missing = { error: { code: modern ? -32602 : -32002, data: { uri: 'demo://item/251' } } }
    expect(await raw.request('resources/read', { uri: 'demo://item/251' })).toMatchObject(missing)
    const names = {
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'name', value: 'a' },
      context: { arguments: { lang: 'en' } },
    }
    expect(await raw.request('completion/complete', names)).toMatchObject({ result: { completion: { values: ['Ada', 'Alan'] } } })
    const ids = { ref: { type: 'ref/resource', uri: 'demo://item/{id}' }, argument: { name: 'id', value: '1' } }
    expect(await raw.request('completion/complete', ids)).toMatchObject({ result: { completion: { total: 111, hasMore: true } } })
  })
})

describe.each(LEGACY)('in revision %s', (version) => {
  it('asks the client on the wire', async () => {
    const raw = await client(version, EVERYTHING)
    expect(await raw.call('workspace')).toMatchObject({ result: { content: [{ text: 'file:///home/ada' }] } })
    expect(await raw.call('summarize', { text: 'x' })).toMatchObject({ result: { content: [{ text: 'A fox jumps.' }] } })
    const asked = await raw.call('ask', { confirm: 'then' })
    const visited = await raw.call('visit')
    if (version >= '2025-06-18') {
      const outcome = { action: 'accept', content: { name: 'Ada', age: 36 }, confirmed: true }
      expect(asked).toMatchObject({ result: { structuredContent: outcome } })
    } else expect(asked).toMatchObject({ result: { isError: true } })
    if (version >= '2025-11-25') {
      expect(visited).toMatchObject({ result: { structuredContent: { action: 'accept' } } })
      await raw.until(({ method }) => method === 'notifications/elicitation/complete')
    } else expect(visited).toMatchObject({ result: { isError: true } })
  })

  it('says which capability a tool lacks', async () => {
    const raw = await client(version)
    expect(await raw.call('summarize')).toMatchObject({
      result: { isError: true, content: [{ text: 'the client did not declare the capability sampling' }] },
    })
  })

  it('answers ping, obeys the log level, and refuses what it does not know', async () => {
    const raw = await client(version)
    expect(await raw.request('ping')).toMatchObject({ result: {} })
    await raw.call('log', { level: 'debug' })
    expect(raw.notifications('message')).toEqual([])
    expect(await raw.request('logging/setLevel', { level: 'debug' })).toMatchObject({ result: {} })
    await raw.call('log', { level: 'debug' })
    expect(raw.notifications('message')).toMatchObject([{ level: 'debug', logger: 'demo' }, { data: { level: 'debug' } }])
    expect(await raw.request('server/discover')).toMatchObject({ error: { code: -32601 } })
    expect(await raw.request('initialize', { protocolVersion: version })).toMatchObject({ error: { code: -32600 } })
  })

  it('tells changes unasked, and of a resource to its subscribers', async () => {
    const raw = await client(version)
    server.tick()
    await raw.request('resources/subscribe', { uri: 'demo://clock' })
    expect(server.tick('noon')).toBe('noon')
    expect(raw.notifications('resources/updated')).toEqual([{ uri: 'demo://clock' }])
    expect(await raw.request('resources/read', { uri: 'demo://clock' })).toMatchObject({ result: { contents: [{ text: 'noon' }] } })
    await raw.request('resources/unsubscribe', { uri: 'demo://clock' })
    server.tick()
    expect(raw.notifications('resources/updated')).toHaveLength(1)
    for (const list of ['tools', 'prompts', 'resources'] as const) {
      server.announce(list)
      expect(raw.notifications(`${list}/list_changed`)).toHaveLength(1)
    }
    const revision = { result: { _meta: { 'com.example/revision': 1 } } }
    expect(await raw.request('tools/list')).toMatchObject(revision)
  })

  it('refuses requests before the handshake', async () => {
    server = demoServer({ era: 'legacy' })
    const raw = new RawClient(server, { version })
    expect(await raw.request('tools/list')).toMatchObject({ error: { code: -32600 } })
    expect(await raw.request('ping')).toMatchObject({ result: {} })
    expect(await raw.request('server/discover', {}, { [`${PREFIX}protocolVersion`]: MODERN })).toMatchObject({ error: { code: -32601 } })
  })
})

describe('the legacy era', () => {
  it('answers an unknown revision with its newest', async () => {
    server = demoServer({ versions: ['2025-06-18', '2025-03-26'] })
    const raw = new RawClient(server, { version: '2025-06-18' })
    expect(await raw.request('initialize', { protocolVersion: '2099-01-01' })).toMatchObject({ result: { protocolVersion: '2025-06-18' } })
  })

  it('takes batches in the revision that has them', async () => {
    const raw = await client('2025-03-26')
    const pings = ['a', 'b'].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
    raw.send(pings)
    await raw.until(({ id }) => id === 'a')
    await raw.until(({ id }) => id === 'b')
    const newer = await client('2025-06-18')
    newer.send(pings)
    expect(newer.received.at(-1)).toMatchObject({ error: { code: -32600 } })
    clients = []
  })

  it('demands a visit once, when told to', async () => {
    const raw = await client('2025-11-25')
    const refused = await raw.call('visit', { required: true })
    expect(refused).toMatchObject({
      error: { code: -32042, data: { elicitations: [{ mode: 'url', url: expect.stringContaining('https://') }] } },
    })
    await raw.until(({ method }) => method === 'notifications/elicitation/complete')
    expect(await raw.call('visit', { required: true })).toMatchObject({ result: { structuredContent: { action: 'accept' } } })
  })

  it('turns a refusal of the client into a tool error, and withdraws the question of a cancelled call', async () => {
    const raw = new RawClient(server, { version: '2025-11-25', capabilities: EVERYTHING })
    await raw.open()
    const { response } = raw.begin('tools/call', { name: 'summarize' })
    const { id } = await raw.until(({ method }) => method === 'sampling/createMessage')
    raw.send({ jsonrpc: '2.0', id, error: { code: -1, message: 'no' } })
    expect(await response).toMatchObject({ result: { isError: true, content: [{ text: 'the client refused: no' }] } })
    const second = raw.begin('tools/call', { name: 'workspace' })
    const question = await raw.until(({ method }) => method === 'roots/list')
    raw.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: second.id } })
    expect(await raw.until(({ method }) => method === 'notifications/cancelled')).toMatchObject({ params: { requestId: question.id } })
  })

  it('runs a job as a task, with a question on the way', async () => {
    const raw = await client('2025-11-25', EVERYTHING)
    const begun = await raw.request('tools/call', { name: 'job', arguments: { ms: 1, confirm: true }, task: { ttl: 60_000 } })
    expect(begun).toMatchObject({ result: { task: { status: 'working', ttl: 60_000 } } })
    const { taskId } = Object(begun.result).task
    await raw.until(({ params }) => Object(params).status === 'input_required')
    expect(await raw.request('tasks/list')).toMatchObject({ result: { tasks: [{ taskId, status: 'input_required' }] } })
    const related = { [`${PREFIX}related-task`]: { taskId } }
    expect(await raw.request('tasks/result', { taskId })).toMatchObject({
      result: { content: [{ text: 'worked 1 ms, accept' }], _meta: related },
    })
    expect(await raw.until(({ method }) => method === 'elicitation/create')).toMatchObject({ params: { _meta: related } })
    expect(await raw.request('tasks/get', { taskId })).toMatchObject({ result: { status: 'completed' } })
    expect(await raw.request('tasks/cancel', { taskId })).toMatchObject({ error: { code: -32602 } })
    expect(await raw.request('tasks/get', { taskId: 'x' })).toMatchObject({ error: { code: -32602 } })
    expect(await raw.request('tools/call', { name: 'echo', task: {} })).toMatchObject({ error: { code: -32601 } })
    expect(await raw.call('job', { ms: 1 })).toMatchObject({ result: { content: [{ text: 'worked 1 ms' }] } })
  })

  it('cancels a task, and ends the wait for its result', async () => {
    const raw = await client('2025-11-25')
    const begun = await raw.request('tools/call', { name: 'job', arguments: { ms: 60_000 }, task: {} })
    const { taskId } = Object(begun.result).task
    const { response } = raw.begin('tasks/result', { taskId })
    expect(await raw.request('tasks/cancel', { taskId })).toMatchObject({ result: { taskId, status: 'cancelled' } })
    expect(await response).toMatchObject({ error: { code: -32602 } })
  })

  it('fails a task whose tool fails', async () => {
    const raw = await client('2025-11-25')
    const begun = await raw.request('tools/call', { name: 'job', arguments: { ms: 1, confirm: true }, task: {} })
    const { taskId } = Object(begun.result).task
    expect(await raw.request('tasks/result', { taskId })).toMatchObject({ result: { isError: true } })
    expect(await raw.request('tasks/get', { taskId })).toMatchObject({ result: { status: 'failed' } })
  })
})

describe('the modern era', () => {
  it('describes itself, with the envelope of the revision on every result', async () => {
    const raw = await client(MODERN)
    expect(await raw.request('server/discover')).toMatchObject({
      result: {
        resultType: 'complete',
        supportedVersions: [MODERN, ...LEGACY],
        capabilities: { tools: {}, extensions: { [`${PREFIX}tasks`]: {} } },
        ttlMs: 60_000,
        cacheScope: 'public',
        _meta: { [`${PREFIX}serverInfo`]: { name: 'demo' } },
      },
    })
    expect(await raw.request('resources/read', { uri: 'demo://clock' })).toMatchObject({ result: { ttlMs: 0 } })
    const { result } = await raw.call('echo', { message: 'x' })
    expect(result).toMatchObject({ resultType: 'complete', _meta: { [`${PREFIX}serverInfo`]: { name: 'demo' } } })
    expect(result).not.toHaveProperty('ttlMs')
    const { result: listed } = await raw.request('tools/list')
    expect(Object(listed).tools[0].inputSchema.properties.region).toHaveProperty('x-mcp-header', 'Region')
    expect(JSON.stringify(listed)).not.toContain('"execution"')
  })

  it('wants its metadata on every request', async () => {
    server = demoServer({ era: 'modern' })
    const raw = new RawClient(server, { version: '2025-11-25' })
    expect(await raw.request('tools/list')).toMatchObject({ error: { code: -32602 } })
    expect(await raw.request('tools/list', {}, { [`${PREFIX}protocolVersion`]: MODERN })).toMatchObject({ error: { code: -32602 } })
    const wrong = { error: { code: -32022, data: { supported: [MODERN], requested: '2099-01-01' } } }
    expect(await raw.request('tools/list', {}, { [`${PREFIX}protocolVersion`]: '2099-01-01' })).toMatchObject(wrong)
    expect(await raw.request('initialize', { protocolVersion: '2025-11-25' })).toMatchObject({
      error: { code: -32022, data: { supported: [MODERN], requested: '2025-11-25' } },
    })
    expect(await (await client(MODERN)).request('ping')).toMatchObject({ error: { code: -32601 } })
  })

  it('asks in rounds, keeping the answers in its state', async () => {
    const raw = await client(MODERN, EVERYTHING)
    const first = await raw.call('ask', { confirm: 'then' })
    expect(first).toMatchObject({
      result: { resultType: 'input_required', inputRequests: { person: { method: 'elicitation/create', params: { mode: 'form' } } } },
    })
    const again = (response: { result?: unknown }, inputResponses: object): Promise<{ result?: unknown }> =>
      raw.request('tools/call', {
        name: 'ask',
        arguments: { confirm: 'then' },
        inputResponses,
        requestState: Object(response.result).requestState,
      })
    const second = await again(first, { person: ANSWERS['elicitation/create'] })
    expect(second).toMatchObject({ result: { inputRequests: { confirmation: { method: 'elicitation/create' } } } })
    const third = await again(second, { confirmation: { action: 'decline' } })
    const outcome = { action: 'accept', content: { name: 'Ada', age: 36 }, confirmed: false }
    expect(third).toMatchObject({ result: { resultType: 'complete', structuredContent: outcome } })
    expect(await again({ result: { requestState: 'forged' } }, {})).toMatchObject({ error: { code: -32602 } })
    const together = await raw.call('ask', { confirm: 'together' })
    expect(Object.keys(Object(together.result).inputRequests)).toEqual(['person', 'confirmation'])
    for (const name of ['visit', 'summarize', 'workspace']) {
      expect(await raw.call(name)).toMatchObject({ result: { resultType: 'input_required' } })
    }
  })

  it('names the capability that a tool lacks', async () => {
    const raw = await client(MODERN, { elicitation: {} })
    expect(await raw.call('ask')).toMatchObject({ result: { resultType: 'input_required' } })
    const lacking = (requiredCapabilities: object): object => ({ error: { code: -32021, data: { requiredCapabilities } } })
    expect(await raw.call('visit')).toMatchObject(lacking({ elicitation: { url: {} } }))
    expect(await raw.call('summarize')).toMatchObject(lacking({ sampling: {} }))
    expect(await raw.call('workspace')).toMatchObject(lacking({ roots: {} }))
    expect(await raw.request('tasks/get', { taskId: 'x' })).toMatchObject(lacking({ extensions: { [`${PREFIX}tasks`]: {} } }))
  })

  it('logs only at the level that the request wants', async () => {
    const raw = await client(MODERN)
    await raw.call('log', { level: 'error' })
    await raw.call('log', { level: 'info' }, { [`${PREFIX}logLevel`]: 'error' })
    expect(raw.notifications('message')).toEqual([])
    await raw.call('log', { level: 'error' }, { [`${PREFIX}logLevel`]: 'error' })
    expect(raw.notifications('message')).toHaveLength(2)
  })

  it('tells changes on the listen streams that want them, until they end', async () => {
    const raw = await client(MODERN)
    const notifications = { toolsListChanged: true, promptsListChanged: false, resourceSubscriptions: ['demo://clock', 'demo://no'] }
    const first = raw.begin('subscriptions/listen', { notifications })
    const second = raw.begin('subscriptions/listen', { notifications: { promptsListChanged: true } })
    const _meta = { [`${PREFIX}subscriptionId`]: first.id }
    expect(raw.notifications('subscriptions/acknowledged')).toMatchObject([
      { notifications: { toolsListChanged: true, resourceSubscriptions: ['demo://clock'] }, _meta },
      { notifications: { promptsListChanged: true } },
    ])
    server.tick()
    server.announce('tools')
    server.announce('prompts')
    server.announce('resources')
    expect(raw.notifications('resources/updated')).toEqual([{ uri: 'demo://clock', _meta }])
    expect(raw.notifications('tools/list_changed')).toEqual([{ _meta }])
    expect(raw.notifications('prompts/list_changed')).toEqual([{ _meta: { [`${PREFIX}subscriptionId`]: second.id } }])
    raw.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: second.id } })
    await raw.request('tools/list')
    server.announce('prompts')
    expect(raw.notifications('prompts/list_changed')).toHaveLength(1)
    await server.close()
    expect(await first.response).toMatchObject({ result: { resultType: 'complete', _meta } })
    expect(raw.ended).toBe(true)
  })

  it('runs a job as a task for those who declare the extension', async () => {
    const raw = await client(MODERN, { elicitation: {}, extensions: { [`${PREFIX}tasks`]: {} } })
    const begun = await raw.call('job', { ms: 20, confirm: true })
    expect(begun).toMatchObject({ result: { resultType: 'task', status: 'working' } })
    const { taskId } = Object(begun.result)
    raw.begin('subscriptions/listen', { notifications: { taskIds: [taskId, 'other'] } })
    expect(raw.notifications('subscriptions/acknowledged')).toMatchObject([{ notifications: { taskIds: [taskId] } }])
    await raw.until(({ method, params }) => method === 'notifications/tasks' && Object(params).status === 'input_required')
    expect(await raw.request('tasks/get', { taskId })).toMatchObject({
      result: { status: 'input_required', inputRequests: { confirmation: { method: 'elicitation/create' } } },
    })
    const inputResponses = { confirmation: { action: 'accept', content: { sure: true } } }
    expect(await raw.request('tasks/update', { taskId, inputResponses })).toMatchObject({ result: { resultType: 'complete' } })
    await raw.until(({ method, params }) => method === 'notifications/tasks' && Object(params).status === 'completed')
    const done = { resultType: 'complete', status: 'completed', result: { content: [{ text: 'worked 20 ms, accept' }] } }
    expect(await raw.request('tasks/get', { taskId })).toMatchObject({ result: done })
    const other = await raw.call('job', { ms: 60_000 })
    const cancelled = { taskId: Object(other.result).taskId }
    expect(await raw.request('tasks/cancel', cancelled)).toMatchObject({ result: { resultType: 'complete' } })
    expect(await raw.request('tasks/get', cancelled)).toMatchObject({ result: { status: 'cancelled' } })
    expect(await raw.request('tasks/list')).toMatchObject({ error: { code: -32601 } })
    expect(await (await client(MODERN)).call('job', { ms: 1 })).toMatchObject({ result: { content: [{ text: 'worked 1 ms' }] } })
  })
})

describe('what is no request', () => {
  it('is answered with an error without an id, and the conversation goes on', async () => {
    const raw = await client(MODERN)
    raw.sendText('no json')
    raw.send(7)
    raw.send({ jsonrpc: '2.0', id: 1 })
    expect(raw.received).toMatchObject([{ error: { code: -32700 } }, { error: { code: -32600 } }, { error: { code: -32600 } }])
    expect(await raw.call('echo', { message: 'x' })).toHaveProperty('result')
  })

  it('is refused when its id is in use, or when too much runs or waits', async () => {
    const raw = new RawClient(server, { version: '2025-11-25', capabilities: EVERYTHING })
    await raw.open()
    const slow = { name: 'slow', arguments: { steps: 1, delayMs: 60_000 } }
    raw.send({ jsonrpc: '2.0', id: 'x', method: 'tools/call', params: slow })
    raw.send({ jsonrpc: '2.0', id: 'x', method: 'ping' })
    expect(await raw.until(({ id }) => id === 'x')).toMatchObject({ error: { code: -32600 } })
    for (let count = 0; count < 100; count++) raw.begin('tools/call', { name: 'workspace' })
    await raw.until(({ id, method }) => method === 'roots/list' && id === 100)
    expect(await raw.call('workspace')).toMatchObject({ result: { isError: true } })
    for (let count = 101; count < 1_000; count++) raw.begin('tools/call', slow)
    expect(await raw.request('ping')).toMatchObject({ error: { code: -32600 } })
  })

  it('is a TypeError in the options', () => {
    expect(() => demoServer({ pageSize: 0 })).toThrow(TypeError)
    expect(() => demoServer({ versions: ['2099-01-01'] })).toThrow(TypeError)
    expect(() => demoServer({ era: 'legacy', versions: [MODERN] })).toThrow(TypeError)
    expect(() => demoServer({ clockIntervalMs: 0 })).toThrow(TypeError)
  })
})
