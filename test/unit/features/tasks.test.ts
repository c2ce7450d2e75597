import { describe, expect, it } from 'vitest'
import {
  type Client,
  type ConnectOptions,
  ProtocolError,
  type Task,
  TaskError,
  ToolError,
  UnsupportedError,
  ValidationError,
} from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { legacyServer, type Message, modernServer, TEXT_RESULT } from '../../support/fake-server.ts'
import { rejection } from '../../support/settled.ts'
import { CREATED_AT, ERA_OPTIONS, type TaskServer, taskServer } from '../../support/task-server.ts'

const BOTH = ['legacy', 'modern'] as const
const params = (message: Message | undefined): Message => (message?.params ?? {}) as Message

async function begun(
  era: 'legacy' | 'modern',
  options: ConnectOptions = {},
  more = {},
): Promise<{ server: TaskServer; client: Client; task: Task }> {
  const server = taskServer(era, more)
  const client = await connected(server, { ...ERA_OPTIONS[era], ...options })
  return { server, client, task: await client.callToolAsTask('job', { input: 'x' }) }
}

describe.each(BOTH)('a call as a task, %s era', (era) => {
  it('is a handle at once, with what the server says of it', async () => {
    const { server, client } = await begun(era)
    server.methods['tools/call'] = () => {
      server.held.t9 = {
        status: 'working',
        statusMessage: 'begun',
        lastUpdatedAt: '2026-01-01T00:00:05Z',
        ttlMs: 60_000,
        pollIntervalMs: 250,
      }
      return era === 'legacy' ? { task: server.written('t9') } : { resultType: 'task', ...server.written('t9') }
    }
    const task = await client.callToolAsTask('job', {}, { ttlMs: 60_000 })
    expect({ ...pick(task), tool: task.tool }).toEqual({
      id: 't9',
      tool: 'job',
      status: 'working',
      statusMessage: 'begun',
      createdAt: CREATED_AT,
      lastUpdatedAt: '2026-01-01T00:00:05Z',
      ttlMs: 60_000,
      pollIntervalMs: 250,
      isTerminal: false,
      isInputRequired: false,
    })
  })

  it.each([
    ['working', false, false],
    ['input_required', false, true],
    ['completed', true, false],
    ['failed', true, false],
    ['cancelled', true, false],
  ])('has the status %s after one poll', async (status, isTerminal, isInputRequired) => {
    const { server, task } = await begun(era)
    server.set('t1', { status, ...(status === 'input_required' && { inputRequests: {} }) })
    expect(await task.refresh()).toBe(task)
    expect(pick(task)).toMatchObject({ status, isTerminal, isInputRequired })
    expect(server.calls('tasks/get').map((call) => params(call).taskId)).toEqual(['t1'])
  })

  it('that is over is not asked about again', async () => {
    const { server, task } = await begun(era)
    server.set('t1', { status: 'completed', result: TEXT_RESULT })
    await task.refresh()
    await task.refresh()
    expect(server.calls('tasks/get')).toHaveLength(1)
  })

  it('answered at once is a finished task without an id', async () => {
    const { server, client } = await begun(era)
    server.methods['tools/call'] = () => TEXT_RESULT
    const task = await client.callToolAsTask('job')
    expect(pick(task)).toMatchObject({ id: undefined, status: 'completed', isTerminal: true })
    expect((await task.result()).text).toBe('done')
    expect(await rejection(task.cancel())).toMatchObject({ code: 'ERR_MCP_TASK', reason: 'terminal' })
    const seen: Task[] = []
    for await (const each of task.updates()) seen.push(each)
    expect(seen).toEqual([task])
    expect(await task.refresh()).toBe(task)
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5'])('with the life time %j is a mistake of the caller', async (ttlMs) => {
    const { server, client } = await begun(era)
    const sent = server.received.length
    expect(await rejection(client.callToolAsTask('job', {}, { ttlMs: ttlMs as number }))).toBeInstanceOf(TypeError)
    expect(server.received).toHaveLength(sent)
  })

  it('is found again by its id, with no status before the first update', async () => {
    const { server } = await begun(era)
    server.set('t1', { status: 'completed', result: { content: [], structuredContent: { count: 'x' } } })
    const other = await connected(server, { ...ERA_OPTIONS[era], validate: 'strict' })
    const again = other.task('t1')
    expect(again.status).toBeUndefined()
    expect((await again.result()).structuredContent).toEqual({ count: 'x' })
    expect(again.status).toBe('completed')
    expect(await rejection(other.task('t1', { tool: 'counted' }).result())).toBeInstanceOf(ValidationError)
  })

  it.each(['', 5, undefined])('with the id %j is a mistake of the caller', async (id) => {
    const { client } = await begun(era)
    expect(() => client.task(id as string)).toThrow(TypeError)
  })

  it('whose id the server does not know, or no longer, says which', async () => {
    const { server, client, task } = await begun(era)
    expect(await rejection(client.task('nope').refresh())).toMatchObject({ code: 'ERR_MCP_TASK', reason: 'not-found' })
    expect(await rejection(client.task('nope').result())).toMatchObject({ code: 'ERR_MCP_TASK', reason: 'not-found' })
    expect(await rejection(client.task('nope').cancel())).toMatchObject({ code: 'ERR_MCP_TASK', reason: 'not-found' })
    server.set('t1', { ttlMs: 1 })
    await task.refresh()
    delete server.held.t1
    expect(await rejection(task.refresh())).toMatchObject({ code: 'ERR_MCP_TASK', reason: 'expired' })
  })

  it('is cancelled in its own way', async () => {
    const { server, task } = await begun(era)
    await task.cancel()
    expect(task.status).toBe('cancelled')
    expect(server.calls('tasks/cancel').map((call) => params(call).taskId)).toEqual(['t1'])
    expect(server.calls('notifications/cancelled')).toEqual([])
    expect(await rejection(task.result())).toMatchObject({ code: 'ERR_MCP_TASK', reason: 'cancelled' })
    expect(await rejection(task.cancel())).toMatchObject({ code: 'ERR_MCP_TASK', reason: 'terminal' })
    expect(server.calls('tasks/cancel')).toHaveLength(1)
  })

  it('that failed by an error rejects with it as the cause', async () => {
    const { server, task } = await begun(era)
    server.set('t1', { status: 'failed', statusMessage: 'no\nmore', error: { code: -32603, message: 'broken', data: { a: 1 } } })
    await task.refresh()
    const error = await rejection(task.result())
    expect(error).toBeInstanceOf(TaskError)
    expect(error).toMatchObject({ reason: 'failed', server: 'fake', cause: { rpcCode: -32603, message: 'broken', data: { a: 1 } } })
    expect((error as Error).message).toContain('no\\nmore')
  })

  it('whose tool failed is a result, or an error where that is wished', async () => {
    const { server, task } = await begun(era)
    const result = { content: [{ type: 'text', text: 'bad' }], isError: true }
    server.set('t1', { status: era === 'legacy' ? 'failed' : 'completed', result })
    await task.refresh()
    expect(await task.result()).toMatchObject({ isError: true, text: 'bad' })
    expect(await rejection(task.result({ throwOnToolError: true }))).toBeInstanceOf(ToolError)
  })

  it('has its result checked like that of a call', async () => {
    const { server, client } = await begun(era, { validate: 'strict' })
    const task = await client.callToolAsTask('counted')
    server.set('t2', { status: 'completed', result: { content: [], structuredContent: { count: 'three' } } })
    await task.refresh()
    expect(await rejection(task.result())).toBeInstanceOf(ValidationError)
  })

  it('may be answered with nonsense', async () => {
    const { server, client, task } = await begun(era)
    for (const nonsense of [{}, { taskId: 't1', status: 'done' }, { ...server.written('t1'), taskId: 'other' }, { task: 5 }]) {
      server.methods['tasks/get'] = () => nonsense
      expect(await rejection(task.refresh())).toBeInstanceOf(ProtocolError)
      expect(await rejection(client.task('t1').result())).toBeInstanceOf(ProtocolError)
    }
  })
})

