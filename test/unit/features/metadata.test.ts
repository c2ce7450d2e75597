import { describe, expect, it } from 'vitest'
import { connected } from '../../support/connected.ts'
import { ERAS, type Message, paramsOf, TEXT_RESULT } from '../../support/fake-server.ts'
import { rejection } from '../../support/settled.ts'

const RESERVED = 'io.modelcontextprotocol/'
const TRACE = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: 'a=1,b=2', baggage: 'k=v' }

/** `_meta` of a request, without what every request of the modern era carries. */
const metaOf = (message: Message | undefined): unknown =>
  Object.fromEntries(Object.entries(paramsOf(message)._meta ?? {}).filter(([key]) => !key.startsWith(RESERVED)))

describe.each(ERAS)('metadata of requests, %s era', (era, server) => {
  const methods = {
    'tools/list': () => ({
      tools: [
        { name: 'plain', inputSchema: { type: 'object', properties: { a: {} }, required: ['a'], additionalProperties: false } },
        { name: 'takes', inputSchema: { type: 'object', properties: { _meta: { type: 'object' } }, required: ['_meta'] } },
      ],
    }),
    'tools/call': () => TEXT_RESULT,
    'prompts/get': () => ({ messages: [] }),
  }

  it.each([false, true])('moves out of the arguments of a tool; the option wins key by key (tools listed before: %s)', async (listed) => {
    const fake = server(methods)
    const client = await connected(fake, { validateArguments: 'full' })
    if (listed) await client.listTools()
    const args = { a: 1, _meta: { 'x.y/a': 1, 'x.y/b': 1 } }
    await client.callTool('plain', args, { meta: { 'x.y/b': 2, 'x.y/c': 2 } })
    const [call] = fake.calls('tools/call')
    expect(paramsOf(call).arguments).toEqual({ a: 1 })
    expect(metaOf(call)).toEqual({ 'x.y/a': 1, 'x.y/b': 2, 'x.y/c': 2 })
    expect(args).toEqual({ a: 1, _meta: { 'x.y/a': 1, 'x.y/b': 1 } })
  })

  it('stays an argument of a tool that takes one of this name', async () => {
    const fake = server(methods)
    const client = await connected(fake)
    await client.listTools()
    await client.callTool('takes', { _meta: { a: 1 } })
    const [call] = fake.calls('tools/call')
    expect(paramsOf(call).arguments).toEqual({ _meta: { a: 1 } })
    expect(metaOf(call)).toEqual({})
  })

  it('that is no object stays where it is', async () => {
    const fake = server(methods)
    await (await connected(fake)).callTool('x', { _meta: 'text' })
    expect(paramsOf(fake.calls('tools/call')[0]).arguments).toEqual({ _meta: 'text' })
  })

  it('moves out of the arguments of a prompt', async () => {
    const fake = server(methods)
    const args: Record<string, unknown> = { name: 'A', _meta: { 'x.y/a': 1 } }
    await (await connected(fake)).getPrompt('greet', args as Record<string, string>, { meta: TRACE })
    const [get] = fake.calls('prompts/get')
    expect(paramsOf(get).arguments).toEqual({ name: 'A' })
    expect(metaOf(get)).toEqual({ 'x.y/a': 1, ...TRACE })
  })

  it('has keys that messages may carry, also among arguments', async () => {
    const fake = server(methods)
    const client = await connected(fake)
    expect(await rejection(client.callTool('x', { _meta: { 'no key!': 1 } }))).toBeInstanceOf(TypeError)
    expect(fake.calls('tools/call')).toEqual([])
  })

  it('carries a trace as it is', async () => {
    const fake = server(methods)
    await (await connected(fake)).callTool(
      'x',
      { _meta: { traceparent: TRACE.traceparent } },
      { meta: { tracestate: TRACE.tracestate, baggage: TRACE.baggage } },
    )
    expect(metaOf(fake.calls('tools/call')[0])).toEqual(TRACE)
  })

  it('in raw parameters stays, under that of the option and under what is reserved', async () => {
    const fake = server({ 'vendor/x': () => ({}) })
    const client = await connected(fake)
    const forged = { [`${RESERVED}protocolVersion`]: '1999-01-01' }
    await client.request('vendor/x', { p: 1, _meta: { traceparent: 'raw', 'x.y/a': 1, ...forged } }, { meta: { 'x.y/a': 2 } })
    await client.request('vendor/x', { _meta: { 'x.y/a': 1 } })
    await client.request('vendor/x', { _meta: 5 })
    const [first, second, third] = fake.calls('vendor/x')
    expect(metaOf(first)).toEqual({ traceparent: 'raw', 'x.y/a': 2 })
    expect(metaOf(second)).toEqual({ 'x.y/a': 1 })
    const version = (paramsOf(first)._meta as Message)[`${RESERVED}protocolVersion`]
    if (era === 'modern') expect(version).toBe('2026-07-28')
    if (era === 'modern') expect(metaOf(third)).toEqual({})
  })

  it('is all that may be no text among the arguments of a prompt', async () => {
    const fake = server(methods)
    const client = await connected(fake)
    for (const value of [5, null, {}, true])
      expect(await rejection(client.getPrompt('greet', { name: value as never }))).toBeInstanceOf(TypeError)
    expect(fake.calls('prompts/get')).toEqual([])
    await client.getPrompt('greet', { name: 'A', lang: undefined as never })
    expect(paramsOf(fake.calls('prompts/get')[0]).arguments).toEqual({ name: 'A' })
  })
})
