import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type StandardSchema, ToolError, type ToolEvent, ToolResult, ValidationError } from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { ERAS, legacyServer, type Message, modernServer, ServerError } from '../../support/fake-server.ts'
import { recordingLogger } from '../../support/loggers.ts'
import { rejection, until } from '../../support/settled.ts'

const structured = (value: unknown): object => ({ content: [], structuredContent: value })
const text = (value: string): object => ({ content: [{ type: 'text', text: value }] })

const SCHEMAS: readonly (readonly [string, StandardSchema<{ rows: number; when: Date }>])[] = [
  ['Zod', z.object({ rows: z.number(), when: z.string().transform((text) => new Date(text)) })],
  [
    'Valibot',
    v.object({
      rows: v.number(),
      when: v.pipe(
        v.string(),
        v.transform((text) => new Date(text)),
      ),
    }),
  ],
  ['ArkType', type({ rows: 'number', when: type('string').pipe((text) => new Date(text)) })],
]

describe.each(ERAS)('data parsed by a schema of the caller, %s era', (_era, server) => {
  it.each(SCHEMAS)('is what %s makes of structured content, or of a single text', async (_name, output) => {
    const value = { rows: 3, when: '2026-01-02T00:00:00Z' }
    const client = await connected(
      server({ 'tools/call': ({ params }) => (params.name === 'text' ? text(JSON.stringify(value)) : structured(value)) }),
    )
    for (const name of ['structured', 'text']) {
      const { data } = await client.callTool(name, {}, { output })
      const rows: number = data.rows
      expect(rows).toBe(3)
      expect(data.when.getUTCFullYear()).toBe(2026)
    }
    const { raw, structuredContent } = await client.callTool('structured', {}, { output })
    expect(structuredContent).toEqual(value)
    expect(raw.structuredContent).toEqual(value)
  })

  it.each(SCHEMAS)('that does not fit is a ValidationError of %s with the place and the result', async (_name, output) => {
    const client = await connected(server({ 'tools/call': () => structured({ rows: 'three', when: 'x' }) }))
    const error = await rejection(client.callTool('x', {}, { output }))
    expect(error).toBeInstanceOf(ValidationError)
    expect(error).toMatchObject({
      reason: 'mismatch',
      outcome: 'answered',
      server: 'fake',
      method: 'tools/call',
      issues: [{ path: '/rows' }],
    })
    expect((error as Error).message).toContain('/rows')
    expect((error as ValidationError<ToolResult>).result?.data).toEqual({ rows: 'three', when: 'x' })
  })

  it('comes through handles and streams too', async () => {
    const tools = [{ name: 'x', inputSchema: { type: 'object' } }]
    const client = await connected(server({ 'tools/list': () => ({ tools }), 'tools/call': () => structured(['2', '3']) }))
    const output = z.array(z.coerce.number())
    const handle = await client.findTool('x')
    const numbers: number[] = (await handle.call({}, { output })).data
    expect(numbers).toEqual([2, 3])
    const events: ToolEvent<number[]>[] = []
    for await (const event of client.callToolStream('x', {}, { output })) events.push(event)
    expect(events.map((event) => event.type === 'result' && event.result.data)).toEqual([[2, 3]])
  })

  it('is not asked for of a failed tool, whose result comes without data', async () => {
    const failed = { ...structured({ rows: 1 }), isError: true }
    const client = await connected(server({ 'tools/call': () => failed }))
    let asked = 0
    const output = z.any().transform(() => ++asked)
    const result = await client.callTool('x', {}, { output })
    expect(result).toMatchObject({ isError: true, structuredContent: { rows: 1 } })
    expect(result.data).toBeUndefined()
    expect(await rejection(client.callTool('x', {}, { output, throwOnToolError: true }))).toBeInstanceOf(ToolError)
    expect(asked).toBe(0)
  })
})

