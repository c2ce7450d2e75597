import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { BasicTracerProvider, InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accept, type ConnectOptions } from '../../src/index.ts'
import { demoServer } from '../../src/testing/index.ts'
import { tracing } from '../../src/tracing/index.ts'
import { connected } from '../support/connected.ts'
import { legacyServer, type Message, modernServer, paramsOf, ServerError, SILENCE, TEXT_RESULT } from '../support/fake-server.ts'
import { rejection } from '../support/settled.ts'

const exporter = new InMemorySpanExporter()
const OURS = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', baggage: 'k=v;p, other = v2' }

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
})

afterAll(() => {
  trace.disable()
  context.disable()
})

beforeEach(() => {
  exporter.reset()
  propagation.disable()
  propagation.setGlobalPropagator(new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }))
})

const spans = (): readonly ReadableSpan[] => exporter.getFinishedSpans()
const traced: ConnectOptions = { interceptors: [tracing()] }
const parentOf = (span: ReadableSpan | undefined): string => `00-${span?.spanContext().traceId}-${span?.spanContext().spanId}-01`

function only(): ReadableSpan {
  const [span, ...more] = spans()
  expect(more).toEqual([])
  if (span === undefined) throw new Error('there is no span')
  return span
}

/** The `_meta` of a request that a fake server got. */
const metaOf = (message: Message | undefined): Message => (paramsOf(message)._meta ?? {}) as Message

describe.each(['2026-07-28', '2025-11-25'])('a traced client of %s', (era) => {
  it('makes a span of a call in memory, with what is known of it and nothing that it carries', async () => {
    const client = await connected(demoServer(), { ...traced, era })
    await client.callTool('echo', { message: 'a secret' })
    const span = only()
    expect(span.name).toBe('tools/call echo')
    expect(span.kind).toBe(SpanKind.CLIENT)
    expect(span.status).toEqual({ code: SpanStatusCode.UNSET })
    expect(span.attributes).toEqual({
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'echo',
      'mcp.protocol.version': era,
      'jsonrpc.request.id': expect.stringMatching(/^\d+$/),
    })
  })

  it('says over HTTP where the server is, and never the id of the session', async () => {
    const server = await demoServer().serveHttp()
    try {
      const client = await connected(`${server.url}?key=secret`, { ...traced, era })
      await client.callTool('echo', { message: 'm' })
      const { attributes } = only()
      expect(attributes).toMatchObject({
        'network.transport': 'tcp',
        'network.protocol.name': 'http',
        'server.address': new URL(server.url).hostname,
        'server.port': Number(new URL(server.url).port),
        'mcp.protocol.version': era,
      })
      expect(attributes).not.toHaveProperty('mcp.session.id')
      expect(JSON.stringify(attributes)).not.toContain('secret')
    } finally {
      await server.close()
    }
  })
})

