import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  accept,
  type Client,
  type ConnectOptions,
  type ElicitationHandler,
  HandlerError,
  ProtocolError,
  RpcError,
  type Task,
  TaskError,
  TimeoutError,
} from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { legacyServer, type Message, ServerError, SILENCE, TEXT_RESULT } from '../../support/fake-server.ts'
import { rejection, turns, until } from '../../support/settled.ts'
import { ERA_OPTIONS, type TaskServer, taskServer } from '../../support/task-server.ts'

const BOTH = ['legacy', 'modern'] as const
const FORM = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'm', requestedSchema: { type: 'object', properties: { said: { type: 'string' } } } },
}
const params = (message: Message | undefined): Message => (message?.params ?? {}) as Message
const DONE = { status: 'completed', result: TEXT_RESULT }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Lets time pass in small steps, with everything running that it starts. */
async function pass(ms: number): Promise<void> {
  await turns()
  await vi.advanceTimersByTimeAsync(ms)
  await turns()
}

async function begun(
  era: 'legacy' | 'modern',
  options: ConnectOptions = {},
  pollIntervalMs: number | undefined = 1_000,
): Promise<{ server: TaskServer; client: Client; task: Task; gets: () => number }> {
  const server = taskServer(era)
  const client = await connected(server, { ...ERA_OPTIONS[era], ...options })
  const task = await client.callToolAsTask('job')
  server.set('t1', { pollIntervalMs })
  await task.refresh()
  server.received.length = 0
  return { server, client, task, gets: () => server.calls('tasks/get').length }
}

