import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  accept,
  bytesOf,
  type Client,
  type CreateMessageRequest,
  cancel,
  connect,
  decline,
  type ElicitRequest,
  type ElicitResult,
  RpcError,
  type ToolEvent,
} from '../../src/index.ts'
import { type DemoServer, demoServer } from '../../src/testing/index.ts'
import { httpTransport } from '../../src/transport/http/http-node.ts'
import { memoryTransport } from '../../src/transport/memory.ts'
import { stdioTransport } from '../../src/transport/stdio/stdio.ts'
import type { Transport } from '../../src/transport/transport.ts'
import { clientSchema, schemasMissing } from '../support/client-schema.ts'
import type { Message } from '../support/fake-server.ts'
import { streamableHttpTransport } from '../support/http-target.ts'
import { recordingLogger } from '../support/loggers.ts'
import { type Crossed, recording } from '../support/recording-transport.ts'
import { rejection, turns, until } from '../support/settled.ts'
import { serveSse } from '../support/sse-front.ts'

/** `sse` is HTTP+SSE, the transport that came before Streamable HTTP with its `http-json` and `http-sse`. */
type Kind = 'memory' | 'stdio' | 'http-json' | 'http-sse' | 'sse'
const KINDS: readonly Kind[] = ['memory', 'stdio', 'http-json', 'http-sse', 'sse']
const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const
const CELLS = KINDS.flatMap((kind) =>
  REVISIONS.filter((revision) => {
    if (kind === 'sse') return revision !== '2026-07-28'
    return !kind.startsWith('http') || revision !== '2024-11-05'
  }).map((revision) => [kind, revision] as const),
)

if (schemasMissing !== undefined) console.log(`skip: messages against the specification's schemas (${schemasMissing})`)

