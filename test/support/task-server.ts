import type { ConnectOptions } from '../../src/index.ts'
import {
  type Answering,
  type FakeServer,
  legacyServer,
  type Message,
  modernServer,
  ServerError,
  SILENCE,
  TEXT_RESULT,
} from './fake-server.ts'

export const TASKS = 'io.modelcontextprotocol/tasks'
export const CREATED_AT = '2026-01-01T00:00:00Z'

/** A task as the server holds it. */
export interface HeldTask {
  status: string
  statusMessage?: string
  lastUpdatedAt?: string
  ttlMs?: number | null
  pollIntervalMs?: number | undefined
  result?: object
  error?: { code: number; message: string; data?: unknown }
  inputRequests?: object
  /** The request that began it. */
  call?: Message
}

export interface TaskServer extends FakeServer {
  readonly held: Record<string, HeldTask>
  /** Changes a task; with `push` the server tells of it. */
  set(id: string, change: Partial<HeldTask>, push?: boolean): void
  /** The task as its era writes it. */
  written(id: string): object
}

export const ERA_OPTIONS: Record<'legacy' | 'modern', ConnectOptions> = {
  legacy: { era: 'legacy' },
  modern: { era: 'modern', extensions: [TASKS] },
}

const TOOLS = [
  { name: 'job', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } },
  { name: 'must', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } },
  { name: 'plain', inputSchema: { type: 'object' } },
  {
    name: 'counted',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
    execution: { taskSupport: 'optional' },
  },
]

/** A server whose calls become the tasks `t1`, `t2`, … that the test moves on. In the modern era each call of a client with the extension does. */
export function taskServer(era: 'legacy' | 'modern', more: Record<string, Answering> = {}, capabilities: object = {}): TaskServer {
  const held: Record<string, HeldTask> = {}
  const waiting: (() => void)[] = []
  let count = 0
  const legacy = era === 'legacy'
  const written = (id: string, detailed = true): object => {
    const {
      status,
      statusMessage,
      lastUpdatedAt = CREATED_AT,
      ttlMs = null,
      pollIntervalMs,
      result,
      error,
      inputRequests,
    } = held[id] ?? { status: '?' }
    return {
      taskId: id,
      status,
      createdAt: CREATED_AT,
      lastUpdatedAt,
      ...(statusMessage !== undefined && { statusMessage }),
      [legacy ? 'ttl' : 'ttlMs']: ttlMs,
      ...(pollIntervalMs !== undefined && { [legacy ? 'pollInterval' : 'pollIntervalMs']: pollIntervalMs }),
      ...(!legacy && detailed && { ...(result && { result }), ...(error && { error }), ...(inputRequests && { inputRequests }) }),
    }
  }
  const known = (params: Message): string => {
    const id = String(params.taskId)
    if (held[id] === undefined) throw new ServerError(-32602, 'no')
    return id
  }
  const over = (id: string): boolean => ['completed', 'failed', 'cancelled'].includes(held[id]?.status ?? '')
  const wantsTask = (params: Message): boolean => {
    if (legacy) return params.task !== undefined
    const meta = params._meta as Record<string, { extensions?: Record<string, unknown> }>
    return meta['io.modelcontextprotocol/clientCapabilities']?.extensions?.[TASKS] !== undefined
  }
  const methods: Record<string, Answering> = {
    'tools/list': () => ({ tools: legacy ? TOOLS : TOOLS.map(({ execution: _, ...tool }) => tool) }),
    'tools/call': ({ params }) => {
      if (!wantsTask(params)) {
        if (legacy && params.name === 'must') throw new ServerError(-32601, 'only as a task')
        return TEXT_RESULT
      }
      const id = `t${++count}`
      held[id] = { status: 'working', call: params }
      return legacy ? { task: written(id) } : { resultType: 'task', ...written(id, false) }
    },
    'tasks/get': ({ params }) => written(known(params)),
    'tasks/cancel': ({ params }) => {
      const id = known(params)
      if (legacy && over(id)) throw new ServerError(-32602, 'terminal')
      server.set(id, { status: 'cancelled' })
      return legacy ? written(id) : {}
    },
    ...(legacy
      ? {
          'tasks/list': () => ({ tasks: Object.keys(held).map((id) => written(id)) }),
          'tasks/result': async ({ params }) => {
            const id = known(params)
            while (!over(id)) await new Promise<void>((resolve) => waiting.push(resolve))
            const { error, result } = held[id] ?? {}
            if (error !== undefined) throw new ServerError(error.code, error.message, error.data)
            return result ?? SILENCE
          },
        }
      : { 'tasks/update': () => ({}) }),
    ...more,
  }
  const ours = legacy
    ? { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } }, ...capabilities }
    : { tools: {}, extensions: { [TASKS]: {} }, ...capabilities }
  const fake = (legacy ? legacyServer : modernServer)(methods, { capabilities: ours })
  const server: TaskServer = Object.assign(Object.create(fake, {}), {
    held,
    written,
    set(id: string, change: Partial<HeldTask>, push = false): void {
      held[id] = { status: 'working', ...held[id], ...change }
      for (const wake of waiting.splice(0)) wake()
      if (push) fake.send({ jsonrpc: '2.0', method: legacy ? 'notifications/tasks/status' : 'notifications/tasks', params: written(id) })
    },
  })
  return server
}