describe.each(BOTH)('a task that is followed, %s era', (era) => {
  it.each([
    ['its interval', 1_000, 1_000],
    ['no less than 100 ms', 1, 100],
    ['no more than 5 minutes', 86_400_000, 300_000],
    ['1 s where the server does not say', undefined, 1_000],
    ['an interval that is none: 1 s', -5, 1_000],
  ])('is asked about at %s', async (_what, interval, ms) => {
    const { task, gets } = await begun(era, {}, interval)
    const result = task.result().catch(() => {})
    await pass(ms - 1)
    expect(gets()).toBe(0)
    await pass(1)
    expect(gets()).toBe(1)
    await pass(ms)
    expect(gets()).toBe(2)
    void result
  })

  it('is asked about a little later than the interval, never earlier', async () => {
    vi.mocked(Math.random).mockReturnValue(0.99)
    const { task, gets } = await begun(era)
    task.result().catch(() => {})
    await pass(1_098)
    expect(gets()).toBe(0)
    await pass(1)
    expect(gets()).toBe(1)
  })

  it('is asked about once for all who wait, and not any more when nobody does', async () => {
    const { task, gets } = await begun(era)
    const [first, second] = [new AbortController(), new AbortController()]
    const waiting = [rejection(task.result({ signal: first.signal })), rejection(task.result({ signal: second.signal }))]
    await pass(1_000)
    expect(gets()).toBe(1)
    first.abort('enough')
    await pass(1_000)
    expect(gets()).toBe(2)
    second.abort('enough too')
    expect(await Promise.all(waiting)).toEqual(['enough', 'enough too'])
    await pass(10_000)
    expect(gets()).toBe(2)
  })

  it('gives its result when it has ended', async () => {
    const { server, task } = await begun(era)
    const result = task.result()
    await pass(3_000)
    server.set('t1', DONE)
    await pass(1_000)
    expect((await result).text).toBe('done')
    expect((await task.result()).text).toBe('done')
    expect(server.calls('tasks/result')).toHaveLength(era === 'legacy' ? 1 : 0)
  })

  it('is waited for longer than one request may take', async () => {
    const { server, task } = await begun(era, { timeoutMs: 500, maxTotalTimeoutMs: 700 })
    const result = task.result()
    await pass(100_000)
    server.set('t1', DONE)
    await pass(1_000)
    expect((await result).text).toBe('done')
  })

  it('yields itself at each change until it has ended, told or asked', async () => {
    const { server, task } = await begun(era)
    const seen: unknown[] = []
    const watching = (async () => {
      for await (const each of task.updates()) seen.push([each === task, each.status, each.statusMessage])
    })()
    await pass(2_000)
    server.set('t1', { statusMessage: 'half' })
    await pass(1_000)
    server.set('t1', { statusMessage: 'told' }, true)
    await turns()
    server.set('t1', DONE, true)
    await turns()
    await watching
    expect(seen).toEqual([
      [true, 'working', undefined],
      [true, 'working', 'half'],
      [true, 'working', 'told'],
      [true, 'completed', 'told'],
    ])
  })

  it('is not asked about while the server tells, and again when it does not', async () => {
    const { server, task, gets } = await begun(era)
    task.result().catch(() => {})
    for (const step of [1, 2, 3]) {
      await pass(900)
      server.set('t1', { statusMessage: `step ${step}` }, true)
    }
    expect(gets()).toBe(0)
    await pass(1_000)
    expect(gets()).toBe(1)
  })

  it('is told to listeners once per change, whichever way it came', async () => {
    const { server, client, task } = await begun(era)
    const told: unknown[] = []
    client.on('taskStatus', (each) => told.push([each === task, each.id, each.status, each.statusMessage]))
    const result = task.result()
    server.set('t1', { statusMessage: 'polled' })
    await pass(2_500)
    server.set('t1', { statusMessage: 'pushed' }, true)
    server.set('other', { status: 'working' }, true)
    await turns()
    server.set('t1', DONE)
    await pass(1_000)
    await result
    expect(told).toEqual([
      [true, 't1', 'working', 'polled'],
      [true, 't1', 'working', 'pushed'],
      [false, 'other', 'working', undefined],
      [true, 't1', 'completed', 'pushed'],
    ])
  })

  it('survives requests that nobody answers, and gives up after a number of them in a row', async () => {
    const { server, task } = await begun(era, { timeoutMs: 1_000 })
    const get = server.methods['tasks/get']
    const result = task.result()
    server.methods['tasks/get'] = () => SILENCE
    await pass(10_000)
    server.methods['tasks/get'] = get ?? (() => SILENCE)
    server.set('t1', DONE)
    await pass(40_000)
    expect((await result).text).toBe('done')

    const { server: dead, task: lost, gets } = await begun(era, { timeoutMs: 1_000 })
    const failed = rejection(lost.result())
    dead.methods['tasks/get'] = () => SILENCE
    await pass(600_000)
    expect(await failed).toBeInstanceOf(TimeoutError)
    expect(gets()).toBe(9)
  })

  it('ends the waiting when the client is closed', async () => {
    const { client, task } = await begun(era)
    const failed = rejection(task.result())
    await turns()
    await client.close()
    expect(await failed).toMatchObject({ code: 'ERR_MCP_CONNECTION' })
  })

  it('lives on when the waiting is given up, by signal or time', async () => {
    const { server, task } = await begun(era)
    const failed = rejection(task.result({ timeoutMs: 5_000 }))
    await pass(5_010)
    const error = await failed
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toMatchObject({ timeoutMs: 5_000, server: 'fake' })
    expect(await rejection(task.result({ signal: AbortSignal.abort('no') }))).toBe('no')
    expect(server.calls('tasks/cancel')).toEqual([])
    expect(server.calls('notifications/cancelled')).toEqual([])
    server.set('t1', DONE)
    const result = task.result()
    await pass(1_000)
    expect((await result).text).toBe('done')
  })

  it('asks the handlers of direct questions, whose time does not count', async () => {
    const { server, task } = await begun(era, {
      handlers: {
        elicitation: async (request) => {
          await new Promise((resolve) => setTimeout(resolve, 20_000))
          return accept({ said: request.message })
        },
      },
    })
    const result = task.result({ timeoutMs: 10_000 })
    if (era === 'modern') {
      server.methods['tasks/update'] = () => {
        server.set('t1', DONE)
        return {}
      }
      server.set('t1', { status: 'input_required', inputRequests: { q: FORM } })
    } else {
      server.set('t1', { status: 'input_required' })
    }
    await pass(1_000)
    expect(task.isInputRequired).toBe(true)
    if (era === 'legacy') {
      const _meta = { 'io.modelcontextprotocol/related-task': { taskId: 't1' } }
      server.send({ jsonrpc: '2.0', id: 77, method: FORM.method, params: { ...FORM.params, _meta } })
    }
    await pass(20_000)
    // What checks the form is loaded in real time.
    await until(() => server.received.some(({ id, method }) => id === 77 || method === 'tasks/update'), 'an answer')
    if (era === 'legacy') {
      expect(server.received.find((message) => message.id === 77)).toEqual({
        jsonrpc: '2.0',
        id: 77,
        result: { action: 'accept', content: { said: 'm' }, _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't1' } } },
      })
      server.set('t1', DONE)
    } else {
      expect(server.calls('tasks/update').map(params)).toEqual([
        { taskId: 't1', inputResponses: { q: { action: 'accept', content: { said: 'm' } } }, _meta: expect.anything() },
      ])
    }
    await pass(1_000)
    expect((await result).text).toBe('done')
  })
})