describe.each(CELLS)('the demo server over %s in %s', (kind, revision) => {
  const since = (first: string): boolean => revision >= first
  const modern = revision === '2026-07-28'
  const structured = since('2025-06-18')
  const elicits = since('2025-06-18')
  /** A JSON body has no room for what comes before the answer, and the modern era no other stream. */
  const silent = kind === 'http-json' && modern

  let server: DemoServer
  let serving: { readonly url: string; close(): Promise<void> } | undefined
  let client: Client
  let crossed: Crossed[]
  let person: (request: ElicitRequest, signal: AbortSignal) => ElicitResult | undefined | Promise<ElicitResult | undefined> = () =>
    decline()
  let model: (request: CreateMessageRequest) => string | undefined = () => 'a summary'
  const logger = recordingLogger()

  async function transport(): Promise<Transport> {
    if (kind === 'memory') return memoryTransport(server)
    if (kind === 'stdio') {
      const args = ['--import', 'tsx', 'test/support/demo-stdio.ts', revision]
      return stdioTransport({ command: process.execPath, args })
    }
    if (kind === 'sse') {
      serving = await serveSse(server)
      return httpTransport({ url: serving.url }, 'sse')
    }
    serving = await server.serveHttp({ replies: kind === 'http-json' ? 'json' : 'sse' })
    return streamableHttpTransport(serving.url)
  }

  beforeAll(async () => {
    server = demoServer({ versions: [revision], pageSize: 5 })
    const recorded = recording(await transport())
    crossed = recorded.crossed
    client = await connect(recorded.transport, {
      name: 'the demo',
      logger,
      probeTimeoutMs: 15_000,
      roots: [{ uri: 'file:///home/me/project', name: 'Project' }],
      handlers: {
        elicitation: (request, { signal }) => person(request, signal),
        sampling: (request) => model(request),
      },
    })
  }, 30_000)

  afterAll(async () => {
    await client?.close()
    await serving?.close()
    await server?.close()
  })

  const sent = (method: string): Message[] =>
    crossed.filter(({ direction, message }) => direction === 'sent' && message.method === method).map(({ message }) => message)

  it('negotiates its revision', () => {
    expect(client.protocolVersion).toBe(revision)
    expect(client.state).toBe('ready')
    expect(client.transport).toBe(kind.startsWith('http') ? 'streamable-http' : kind)
    expect(client.name).toBe('the demo')
    expect(sent('initialize')).toHaveLength(modern ? 0 : 1)
    expect(sent('notifications/initialized')).toHaveLength(modern ? 0 : 1)
  })

  it('says who it is, what it can and how it wants to be used', () => {
    expect(client.serverInfo).toMatchObject({ name: 'demo', version: '1.0.0' })
    expect(client.instructions).toContain('demo server')
    expect(client.capabilities).toMatchObject({ tools: { listChanged: true }, prompts: {}, resources: {}, logging: {} })
    expect('completions' in client.capabilities).toBe(since('2025-03-26'))
  })

  it('lists all its tools over several pages', async () => {
    const before = sent('tools/list').length
    const tools = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'echo',
      'add',
      'slow',
      'fail',
      'media',
      'log',
      'ask',
      'visit',
      'summarize',
      'workspace',
      'job',
      'broken',
    ])
    expect(sent('tools/list').length - before).toBe(3)
    const echo = tools[0]
    expect(echo?.readOnlyHint).toBe(true)
    expect(echo?.title).toBe(structured ? 'Echo' : undefined)
    expect(tools[1]?.hasStructuredOutput).toBe(structured)
  })

  it('calls a tool, with text of every kind', async () => {
    for (const message of ['hi', '', 'ä € 𝄞 🙂', 'line\nbreak\r\n"quoted" \u2028 \u0000', 'x'.repeat(300_000)]) {
      const result = await client.callTool('echo', { message })
      expect(result.text === message).toBe(true)
      expect(result.isError).toBe(false)
    }
  })

  it('mirrors arguments without harm to what it calls', async () => {
    for (const region of ['eu', ' blank ', 'ü\n', '=?base64?eA==?=', null]) {
      expect((await client.callTool('echo', { message: 'm', ...(region !== null && { region }) })).text).toBe('m')
    }
  })

  it('keeps 50 calls at once apart', async () => {
    const texts = await Promise.all(Array.from({ length: 50 }, async (_, i) => (await client.callTool('echo', { message: `m${i}` })).text))
    expect(texts).toEqual(Array.from({ length: 50 }, (_, i) => `m${i}`))
  })

  it('answers with structured data', async () => {
    const result = await client.callTool('add', { a: 0.5, b: 41.5 })
    expect(result.data).toEqual({ sum: 42 })
    expect('structuredContent' in result).toBe(structured)
  })

  it('tells progress in order, whole, and before the result', async () => {
    const seen: unknown[] = []
    const result = await client.callTool('slow', { steps: 5, delayMs: 2 }, { onProgress: (event) => seen.push(event) })
    expect(result.text).toBe('5 steps done')
    const expected = [1, 2, 3, 4, 5].map((step) => ({
      progress: step,
      total: 5,
      ...(since('2025-03-26') && { message: `step ${step} of 5` }),
    }))
    if (silent) expect(seen).toEqual([])
    // What comes on another stream than the answer may come behind it, and then nobody hears it; what is heard is in order.
    else if (kind === 'http-json') expect(seen).toEqual(expected.slice(0, seen.length))
    else expect(seen).toEqual(expected)
  })

  it('streams what happens', async () => {
    const events: ToolEvent[] = []
    for await (const event of client.callToolStream('slow', { steps: 3, delayMs: 2 })) events.push(event)
    expect(events.at(-1)).toMatchObject({ type: 'result', result: { text: '3 steps done' } })
    if (kind !== 'http-json') expect(events.map(({ type }) => type)).toEqual(['progress', 'progress', 'progress', 'result'])
  })

  it('gives the failure of a tool as a result', async () => {
    expect(await client.callTool('fail')).toMatchObject({ isError: true, text: 'this tool always fails' })
    expect(await rejection(client.callTool('fail', {}, { throwOnToolError: true }))).toMatchObject({
      code: 'ERR_MCP_TOOL',
      server: 'the demo',
    })
  })

  it('refuses an unknown tool and an unknown method', async () => {
    expect(await rejection(client.callTool('eco'))).toMatchObject({ code: 'ERR_MCP_NOT_FOUND', candidates: ['echo'] })
    const error = await rejection(client.request('no/such/method'))
    expect(error).toBeInstanceOf(RpcError)
    expect(error).toMatchObject({ rpcCode: -32601, outcome: 'not-run', method: 'no/such/method' })
    expect((await client.callTool('echo', { message: 'still here' })).text).toBe('still here')
  })

  it('brings content of every kind', async () => {
    const { content, text } = await client.callTool('media')
    const types = content.map(({ type }) => type)
    const audio = since('2025-03-26') ? ['audio'] : []
    const link = structured ? ['resource_link'] : []
    expect(types).toEqual(['text', 'image', ...audio, 'resource', 'resource', ...link])
    expect(text).toBe('a text')
    for (const block of content) {
      if (block.type === 'image') expect(Buffer.from(bytesOf(block)).subarray(1, 4).toString()).toBe('PNG')
      if (block.type === 'audio') expect(Buffer.from(bytesOf(block)).subarray(0, 4).toString()).toBe('RIFF')
    }
  })

  it('warns of a result that breaks its own schema, and keeps it', async () => {
    const before = logger.of('warn').length
    const result = await client.callTool('broken')
    expect(result.data).toEqual({ count: 'three' })
    await turns()
    expect(logger.of('warn').length - before).toBe(structured ? 1 : 0)
  })

  it('asks the person with a form, and gets what was answered', async () => {
    const requests: ElicitRequest[] = []
    for (const [answer, expected] of [
      [accept({ name: 'Ada' }), { action: 'accept', content: { name: 'Ada', age: 42 } }],
      [decline(), { action: 'decline' }],
      [cancel(), { action: 'cancel' }],
      [undefined, { action: 'cancel' }],
    ] as const) {
      person = (request) => {
        requests.push(request)
        return answer
      }
      const result = await client.callTool('ask')
      if (elicits) expect(result.data).toEqual(expected)
      else expect(result.isError).toBe(true)
    }
    expect(requests).toHaveLength(elicits ? 4 : 0)
    for (const request of requests)
      expect(request).toMatchObject({ mode: 'form', message: 'Who are you?', requestedSchema: { required: ['name'] } })
  })

  it('asks several questions in one call, one after the other and at once', async () => {
    if (!elicits) return
    let open = 0
    let most = 0
    person = async (request) => {
      most = Math.max(most, ++open)
      await turns(2)
      open--
      return accept(request.message === 'Who are you?' ? { name: 'Bob' } : { sure: true })
    }
    expect((await client.callTool('ask', { confirm: 'then' })).data).toMatchObject({ action: 'accept', confirmed: true })
    expect(most).toBe(1)
    expect((await client.callTool('ask', { confirm: 'together' })).data).toMatchObject({ action: 'accept', confirmed: true })
  })

  it('sends the person to a page', async () => {
    const seen: ElicitRequest[] = []
    person = (request) => {
      seen.push(request)
      return accept()
    }
    const result = await client.callTool('visit')
    if (!since('2025-11-25')) {
      expect(result.isError).toBe(true)
      return
    }
    expect(result.data).toEqual({ action: 'accept' })
    expect(seen).toEqual([expect.objectContaining({ mode: 'url', url: expect.stringMatching(/^https:\/\/example\.com\/visit\//) })])
  })

  it('asks the model, and tells a refusal', async () => {
    const requests: CreateMessageRequest[] = []
    model = (request) => {
      requests.push(request)
      return 'short and sweet'
    }
    expect((await client.callTool('summarize', { text: 'a long text' })).text).toBe('short and sweet')
    expect(requests[0]).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Summarize: a long text' } }],
      systemPrompt: 'Answer in one sentence.',
      modelPreferences: { hints: [{ name: 'small' }], speedPriority: 0.8 },
      maxTokens: 100,
    })
    model = () => undefined
    const refused = client.callTool('summarize')
    if (modern) expect(await rejection(refused)).toMatchObject({ code: 'ERR_MCP_HANDLER', outcome: 'answered' })
    else expect(await refused).toMatchObject({ isError: true })
  })

  it('asks for the roots of the moment', async () => {
    expect((await client.callTool('workspace')).text).toBe('file:///home/me/project')
    client.roots = [{ uri: 'file:///a' }, { uri: 'file:///b' }]
    expect((await client.callTool('workspace')).text).toBe('file:///a\nfile:///b')
    client.roots = []
    expect((await client.callTool('workspace')).text).toBe('no roots')
  })

  it('stops a call that is cancelled', async () => {
    const controller = new AbortController()
    const call = rejection(client.callTool('slow', { steps: 100, delayMs: 50 }, { signal: controller.signal }))
    const before = sent('notifications/cancelled').length
    await until(() => sent('tools/call').some((message) => (message.params as { name: string }).name === 'slow'))
    await turns()
    controller.abort('enough')
    expect(await call).toBe('enough')
    await turns()
    // In the modern era over HTTP the closed reply says it.
    expect(sent('notifications/cancelled').length - before).toBe(modern && kind.startsWith('http') ? 0 : 1)
    expect((await client.callTool('echo', { message: 'on' })).text).toBe('on')
  })

  it('ends a call at its deadline and goes on', async () => {
    const error = await rejection(client.callTool('slow', { steps: 100, delayMs: 100 }, { timeoutMs: 60 }))
    expect(error).toMatchObject({ code: 'ERR_MCP_TIMEOUT', outcome: 'unknown', timeoutMs: 60, server: 'the demo' })
    expect((await client.callTool('echo', { message: 'on' })).text).toBe('on')
  })

  it('lets a call wait for the person longer than its deadline', async () => {
    if (!elicits) return
    person = () => new Promise((resolve) => setTimeout(() => resolve(accept({ name: 'slow' })), 400))
    const result = await client.callTool('ask', {}, { timeoutMs: 300 })
    expect(result.data).toMatchObject({ action: 'accept' })
  })

  it('sends log messages of the level that is wanted', async () => {
    const lines: unknown[] = []
    const stop = client.on('log', (line) => lines.push(line))
    await client.setLogLevel('error')
    await client.callTool('log', { level: 'info' })
    await client.callTool('log', { level: 'critical' })
    await client.setLogLevel('debug')
    await client.callTool('log', { level: 'info' })
    stop()
    const expected = ['critical', 'critical', 'info', 'info']
    if (kind !== 'http-json') expect(lines.map((line) => (line as { level: string }).level)).toEqual(expected)
    else if (modern) expect(lines).toEqual([])
  })

  it('streams the lines of the log that the wire ties to the call', async () => {
    await client.setLogLevel('debug')
    const others: string[] = []
    const stop = client.on('log', ({ level }) => others.push(level))
    const events: ToolEvent[] = []
    for await (const event of client.callToolStream('log', { level: 'warning' })) events.push(event)
    stop()
    const lines = ['a message of level warning', { level: 'warning', about: 'an object' }]
    const expected = lines.map((data) => ({ type: 'log', level: 'warning', logger: 'demo', data }))
    expect(events.slice(0, -1)).toEqual(kind === 'http-sse' ? expected : [])
    expect(events.at(-1)).toMatchObject({ type: 'result', result: { text: 'logged at warning' } })
    if (kind !== 'http-json') expect(others).toEqual(['warning', 'warning'])
  })

  it('runs several calls at once, and tells what became of each', async () => {
    const results = await client.callTools([{ name: 'echo', args: { message: 'a' } }, { name: 'fail' }, { name: 'nobody' }], {
      concurrency: 2,
    })
    expect(results.map((each) => (each.status === 'fulfilled' ? each.value.text : each.status))).toEqual([
      'a',
      'this tool always fails',
      'rejected',
    ])
  })

  it('has its data typed and parsed by a schema of the caller', async () => {
    const { data } = await client.callTool('add', { a: 1, b: 2 }, { output: z.object({ sum: z.number().transform((sum) => sum * 10) }) })
    expect(data.sum).toBe(30)
    expect(await rejection(client.callTool('add', { a: 1, b: 2 }, { output: z.object({ total: z.number() }) }))).toMatchObject({
      code: 'ERR_MCP_VALIDATION',
      issues: [{ path: '/total' }],
    })
  })

  it('carries metadata of the caller, from the option and from among the arguments', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await client.callTool('echo', { message: 'm', _meta: { traceparent } }, { meta: { 'com.example/x': 1 } })
    const last = sent('tools/call').at(-1)?.params as { arguments: object; _meta: object }
    expect(last.arguments).toEqual({ message: 'm' })
    expect(last._meta).toMatchObject({ traceparent, 'com.example/x': 1 })
  })

  it('completes what is typed', async () => {
    const ask = { prompt: 'greet', argument: 'name', value: 'A', context: { lang: 'en' } }
    expect((await client.complete(ask)).values).toEqual(since('2025-06-18') ? ['Ada', 'Alan'] : ['Ada', 'Alan', 'Anna', 'Agnès'])
    const items = await client.complete({ template: 'demo://item/{id}', argument: 'id', value: '' })
    expect(items.values).toHaveLength(100)
    expect(items.hasMore).toBe(items.total !== 100)
  })

  it('keeps lists and contents as long as the server says, and asks for a list once for all', async () => {
    client.clearCache()
    const count = () => sent('resources/list').length + sent('resources/read').length
    const before = count()
    await Promise.all([client.listResources(), client.listResources()])
    expect(count() - before).toBe(1)
    await client.listResources()
    await client.readResource('demo://text')
    await client.readResource({ template: 'demo://{name}', variables: { name: 'text' } })
    expect(count() - before).toBe(modern ? 2 : 4)
    await client.listResources({ cache: 'refresh' })
    await client.readResource('demo://clock')
    await client.readResource('demo://clock')
    expect(count() - before).toBe(modern ? 5 : 7)
  })

  it('gives prompts', async () => {
    expect((await client.listPrompts()).map(({ name }) => name)).toEqual(['greet'])
    expect(await client.getPrompt('greet', { name: 'Ada', lang: 'fr' })).toMatchObject({
      description: 'A greeting',
      messages: [{ role: 'user', content: { type: 'text', text: 'Bonjour, Ada!' } }],
    })
    expect(await rejection(client.getPrompt('greet', {}))).toMatchObject({ rpcCode: -32602 })
    expect(await rejection(client.getPrompt('nobody'))).toMatchObject({ rpcCode: -32602 })
  })

  it('gives resources, listed and not', async () => {
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual(['demo://text', 'demo://image', 'demo://clock'])
    expect((await client.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate)).toEqual(['demo://item/{id}'])
    expect(await client.readResource('demo://text')).toMatchObject([
      { uri: 'demo://text', text: expect.stringContaining('quick brown fox') },
    ])
    const [image] = await client.readResource('demo://image')
    expect(image !== undefined && 'blob' in image && Buffer.from(bytesOf(image)).subarray(1, 4).toString()).toBe('PNG')
    expect(await client.readResource('demo://item/7')).toMatchObject([{ text: '{"id":7,"even":false}' }])
    const missing = await rejection(client.readResource('demo://nothing'))
    expect(missing).toMatchObject({ rpcCode: modern ? -32602 : -32002, outcome: 'answered' })
  })

  it('is there', async () => {
    expect(await client.ping()).toBeUndefined()
  })

  it('tells of changed lists where the revision tells unasked', async () => {
    if (modern || kind === 'stdio') return
    const seen: string[] = []
    const stops = [client.on('toolsChanged', () => seen.push('tools')), client.on('promptsChanged', () => seen.push('prompts'))]
    server.announce('tools')
    server.announce('prompts')
    await until(() => seen.length === 2, 'the changes')
    expect(seen).toEqual(['tools', 'prompts'])
    for (const stop of stops) stop()
  })

  it('was sent only what the specification has', ({ skip }) => {
    if (schemasMissing !== undefined) skip(schemasMissing)
    const ofRevision = clientSchema(revision)
    const ofProbe = clientSchema('2026-07-28')
    const asked = new Map<unknown, string>()
    const problems: string[] = []
    let checked = 0
    for (const { direction, message } of crossed) {
      if (direction === 'received') {
        if (typeof message.method === 'string' && message.id !== undefined) asked.set(message.id, message.method)
        continue
      }
      // The test's own method is in no revision.
      if (message.method === 'no/such/method') continue
      const check = message.method === 'server/discover' ? ofProbe : ofRevision
      checked++
      for (const problem of check(message, asked.get(message.id))) problems.push(`${problem} in ${JSON.stringify(message).slice(0, 500)}`)
    }
    expect(problems).toEqual([])
    expect(checked).toBeGreaterThan(60)
  })

  it('never had an id twice, and never an answer in the modern era', () => {
    const ids = crossed
      .filter(({ direction, message }) => direction === 'sent' && message.method !== undefined && message.id !== undefined)
      .map(({ message }) => message.id)
    expect(new Set(ids).size).toBe(ids.length)
    const answers = crossed.filter(({ direction, message }) => direction === 'sent' && message.method === undefined)
    if (modern) expect(answers).toEqual([])
    else expect(answers.length).toBeGreaterThan(0)
  })

  it('closes, and takes no more calls', async () => {
    await client.close()
    expect(client.state).toBe('closed')
    expect(await rejection(client.callTool('echo', { message: 'late' }))).toMatchObject({ code: 'ERR_MCP_CONNECTION', outcome: 'not-run' })
  })
})