describe('a span', () => {
  it('is one for a call of several legs, and carries the id of the newest', async () => {
    let asked: unknown
    const fake = modernServer({
      'tools/call': ({ id, params }) => {
        asked = id
        if (params.inputResponses !== undefined) return TEXT_RESULT
        const form = { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } }
        return { resultType: 'input_required', inputRequests: { who: { method: 'elicitation/create', params: form } } }
      },
    })
    const client = await connected(fake, { ...traced, handlers: { elicitation: () => accept({}) } })
    await client.callTool('ask')
    const legs = fake.calls('tools/call')
    expect(legs).toHaveLength(2)
    expect(only().attributes['jsonrpc.request.id']).toBe(String(asked))
    expect(legs.map((leg) => metaOf(leg).traceparent)).toEqual([parentOf(only()), parentOf(only())])
  })

  it('is a child of the active one, and is active while the call runs', async () => {
    let inside: string | undefined
    const client = await connected(demoServer(), {
      interceptors: [
        tracing(),
        (next) => (call) => {
          inside = trace.getActiveSpan()?.spanContext().spanId
          return next(call)
        },
      ],
    })
    await trace.getTracer('host').startActiveSpan('outer', async (outer) => {
      await client.callTool('echo', { message: 'm' })
      outer.end()
    })
    const [call, outer] = spans()
    expect(call?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId)
    expect(inside).toBe(call?.spanContext().spanId)
  })

  it.each([
    ['prompts/get', { name: 'greet' }, 'prompts/get greet', { 'gen_ai.prompt.name': 'greet' }],
    ['resources/read', { uri: 'x://me:pw@host/a?key=1#b' }, 'resources/read', { 'mcp.resource.uri': 'x://host/a' }],
    ['tools/list', {}, 'tools/list', {}],
  ])('of %s with %j has name and target', async (method, params, name, attributes) => {
    const client = await connected(modernServer({ [method]: () => TEXT_RESULT }), traced)
    await client.request(method, params)
    const span = only()
    expect(span.name).toBe(name)
    expect(span.attributes).toMatchObject({ 'mcp.method.name': method, ...attributes })
  })

  it('of a name that is long and no line has a name that is bounded and one line', async () => {
    const client = await connected(modernServer({ 'tools/call': () => TEXT_RESULT }), traced)
    await client.callTool(`a\n${'b'.repeat(1_000)}`)
    expect(only().name).toBe(`tools/call a\\n${'b'.repeat(254)}… (746 more characters)`)
  })

  it('of a tool that failed says so', async () => {
    const client = await connected(modernServer({ 'tools/call': () => ({ ...TEXT_RESULT, isError: true }) }), traced)
    await client.callTool('x')
    expect(only().attributes['error.type']).toBe('tool_error')
    expect(only().status).toEqual({ code: SpanStatusCode.ERROR, message: 'ERR_MCP_TOOL' })
  })

  it('of a refused request has the code of the answer and not its text', async () => {
    const refuse = (): never => {
      throw new ServerError(-32602, 'a secret')
    }
    const client = await connected(modernServer({ 'tools/call': refuse }), traced)
    await rejection(client.callTool('x'))
    const span = only()
    expect(span.attributes).toMatchObject({ 'error.type': '-32602', 'rpc.response.status_code': '-32602' })
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR, message: 'ERR_MCP_RPC' })
    expect(span.events).toEqual([])
  })

  it('of a call that is late or given up has the code of the error, or the name of the reason', async () => {
    const client = await connected(modernServer({ 'tools/call': () => SILENCE }), traced)
    await rejection(client.callTool('x', {}, { timeoutMs: 20 }))
    await rejection(client.callTool('x', {}, { signal: AbortSignal.timeout(20) }))
    const stop = new AbortController()
    const stopped = rejection(client.callTool('x', {}, { signal: stop.signal }))
    stop.abort('no error')
    await stopped
    expect(spans().map(({ attributes }) => attributes['error.type'])).toEqual(['ERR_MCP_TIMEOUT', 'TimeoutError', '_OTHER'])
    expect(spans().map(({ status }) => status.code)).toEqual([2, 2, 2])
  })
})

describe('the context of a span', () => {
  const answered = { 'tools/call': () => TEXT_RESULT, 'vendor/x': () => ({}) }

  it.each([modernServer(answered), legacyServer(answered)])('goes to the server in _meta, in the forms of W3C (%#)', async (fake) => {
    const client = await connected(fake, traced)
    const bag = propagation.createBaggage({ user: { value: 'Ada L' } })
    await context.with(propagation.setBaggage(context.active(), bag), () => client.callTool('x', {}, { meta: { 'x.y/a': 1 } }))
    expect(metaOf(fake.calls('tools/call').at(-1))).toMatchObject({ traceparent: parentOf(only()), baggage: 'user=Ada%20L', 'x.y/a': 1 })
  })

  it('leaves keys of the caller as they are, in the option, among arguments and in raw parameters', async () => {
    const fake = modernServer(answered)
    const client = await connected(fake, traced)
    await client.callTool('x', {}, { meta: OURS })
    await client.callTool('x', { _meta: OURS })
    await client.request('vendor/x', { _meta: OURS })
    for (const call of [...fake.calls('tools/call'), ...fake.calls('vendor/x')]) expect(metaOf(call)).toMatchObject(OURS)
    await client.callTool('x', {}, { meta: { tracestate: 'a=1' } })
    expect(metaOf(fake.calls('tools/call').at(-1))).not.toHaveProperty('traceparent')
    await client.callTool('x', {}, { meta: { traceparent: undefined } })
    expect(metaOf(fake.calls('tools/call').at(-1)).traceparent).toBe(parentOf(spans().at(-1)))
  })

  it('leaves out what a propagator writes that is not in the forms of W3C', async () => {
    propagation.disable()
    const writes = { traceparent: '00-xyz', tracestate: 'a=1', baggage: 'no pairs', b3: '0' }
    propagation.setGlobalPropagator({
      inject: (_context, carrier, setter) => Object.entries(writes).forEach(([key, value]) => void setter.set(carrier, key, value)),
      extract: (given) => given,
      fields: () => Object.keys(writes),
    })
    const fake = modernServer(answered)
    await (await connected(fake, traced)).callTool('x')
    const meta = metaOf(fake.calls('tools/call')[0])
    expect(meta).toMatchObject({ tracestate: 'a=1' })
    for (const key of ['traceparent', 'baggage', 'b3']) expect(meta).not.toHaveProperty(key)
  })

  it('is nowhere without a propagator', async () => {
    propagation.disable()
    const fake = modernServer(answered)
    await (await connected(fake, traced)).callTool('x')
    expect(metaOf(fake.calls('tools/call')[0])).not.toHaveProperty('traceparent')
  })
})