describe('a task whose result is waited for by a request of its own', () => {
  it.each<[string, object, string]>([
    ['completed', TEXT_RESULT, 'completed'],
    ['failed', { ...TEXT_RESULT, isError: true }, 'failed'],
  ])('is %s as soon as that is answered', async (status, result, expected) => {
    const { server, task } = await begun('legacy', {}, 60_000)
    const waiting = task.result()
    await turns()
    server.set('t1', { status: 'input_required' }, true)
    await turns()
    server.set('t1', { status, result })
    await turns()
    expect((await waiting).text).toBe('done')
    expect(task.status).toBe(expected)
  })

  it('has its result for who asks right behind the last update, when it was asked for during a question', async () => {
    const { server, task } = await begun('legacy', {}, 60_000)
    const result = (async () => {
      for await (const { isTerminal } of task.updates()) if (isTerminal) break
      return task.result()
    })()
    await turns()
    server.set('t1', { status: 'input_required' }, true)
    await turns()
    // The end is told before the request for the result is answered.
    server.send({
      jsonrpc: '2.0',
      method: 'notifications/tasks/status',
      params: { taskId: 't1', status: 'completed', createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:09Z', ttl: null },
    })
    await turns()
    server.set('t1', DONE)
    expect((await result).text).toBe('done')
  })

  it('fails with the error that is the answer, when its state says so', async () => {
    const { server, task } = await begun('legacy', {}, 60_000)
    const failed = rejection(task.result())
    await turns()
    server.set('t1', { status: 'input_required' }, true)
    await turns()
    server.set('t1', { status: 'failed', error: { code: -32602, message: 'the call was wrong' } })
    await turns()
    expect(await failed).toMatchObject({ code: 'ERR_MCP_TASK', reason: 'failed', cause: { rpcCode: -32602 } })
  })
})

describe('questions of a task', () => {
  const asking = async (options: ConnectOptions = {}) => {
    const asked: string[] = []
    const elicitation: ElicitationHandler = ({ message }) => {
      asked.push(message)
      return accept({})
    }
    const made = await begun('modern', { handlers: { elicitation }, ...options })
    const ask = (...keys: string[]): void =>
      made.server.set('t1', {
        status: 'input_required',
        inputRequests: Object.fromEntries(keys.map((key) => [key, { ...FORM, params: { ...FORM.params, message: key } }])),
      })
    const answered = (): string[][] => made.server.calls('tasks/update').map((call) => Object.keys(params(call).inputResponses as object))
    return { ...made, asked, ask, answered }
  }

  it('are answered once, however often they show again, and new ones when they come', async () => {
    const { task, ask, asked, answered } = await asking()
    task.result().catch(() => {})
    ask('a', 'b')
    await pass(3_000)
    ask('b', 'c')
    await pass(3_000)
    expect(asked).toEqual(['a', 'b', 'c'])
    expect(answered()).toEqual([['a', 'b'], ['c']])
  })

  it('that come by a push are answered as well', async () => {
    const { server, task, answered } = await asking()
    task.result().catch(() => {})
    await turns()
    server.set('t1', { status: 'input_required', inputRequests: { q: FORM } }, true)
    await turns()
    expect(answered()).toEqual([['q']])
  })

  it('are not answered by a single look, nor when nobody follows', async () => {
    const { task, ask, asked } = await asking()
    ask('a')
    await task.refresh()
    await pass(5_000)
    expect(asked).toEqual([])
    expect(task.isInputRequired).toBe(true)
  })

  it('get the answer that was lost once more, while they show', async () => {
    const { server, task, ask, asked, answered } = await asking({ timeoutMs: 1_000 })
    task.result().catch(() => {})
    server.methods['tasks/update'] = () => SILENCE
    ask('a')
    await pass(2_500)
    server.methods['tasks/update'] = () => ({})
    await pass(2_000)
    expect(asked).toEqual(['a'])
    expect(answered()).toEqual([['a'], ['a']])
    await pass(5_000)
    expect(answered()).toHaveLength(2)
  })

  it('do not get it when they show no more', async () => {
    const { server, task, ask, answered } = await asking({ timeoutMs: 1_000 })
    task.result().catch(() => {})
    server.methods['tasks/update'] = () => SILENCE
    ask('a')
    await pass(1_500)
    server.set('t1', { status: 'working' })
    await pass(5_000)
    expect(answered()).toEqual([['a']])
  })

  it('whose answer the server refuses end the waiting while they show', async () => {
    const { server, task, ask } = await asking()
    const failed = rejection(task.result())
    server.methods['tasks/update'] = () => {
      throw new ServerError(-32602, 'bad answer')
    }
    ask('a')
    await pass(3_000)
    expect(await failed).toBeInstanceOf(RpcError)
  })

  it.each<[string, object]>([
    ['was not declared', { q: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } } }],
    ['does not exist', { q: { method: 'tasks/list' } }],
  ])('of a kind that %s are the fault of the server', async (_what, inputRequests) => {
    const { server, task } = await asking()
    const failed = rejection(task.result())
    server.set('t1', { status: 'input_required', inputRequests })
    await pass(1_000)
    expect(await failed).toBeInstanceOf(ProtocolError)
  })

  it('that a handler refuses end the waiting', async () => {
    const { task, ask } = await asking({
      handlers: {
        elicitation: () => {
          throw new Error('no')
        },
      },
    })
    const failed = rejection(task.result())
    ask('a')
    await pass(1_000)
    expect(await failed).toBeInstanceOf(HandlerError)
  })

  it('are taken back when the task ends', async () => {
    let signal: AbortSignal | undefined
    const { server, task, ask } = await asking({
      handlers: {
        elicitation: (_request, context) => {
          signal = context.signal
          return new Promise(() => {})
        },
      },
    })
    const failed = rejection(task.result())
    ask('a')
    await pass(1_000)
    expect(signal?.aborted).toBe(false)
    server.set('t1', { status: 'cancelled' })
    await pass(1_000)
    expect(signal?.aborted).toBe(true)
    expect(await failed).toBeInstanceOf(TaskError)
  })

  it('are bounded in number', async () => {
    const { task, ask } = await asking()
    const failed = rejection(task.result())
    ask(...Array.from({ length: 1_001 }, (_, index) => `k${index}`))
    await pass(1_000)
    expect(await failed).toBeInstanceOf(ProtocolError)
  })
})

