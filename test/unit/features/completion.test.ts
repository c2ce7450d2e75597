import { describe, expect, it } from 'vitest'
import { ProtocolError, UnsupportedError } from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { ERAS, legacyServer, modernServer, paramsOf } from '../../support/fake-server.ts'
import { rejection } from '../../support/settled.ts'

const CAPABLE = { capabilities: { completions: {} } }
const METHOD = 'completion/complete'
const answering = (completion: unknown) => ({ [METHOD]: () => ({ completion }) })
const sent = (message: ReturnType<typeof paramsOf>) => {
  const { _meta, ...params } = message
  return params
}

describe.each(ERAS)('completing, %s era', (_era, server) => {
  it('an argument of a prompt and a variable of a template, with what was answered before', async () => {
    const fake = server(answering({ values: ['Ada', 'Alan'], total: 2, hasMore: false }), CAPABLE)
    const client = await connected(fake)
    const prompt = { prompt: 'greet', argument: 'name', value: 'A', context: { lang: 'en' } }
    expect(await client.complete(prompt)).toEqual({ values: ['Ada', 'Alan'], total: 2, hasMore: false })
    await client.complete({ template: 'repo://{owner}/{name}', argument: 'name', value: '' })
    expect(fake.calls(METHOD).map((message) => sent(paramsOf(message)))).toEqual([
      { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: 'A' }, context: { arguments: { lang: 'en' } } },
      { ref: { type: 'ref/resource', uri: 'repo://{owner}/{name}' }, argument: { name: 'name', value: '' } },
    ])
  })

  it.each([
    [{ values: [] }, { values: [] }],
    [{ values: ['a', 5, null, 'b'] }, { values: ['a', 'b'] }],
    [{ values: ['a'], total: null, hasMore: null }, { values: ['a'] }],
    [
      { values: ['a'], total: 0, hasMore: true, other: 1 },
      { values: ['a'], total: 0, hasMore: true },
    ],
  ])('gives what is usable of %j', async (completion, expected) => {
    const client = await connected(server(answering(completion), CAPABLE))
    expect(await client.complete({ prompt: 'p', argument: 'a', value: '' })).toEqual(expected)
  })

  it.each([100, 101, 5_000])('takes 100 of %i values, and says when there are more', async (count) => {
    const values = Array.from({ length: count }, (_, i) => `v${i}`)
    const client = await connected(server(answering({ values, hasMore: false }), CAPABLE))
    const completion = await client.complete({ prompt: 'p', argument: 'a', value: '' })
    expect(completion).toEqual({ values: values.slice(0, 100), hasMore: count > 100 })
  })

  it.each([[undefined], [null], [{}], [{ values: null }], [{ values: 'a' }], [[]]])(
    'is a ProtocolError when it brings %j',
    async (completion) => {
      const client = await connected(server(answering(completion), CAPABLE))
      const error = await rejection(client.complete({ prompt: 'p', argument: 'a', value: '' }))
      expect(error).toBeInstanceOf(ProtocolError)
      expect(error).toMatchObject({ method: METHOD, outcome: 'answered', server: 'fake' })
    },
  )

  it('is not asked of a server that does not declare it', async () => {
    const fake = server(answering({ values: [] }))
    const client = await connected(fake)
    const error = await rejection(client.complete({ prompt: 'p', argument: 'a', value: '' }))
    expect(error).toBeInstanceOf(UnsupportedError)
    expect(error).toMatchObject({ server: 'fake', method: METHOD })
    expect(fake.calls(METHOD)).toEqual([])
  })
})

describe('completing', () => {
  it.each([
    ['2024-11-05', false, false],
    ['2025-03-26', true, false],
    ['2025-06-18', true, true],
    ['2025-11-25', true, true],
  ])('in %s needs the capability: %s, and tells earlier answers: %s', async (version, needs, tells) => {
    const bare = legacyServer(answering({ values: [] }), { version, capabilities: {} })
    const client = await connected(bare)
    const request = { prompt: 'p', argument: 'a', value: '', context: { x: 'y' } }
    if (needs) expect(await rejection(client.complete(request))).toBeInstanceOf(UnsupportedError)
    else expect(await client.complete(request)).toEqual({ values: [] })
    const capable = legacyServer(answering({ values: [] }), { version, ...CAPABLE })
    await (await connected(capable)).complete(request)
    expect('context' in paramsOf(capable.calls(METHOD)[0])).toBe(tells)
  })

  it.each([
    [{ argument: 'a', value: '' }],
    [{ prompt: 'p', template: 't', argument: 'a', value: '' }],
    [{ prompt: 5, argument: 'a', value: '' }],
    [{ prompt: 'p', value: '' }],
    [{ prompt: 'p', argument: 'a' }],
    [{ prompt: 'p', argument: 'a', value: 5 }],
    [{ prompt: 'p', argument: 'a', value: '', context: { x: 5 } }],
    [{ prompt: 'p', argument: 'a', value: '', context: null }],
  ])('of %j is a TypeError with nothing sent', async (request) => {
    const fake = modernServer(answering({ values: [] }), CAPABLE)
    const client = await connected(fake)
    expect(await rejection(client.complete(request as never))).toBeInstanceOf(TypeError)
    expect(fake.calls(METHOD)).toEqual([])
  })
})