describe('a schema of the caller', () => {
  const server = legacyServer({ 'tools/call': () => structured({ 'a/b': { '~': ['x'] } }) })
  const own = (validate: StandardSchema['~standard']['validate']): StandardSchema => ({
    '~standard': { version: 1, vendor: 'own', validate },
  })

  it.each([[5], [null], ['schema'], [{}], [{ '~standard': null }], [{ '~standard': {} }], [() => true]])(
    'that is none is a TypeError with nothing sent: %j',
    async (output) => {
      const client = await connected(server)
      const before = server.received.length
      expect(await rejection(client.callTool('x', {}, { output: output as never }))).toBeInstanceOf(TypeError)
      expect(server.received).toHaveLength(before)
    },
  )

  it('may answer later', async () => {
    const client = await connected(server)
    expect((await client.callTool('x', {}, { output: own(async () => ({ value: 'later' })) })).data).toBe('later')
  })

  it('that throws does not lose the result', async () => {
    const client = await connected(server)
    const broken = new Error('broken')
    for (const validate of [
      () => {
        throw broken
      },
      () => Promise.reject(broken),
    ]) {
      const error = await rejection(client.callTool('x', {}, { output: own(validate) }))
      expect(error).toMatchObject({ code: 'ERR_MCP_VALIDATION', reason: 'schema', cause: broken, outcome: 'answered' })
      expect((error as ValidationError<unknown>).result).toBeInstanceOf(ToolResult)
    }
  })

  it('names places as pointers, and quotes the server safely and briefly', async () => {
    const client = await connected(server)
    const issues = [
      { message: 'is \u001b[31mred', path: ['a/b', { key: '~' }, 0] },
      { message: 'x'.repeat(10_000) },
      ...Array.from({ length: 1_000 }, (_, i) => ({ message: `no ${i}` })),
    ]
    const error = (await rejection(client.callTool('x', {}, { output: own(() => ({ issues })) }))) as ValidationError
    expect(error.issues[0]?.path).toBe('/a~1b/~0/0')
    expect(error.message).not.toContain('\u001b')
    expect(error.message).toContain('994 more')
    expect(error.message.length).toBeLessThan(1_000)
    expect(error.issues).toHaveLength(8)
  })
})

describe.each(ERAS)('a tools/call as a raw request, %s era', (_era, server) => {
  const tools = [
    {
      name: 'count',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    },
  ]
  const params = { name: 'count', arguments: {} }

  it('has its result checked like that of callTool', async () => {
    const logger = recordingLogger()
    const methods = { 'tools/list': () => ({ tools }), 'tools/call': () => structured({ n: 'x' }) }
    const client = await connected(server(methods), { logger })
    expect(await client.request('tools/call', params)).toMatchObject({ structuredContent: { n: 'x' } })
    await until(() => logger.of('warn').length === 1)
    const strict = await connected(server(methods), { validate: 'strict' })
    const error = await rejection(strict.request('tools/call', params))
    expect(error).toMatchObject({ code: 'ERR_MCP_VALIDATION', reason: 'mismatch', outcome: 'answered' })
    expect((error as ValidationError<ToolResult>).result?.raw).toMatchObject({ structuredContent: { n: 'x' } })
  })

  it('gives what came: a good result, a failed one, and an error', async () => {
    const answers: Record<string, unknown> = { good: structured({ n: 1 }), failed: { ...text('no'), isError: true } }
    const client = await connected(
      server({
        'tools/list': () => ({ tools }),
        'tools/call': ({ params: { arguments: args } }) => {
          const answer = answers[(args as Message).want as string]
          if (answer === undefined) throw new ServerError(-32602, 'unknown')
          return answer
        },
      }),
      { validate: 'strict', throwOnToolError: true },
    )
    const ask = (want: string) => client.request('tools/call', { name: 'count', arguments: { want } })
    expect(await ask('good')).toMatchObject(answers.good as object)
    expect(await ask('failed')).toMatchObject(answers.failed as object)
    expect(await rejection(ask('nothing'))).toMatchObject({ code: 'ERR_MCP_RPC', rpcCode: -32602 })
  })

  it('is sent as it is, also without a name', async () => {
    const fake = server({ 'tools/call': () => text('done') })
    const client = await connected(fake)
    await client.request('tools/call', { name: 5, odd: true })
    await client.request('tools/call')
    expect(fake.calls('tools/call').map((message) => (message.params as Message | undefined)?.odd)).toEqual([true, undefined])
  })
})

describe('a result in strict', () => {
  it('is checked against the definition of its call also when the list changes meanwhile', async () => {
    const outputSchema = { type: 'object', required: ['n'] }
    let listed = 0
    const fake = modernServer({
      'tools/list': () => ({ tools: listed++ === 0 ? [{ name: 'x', inputSchema: {}, outputSchema }] : [] }),
      'tools/call': ({ send }) => {
        send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
        return { content: [] }
      },
    })
    const client = await connected(fake, { validate: 'strict' })
    expect(await rejection(client.callTool('x'))).toBeInstanceOf(ValidationError)
  })
})