describe('a plain call that runs as a task', () => {
  const finishing = (server: TaskServer): void => void setTimeout(() => server.set('t1', DONE), 2_500)

  it('resolves with the result: a tool that must, known or not', async () => {
    for (const listed of [true, false]) {
      const server = taskServer('legacy')
      const client = await connected(server, ERA_OPTIONS.legacy)
      if (listed) await client.listTools()
      const result = client.callTool('must')
      finishing(server)
      await pass(4_000)
      expect((await result).text).toBe('done')
      expect(server.calls('tools/call').map((call) => params(call).task)).toEqual(listed ? [{}] : [undefined, {}])
    }
  })

  it('resolves with the result of a handle whose tool must, although the list was forgotten since', async () => {
    const server = taskServer('legacy')
    const client = await connected(server, ERA_OPTIONS.legacy)
    const handle = await client.findTool('must')
    server.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
    await turns()
    const result = handle.call()
    finishing(server)
    await pass(4_000)
    expect((await result).text).toBe('done')
    expect(server.calls('tools/call').map((call) => params(call).task)).toEqual([{}])
  })

  it('stays a plain one where the server has no tasks, or the tool may choose', async () => {
    const without = legacyServer({
      'tools/list': () => ({ tools: [{ name: 'must', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }] }),
      'tools/call': () => TEXT_RESULT,
    })
    const client = await connected(without)
    await client.listTools()
    expect((await client.callTool('must')).text).toBe('done')
    expect(params(without.calls('tools/call')[0]).task).toBeUndefined()
    const server = taskServer('legacy')
    const other = await connected(server, ERA_OPTIONS.legacy)
    await other.listTools()
    expect((await other.callTool('job')).text).toBe('done')
    expect(params(server.calls('tools/call')[0]).task).toBeUndefined()
  })

  it('resolves with the result where the server decides', async () => {
    const server = taskServer('modern')
    const client = await connected(server, ERA_OPTIONS.modern)
    const result = client.callTool('job')
    finishing(server)
    await pass(4_000)
    expect((await result).text).toBe('done')
  })

  it.each(BOTH)('takes its task with it when it is given up, %s era', async (era) => {
    const server = taskServer(era)
    const client = await connected(server, ERA_OPTIONS[era])
    await client.listTools()
    const controller = new AbortController()
    const aborted = rejection(client.callTool('must', {}, { signal: controller.signal }))
    await pass(1_500)
    controller.abort('enough')
    expect(await aborted).toBe('enough')
    await turns()
    const late = rejection(client.callTool('must', {}, { maxTotalTimeoutMs: 3_000 }))
    await pass(3_100)
    expect(await late).toBeInstanceOf(TimeoutError)
    await turns()
    expect(server.calls('tasks/cancel').map((call) => params(call).taskId)).toEqual(['t1', 't2'])
    expect(server.calls('notifications/cancelled')).toEqual([])
  })

  it.each(BOTH)('streams the states of its task, %s era', async (era) => {
    const server = taskServer(era)
    const client = await connected(server, ERA_OPTIONS[era])
    await client.listTools()
    const events: unknown[] = []
    const streaming = (async () => {
      for await (const event of client.callToolStream('must')) events.push(event.type === 'status' ? ['status', event.task.id] : event.type)
    })()
    await pass(500)
    server.set('t1', { statusMessage: 'half' }, true)
    await pass(500)
    server.set('t1', DONE, true)
    await pass(500)
    await streaming
    expect(events).toEqual([['status', 't1'], ['status', 't1'], ['status', 't1'], 'result'])
  })
})