function pick(task: Task): object {
  const { id, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs, isTerminal, isInputRequired } = task
  return { id, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs, isTerminal, isInputRequired }
}

describe('a call as a task', () => {
  it('asks for it with the life time, in the revision that lets it', async () => {
    const { server, client } = await begun('legacy')
    await client.callToolAsTask('job', { a: 1 }, { ttlMs: 60_000, meta: { 'com.example/k': 1 } })
    expect(server.calls('tools/call').map(params)).toEqual([
      { name: 'job', arguments: { input: 'x' }, task: {} },
      { name: 'job', arguments: { a: 1 }, task: { ttl: 60_000 }, _meta: { 'com.example/k': 1 } },
    ])
  })

  it('says nothing of it where the server decides', async () => {
    const { server, client } = await begun('modern')
    await client.callToolAsTask('job', {}, { ttlMs: 60_000 })
    expect(params(server.calls('tools/call')[1])).toEqual({ name: 'job', arguments: {}, _meta: expect.anything() })
  })

  it.each<[string, () => TaskServer | ReturnType<typeof legacyServer>, ConnectOptions]>([
    ['an older revision', () => legacyServer({}, { version: '2025-06-18' }), {}],
    ['a server without the capability', () => taskServer('legacy', {}, { tasks: { list: {} } }), ERA_OPTIONS.legacy],
    ['a server without the extension', () => modernServer(), ERA_OPTIONS.modern],
    ['a client without the extension', () => taskServer('modern'), { era: 'modern' }],
  ])('is not to be had with %s; nothing is sent', async (_what, make, options) => {
    const server = make()
    const client = await connected(server, options)
    const sent = server.received.length
    expect(await rejection(client.callToolAsTask('job'))).toBeInstanceOf(UnsupportedError)
    expect(server.received).toHaveLength(sent)
  })

  it('is not to be had of a tool that forbids it, and the tool is not run', async () => {
    const { server, client } = await begun('legacy')
    expect(await rejection(client.callToolAsTask('plain'))).toBeInstanceOf(UnsupportedError)
    expect(server.calls('tools/call')).toHaveLength(1)
  })

  it.each<[string, (client: Client) => Promise<unknown>, string]>([
    ['the list', (client) => client.listTasks(), 'tasks/list'],
    ['cancelling', (client) => client.task('t1').cancel(), 'tasks/cancel'],
  ])('%s is not asked of a server that does not offer it', async (_what, ask, method) => {
    const server = taskServer('legacy', {}, { tasks: { requests: { tools: { call: {} } } } })
    const client = await connected(server, ERA_OPTIONS.legacy)
    expect(await rejection(ask(client))).toBeInstanceOf(UnsupportedError)
    expect(server.calls(method)).toEqual([])
  })

  it('has no list where the revision has none', async () => {
    const { server, client } = await begun('modern')
    expect(await rejection(client.listTasks())).toBeInstanceOf(UnsupportedError)
    expect(server.calls('tasks/list')).toEqual([])
  })

  it('is listed over all pages, without entries that are malformed', async () => {
    const { server, client } = await begun('legacy')
    server.methods['tasks/list'] = ({ params: { cursor } }) =>
      cursor === undefined
        ? { tasks: [server.written('t1'), { taskId: 5 }], nextCursor: 'n' }
        : { tasks: [{ ...server.written('t1'), taskId: 't2', status: 'completed' }] }
    const tasks = await client.listTasks()
    expect(tasks.map(({ id, status }) => [id, status])).toEqual([
      ['t1', 'working'],
      ['t2', 'completed'],
    ])
    const pages = []
    for await (const { items, nextCursor } of client.pages('tasks')) pages.push([items.map((task) => task.id), nextCursor])
    expect(pages).toEqual([
      [['t1'], 'n'],
      [['t2'], undefined],
    ])
  })

  it('may be taken for a plain one by a server: what it answers is the result', async () => {
    const server = legacyServer(
      { 'tools/call': () => TEXT_RESULT },
      { capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } } },
    )
    const client = await connected(server, ERA_OPTIONS.legacy)
    expect((await (await client.callToolAsTask('x')).result()).text).toBe('done')
  })
})
