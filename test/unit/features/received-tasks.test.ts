import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { accept, type Client, type ConnectOptions, type Handlers, RpcError } from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { type FakeServer, legacyServer, type Message, modernServer, SILENCE, TEXT_RESULT } from '../../support/fake-server.ts'
import { rejection, turns, until } from '../../support/settled.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const TASKS = 'io.modelcontextprotocol/tasks'
const SAMPLE = { messages: [], maxTokens: 5 }
const FORM = { mode: 'form', message: 'm', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } }
const CAPABILITIES = { tools: {} }

/** A server that asks, and a way to wait for an answer. */
async function asking(handlers: Handlers, options: ConnectOptions = {}, version = '2025-11-25') {
  const server = legacyServer({}, { version, capabilities: CAPABILITIES })
  const client = await connected(server, { era: 'legacy', extensions: [TASKS], handlers, ...options })
  let last = 0
  const ask = async (method: string, params: object): Promise<{ result?: Message & { task?: Message }; error?: Message }> => {
    const id = `q${++last}`
    server.send({ jsonrpc: '2.0', id, method, params })
    await turns()
    return (server.received.find((message) => message.id === id) ?? {}) as object
  }
  const begin = async (params: object = {}, task: object = {}): Promise<string> => {
    const { result } = await ask('sampling/createMessage', { ...SAMPLE, ...params, task })
    return String(result?.task?.taskId)
  }
  return { server, client, ask, begin }
}

const declared = (server: FakeServer): unknown =>
  (server.calls('initialize')[0]?.params as { capabilities?: Message } | undefined)?.capabilities?.tasks

