import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { accept, type Client, connect, type Task, UnsupportedError } from '../../src/index.ts'
import { type DemoServer, demoServer } from '../../src/testing/index.ts'
import { memoryTransport } from '../../src/transport/memory.ts'
import { stdioTransport } from '../../src/transport/stdio/stdio.ts'
import type { Transport } from '../../src/transport/transport.ts'
import { clientSchema, schemasMissing } from '../support/client-schema.ts'
import { streamableHttpTransport } from '../support/http-target.ts'
import { type Crossed, recording } from '../support/recording-transport.ts'
import { rejection, until } from '../support/settled.ts'
import { TASKS } from '../support/task-server.ts'

const KINDS = ['memory', 'stdio', 'http-json', 'http-sse'] as const
const REVISIONS = ['2026-07-28', '2025-11-25'] as const
const CELLS = KINDS.flatMap((kind) => REVISIONS.map((revision) => [kind, revision] as const))
const COMMON = new Set(['tools/call', 'tools/list', 'server/discover'])

if (schemasMissing !== undefined) console.log(`skip: messages of tasks against the specification's schemas (${schemasMissing})`)

describe.each(CELLS)('tasks of the demo server over %s in %s', (kind, revision) => {
  const modern = revision === '2026-07-28'
  const extensions = [TASKS]
  let server: DemoServer
  let serving: { readonly url: string; cut(): void; close(): Promise<void> } | undefined
  let client: Client
  let crossed: Crossed[]

  async function transport(): Promise<Transport> {
    if (kind === 'memory') return memoryTransport(server)
    if (kind === 'stdio')
      return stdioTransport({ command: process.execPath, args: ['--import', 'tsx', 'test/support/demo-stdio.ts', revision] })
    serving ??= await server.serveHttp({ replies: kind === 'http-json' ? 'json' : 'sse' })
    return streamableHttpTransport(serving.url)
  }

  beforeAll(async () => {
    server = demoServer({ versions: [revision] })
    const recorded = recording(await transport())
    crossed = recorded.crossed
    const handlers = { elicitation: () => accept({ sure: true }) }
    client = await connect(recorded.transport, { extensions, handlers, logger: false, retryBackoffMs: 20 })
  })

  afterAll(async () => {
    await client?.close()
    await serving?.close()
    await server?.close()
  })

  afterEach(() => {
    crossed.length = 0
  })

  const sent = (method: string): number =>
    crossed.filter(({ direction, message }) => direction === 'sent' && message.method === method).length

  it('run while nobody waits, and give their result to who asks', async () => {
    const task = await client.callToolAsTask('job', { ms: 120 }, { ttlMs: 60_000 })
    expect(task.status).toBe('working')
    expect(task.pollIntervalMs).toBe(50)
    expect(Date.parse(task.createdAt ?? '')).not.toBeNaN()
    if (!modern) expect(task.ttlMs).toBe(60_000)
    expect((await task.result()).text).toBe('worked 120 ms')
    expect(task.status).toBe('completed')
    expect(sent('tools/call')).toBe(1)
  })

  it('ask the handlers of direct questions', async () => {
    const seen: unknown[] = []
    const task = await client.callToolAsTask('job', { ms: 1, confirm: true })
    const stop = client.on('taskStatus', (each) => seen.push(each.id === task.id && each.status))
    expect((await task.result()).text).toBe('worked 1 ms, accept')
    stop()
    expect(seen).toContain('input_required')
    expect(seen.at(-1)).toBe('completed')
  })

  it('yield their states', async () => {
    const task = await client.callToolAsTask('job', { ms: 150 })
    const seen: unknown[] = []
    for await (const each of task.updates()) seen.push(each.status)
    expect(seen[0]).toBe('working')
    expect(seen.at(-1)).toBe('completed')
  })

  it('are cancelled in their own way', async () => {
    const task = await client.callToolAsTask('job', { ms: 60_000 })
    await task.cancel()
    expect(task.status).toBe('cancelled')
    expect(await rejection(task.result())).toMatchObject({ code: 'ERR_MCP_TASK', reason: 'cancelled' })
    expect([sent('tasks/cancel'), sent('notifications/cancelled')]).toEqual([1, 0])
  })

  it('are unknown by another id', async () => {
    expect(await rejection(client.task('no such task').result())).toMatchObject({ code: 'ERR_MCP_TASK', reason: 'not-found' })
  })

  it('are listed where the revision has a list', async () => {
    const task = await client.callToolAsTask('job', { ms: 60_000 })
    if (modern) expect(await rejection(client.listTasks())).toBeInstanceOf(UnsupportedError)
    else expect((await client.listTasks({ cache: 'refresh' })).map((each: Task) => each.id)).toContain(task.id)
    await task.cancel()
  })

  it.skipIf(kind === 'stdio')('are found again by another client', async () => {
    const { id } = await client.callToolAsTask('job', { ms: 100 })
    const other = await connect(await transport(), { extensions, logger: false })
    const again = other.task(id ?? '', { tool: 'job' })
    expect(again.status).toBeUndefined()
    expect((await again.result()).text).toBe('worked 100 ms')
    await other.close()
  })

  it.skipIf(!kind.startsWith('http'))('are waited for over a network that breaks', async () => {
    const task = await client.callToolAsTask('job', { ms: 400 })
    const result = task.result()
    await until(() => sent('tasks/get') > 0, 'a poll')
    serving?.cut()
    expect((await result).text).toBe('worked 400 ms')
    expect(sent('tools/call')).toBe(1)
  })

  it.skipIf(!modern)('are what a plain call becomes where the server decides, and it resolves with the result', async () => {
    expect((await client.callTool('job', { ms: 60 })).text).toBe('worked 60 ms')
    const controller = new AbortController()
    const given = rejection(client.callTool('job', { ms: 60_000 }, { signal: controller.signal }))
    await until(() => sent('tasks/get') > 2, 'polls')
    controller.abort('enough')
    expect(await given).toBe('enough')
    await until(() => sent('tasks/cancel') === 1, 'the task to be cancelled')
    // What else may be cancelled is the stream on which the server tells.
    const calls = crossed.flatMap(({ message }) => (message.method === 'tools/call' ? [message.id] : []))
    const cancelled = crossed.flatMap(({ message }) => (message.method === 'notifications/cancelled' ? [message.params] : []))
    for (const id of calls) expect(cancelled).not.toContainEqual(expect.objectContaining({ requestId: id }))
    expect(calls).toHaveLength(2)
  })

  it.skipIf(schemasMissing !== undefined)('send only what the specification allows', async () => {
    await (await client.callToolAsTask('job', { ms: 1, confirm: true }, { ttlMs: 5_000 })).result()
    const check = clientSchema(revision)
    const messages = crossed.flatMap(({ direction, message }) => (direction === 'sent' && message.method !== undefined ? [message] : []))
    // The schema of the newest revision does not know its extensions.
    const known = messages.filter(({ method }) => !modern || COMMON.has(String(method)))
    expect(known.length).toBeGreaterThan(0)
    expect(known.flatMap((message) => check(message))).toEqual([])
  })
})