describe('the beginning of a task', () => {
  it('that is given up is cancelled when its id is known, by nothing else', async () => {
    const server = taskServer('legacy')
    const client = await connected(server, ERA_OPTIONS.legacy)
    await client.listTools()
    const call = server.methods['tools/call']
    let answer = (): void => {}
    server.methods['tools/call'] = async (ask) => {
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      return call?.(ask)
    }
    const controller = new AbortController()
    const aborted = rejection(client.callToolAsTask('job', {}, { signal: controller.signal }))
    await turns()
    controller.abort('enough')
    expect(await aborted).toBe('enough')
    answer()
    await turns()
    expect(server.calls('tasks/cancel').map((each) => params(each).taskId)).toEqual(['t1'])
    expect(server.calls('notifications/cancelled')).toEqual([])
  })

  it('that takes too long is given up without a word', async () => {
    const server = taskServer('legacy', { 'tools/call': () => SILENCE })
    const client = await connected(server, { ...ERA_OPTIONS.legacy, timeoutMs: 1_000 })
    const late = rejection(client.callToolAsTask('job'))
    await pass(1_100)
    expect(await late).toBeInstanceOf(TimeoutError)
    expect(server.calls('notifications/cancelled')).toEqual([])
  })

  it('brings a token whose progress comes until the task has ended', async () => {
    const server = taskServer('legacy')
    const client = await connected(server, ERA_OPTIONS.legacy)
    const seen: unknown[] = []
    const task = await client.callToolAsTask('job', {}, { onProgress: (progress) => seen.push(progress) })
    const { progressToken } = params(server.calls('tools/call')[0])._meta as { progressToken: string }
    const tell = (progress: number): void =>
      server.send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress, total: 3 } })
    tell(1)
    await turns()
    tell(2)
    await turns()
    server.set('t1', DONE)
    await task.refresh()
    tell(3)
    await turns()
    expect(seen).toEqual([
      { progress: 1, total: 3 },
      { progress: 2, total: 3 },
    ])
  })
})