describe('tasks that a server asks for', () => {
  it('are declared for the handlers that are there, in the one revision that has them', async () => {
    const both = await asking({ sampling: () => 'x', elicitation: () => accept({}) })
    expect(declared(both.server)).toEqual({
      list: {},
      cancel: {},
      requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
    })
    const one = await asking({ elicitation: () => accept({}) })
    expect(declared(one.server)).toEqual({ list: {}, cancel: {}, requests: { elicitation: { create: {} } } })
    const none = await asking({}, { roots: [] })
    expect(declared(none.server)).toBeUndefined()
    const older = await asking({ sampling: () => 'x' }, { era: '2025-06-18' }, '2025-06-18')
    expect(declared(older.server)).toBeUndefined()
    const off = await asking({ sampling: () => 'x' }, { extensions: [] })
    expect(declared(off.server)).toBeUndefined()
    expect((await off.ask('sampling/createMessage', { ...SAMPLE, task: {} })).result).toMatchObject({ content: { text: 'x' } })
    const modern = modernServer({ 'tools/call': () => TEXT_RESULT })
    await (await connected(modern, { extensions: [TASKS], handlers: { sampling: () => 'x' } })).callTool('x')
    expect(JSON.stringify(modern.received)).not.toContain('"tasks"')
  })

  it('get an id at once, and their answer when it is asked for', async () => {
    let answer = (_text: string): void => {}
    const { ask } = await asking({ sampling: () => new Promise<string>((resolve) => (answer = resolve)) })
    const { result } = await ask('sampling/createMessage', { ...SAMPLE, task: { ttl: 5_000 } })
    const { taskId, createdAt, ...task } = result?.task ?? {}
    expect(taskId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(task).toEqual({ status: 'working', lastUpdatedAt: createdAt, ttl: 5_000, pollInterval: 1_000 })
    expect((await ask('tasks/get', { taskId })).result).toMatchObject({ taskId, status: 'working' })
    await vi.advanceTimersByTimeAsync(1_000)
    answer('sampled')
    await turns()
    const { result: after } = await ask('tasks/get', { taskId })
    expect(after).toMatchObject({ status: 'completed', createdAt })
    expect(after?.lastUpdatedAt).not.toBe(createdAt)
    expect((await ask('tasks/result', { taskId })).result).toEqual({
      role: 'assistant',
      content: { type: 'text', text: 'sampled' },
      model: 'unknown',
      stopReason: 'endTurn',
      _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
    })
  })

  it('have ids of their own', async () => {
    const { begin } = await asking({ sampling: () => 'x' })
    const ids = await Promise.all(Array.from({ length: 20 }, () => begin()))
    expect(new Set(ids).size).toBe(20)
  })

  it('make who asks for the answer wait', async () => {
    let answer = (_text: string): void => {}
    const { server, ask, begin } = await asking({ sampling: () => new Promise<string>((resolve) => (answer = resolve)) })
    const taskId = await begin()
    server.send({ jsonrpc: '2.0', id: 'w', method: 'tasks/result', params: { taskId } })
    await turns()
    expect(server.received.find(({ id }) => id === 'w')).toBeUndefined()
    answer('late')
    await turns()
    expect(server.received.find(({ id }) => id === 'w')).toMatchObject({ result: { content: { text: 'late' } } })
    expect((await ask('tasks/get', { taskId })).result?.status).toBe('completed')
  })

  it('are for elicitation as well', async () => {
    const { server, ask } = await asking({ elicitation: () => accept({ name: 'A' }) })
    const { result } = await ask('elicitation/create', { ...FORM, task: {} })
    await turns()
    const taskId = result?.task?.taskId
    server.send({ jsonrpc: '2.0', id: 'form', method: 'tasks/result', params: { taskId } })
    // What checks the form is loaded in real time.
    await until(() => server.received.some(({ id }) => id === 'form'), 'the answer')
    expect(server.received.find(({ id }) => id === 'form')?.result).toMatchObject({ action: 'accept', content: { name: 'A' } })
  })

  it.each<[string, unknown, object]>([
    ['a typed error', new RpcError(-1, 'User rejected', { a: 1 }), { code: -1, message: 'User rejected', data: { a: 1 } }],
    ['anything else', new Error('secret'), { code: -32603, message: 'Internal error' }],
  ])('fail with the error of their handler: %s', async (_what, thrown, error) => {
    const { server, ask, begin } = await asking({
      sampling: () => {
        throw thrown
      },
    })
    const taskId = await begin()
    expect((await ask('tasks/get', { taskId })).result).toMatchObject({ status: 'failed', statusMessage: expect.any(String) })
    expect((await ask('tasks/result', { taskId })).error).toEqual(error)
    expect(JSON.stringify(server.received)).not.toContain('secret')
  })

  it('are cancelled once: their handler is told, and no status follows', async () => {
    let signal: AbortSignal | undefined
    let answer = (_text: string): void => {}
    const { ask, begin } = await asking({
      sampling: (_request, context) => {
        signal = context.signal
        return new Promise<string>((resolve) => (answer = resolve))
      },
    })
    const taskId = await begin()
    expect((await ask('tasks/cancel', { taskId })).result).toMatchObject({ taskId, status: 'cancelled' })
    expect(signal?.aborted).toBe(true)
    answer('too late')
    await turns()
    expect((await ask('tasks/get', { taskId })).result?.status).toBe('cancelled')
    expect((await ask('tasks/cancel', { taskId })).error?.code).toBe(-32602)
    expect((await ask('tasks/result', { taskId })).error?.code).toBe(-32602)
  })

  it('that are over cannot be cancelled', async () => {
    const { ask, begin } = await asking({ sampling: () => 'x' })
    const taskId = await begin()
    expect((await ask('tasks/cancel', { taskId })).error?.code).toBe(-32602)
    expect((await ask('tasks/get', { taskId })).result?.status).toBe('completed')
  })

  it('are unknown by any other id', async () => {
    const { ask } = await asking({ sampling: () => 'x' })
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
      for (const taskId of ['no', 5, undefined]) expect((await ask(method, { taskId })).error?.code).toBe(-32602)
    expect((await ask('tasks/list', { cursor: 'no' })).error?.code).toBe(-32602)
  })

  it('are listed page by page', async () => {
    const { ask, begin } = await asking({ sampling: () => 'x' })
    const ids: string[] = []
    for (let index = 0; index < 120; index++) ids.push(await begin())
    const seen: unknown[] = []
    let cursor: unknown
    for (let page = 0; page === 0 || cursor !== undefined; page++) {
      const { result } = await ask('tasks/list', cursor === undefined ? {} : { cursor })
      seen.push(...((result?.tasks ?? []) as Message[]).map((task) => task.taskId))
      cursor = result?.nextCursor
      expect(page).toBeLessThan(3)
    }
    expect(seen).toEqual(ids)
  })

  it('are forgotten when their time is over, which is bounded', async () => {
    let signal: AbortSignal | undefined
    const { ask, begin } = await asking({
      sampling: (_request, context) => {
        signal = context.signal
        return new Promise<string>(() => {})
      },
    })
    const taskId = await begin({}, { ttl: 5_000 })
    await vi.advanceTimersByTimeAsync(4_999)
    expect((await ask('tasks/get', { taskId })).result?.status).toBe('working')
    await vi.advanceTimersByTimeAsync(1)
    expect((await ask('tasks/get', { taskId })).error?.code).toBe(-32602)
    expect(signal?.aborted).toBe(true)
    for (const [ttl, kept] of [
      [1e12, 3_600_000],
      [-1, 600_000],
      ['x', 600_000],
    ]) {
      const { result } = await ask('sampling/createMessage', { ...SAMPLE, task: { ttl } })
      expect(result?.task?.ttl).toBe(kept)
    }
  })

  it('are bounded in number: the oldest that is over goes, and none that is not', async () => {
    let work = true
    const { ask, begin } = await asking(
      { sampling: () => (work ? new Promise<string>(() => {}) : 'x') },
      { limits: { maxInboundRequests: 1_000 } },
    )
    work = false
    const [first, second] = [await begin(), await begin()]
    work = true
    for (let index = 0; index < 254; index++) await begin()
    const third = await begin()
    expect((await ask('tasks/get', { taskId: first })).error?.code).toBe(-32602)
    expect((await ask('tasks/get', { taskId: second })).result?.status).toBe('completed')
    expect((await ask('tasks/get', { taskId: third })).result?.status).toBe('working')
    await begin()
    const { error } = await ask('sampling/createMessage', { ...SAMPLE, task: {} })
    expect(error?.code).toBe(-32603)
  })

  it('count among the questions that are answered at once', async () => {
    const { ask } = await asking({ sampling: () => new Promise<string>(() => {}) }, { limits: { maxInboundRequests: 2 } })
    for (const code of [undefined, undefined, -32603])
      expect((await ask('sampling/createMessage', { ...SAMPLE, task: {} })).error?.code).toBe(code)
  })

  it('are none in an older revision: the question is answered plainly', async () => {
    const { ask } = await asking({ sampling: () => 'plain' }, { era: '2025-06-18' }, '2025-06-18')
    expect((await ask('sampling/createMessage', { ...SAMPLE, task: {} })).result).toMatchObject({ content: { text: 'plain' } })
  })

  it('stop the clocks of calls while their handler works', async () => {
    let answer = (_text: string): void => {}
    const { server, client, begin } = await asking(
      { sampling: () => new Promise<string>((resolve) => (answer = resolve)) },
      { timeoutMs: 1_000 },
    )
    server.methods['tools/call'] = () => SILENCE
    const late = rejection((client as Client).callTool('x'))
    await begin()
    await vi.advanceTimersByTimeAsync(10_000)
    let over = false
    void late.then(() => {
      over = true
    })
    await turns()
    expect(over).toBe(false)
    answer('now')
    await turns()
    await vi.advanceTimersByTimeAsync(1_100)
    expect(await late).toMatchObject({ code: 'ERR_MCP_TIMEOUT' })
  })

  it('end with the client', async () => {
    let signal: AbortSignal | undefined
    const { client, begin } = await asking({
      sampling: (_request, context) => {
        signal = context.signal
        return new Promise<string>(() => {})
      },
    })
    await begin()
    await client.close()
    expect(signal?.aborted).toBe(true)
  })
})
