import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { McpError, type ToolResult } from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { type Ask, ERAS, legacyServer, type Message, ServerError, SILENCE } from '../../support/fake-server.ts'
import { rejection, turns, until } from '../../support/settled.ts'

const named = ({ params }: Ask): object => ({ content: [{ type: 'text', text: params.name }] })
const numbered = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `t${i}` }))
const texts = (results: readonly PromiseSettledResult<ToolResult>[]): unknown[] =>
  results.map((each) => (each.status === 'fulfilled' ? each.value.text : each.reason))

/** A server whose calls wait until they are told to end, in any order. */
function held(): { server: ReturnType<typeof legacyServer>; waiting: Map<string, (result: unknown) => void> } {
  const waiting = new Map<string, (result: unknown) => void>()
  const server = legacyServer({
    'tools/call': ({ params }) => new Promise((resolve) => waiting.set(params.name as string, resolve)),
  })
  return { server, waiting }
}

describe.each(ERAS)('several calls, %s era', (_era, server) => {
  it('give what became of each, in their order', async () => {
    const fake = server({
      'tools/call': async (ask) => {
        if (ask.params.name === 'slow') await turns(5)
        if (ask.params.name === 'refused') throw new ServerError(-5, 'no')
        return ask.params.name === 'failed' ? { ...named(ask), isError: true } : named(ask)
      },
    })
    const client = await connected(fake)
    const results = await client.callTools([
      { name: 'slow', args: { a: 1 } },
      { name: 'refused' },
      { name: 'failed' },
      { name: 'fast', args: { b: 2 } },
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(results[0]).toMatchObject({ value: { text: 'slow' } })
    expect(results[1]).toMatchObject({ reason: { rpcCode: -5 } })
    expect(results[2]).toMatchObject({ value: { isError: true } })
    expect(fake.calls('tools/call').map(({ params }) => (params as Message).arguments)).toEqual([{ a: 1 }, {}, {}, { b: 2 }])
  })

  it('of nothing are nothing', async () => {
    const fake = server({})
    expect(await (await connected(fake)).callTools([])).toEqual([])
    expect(fake.calls('tools/call')).toEqual([])
  })

  it('have options of their own over those of all', async () => {
    const fake = server({ 'tools/call': (ask) => ({ ...named(ask), isError: true }) })
    const client = await connected(fake)
    const results = await client.callTools([{ name: 'a' }, { name: 'b', throwOnToolError: false, meta: { 'x.y/z': 2 } }], {
      throwOnToolError: true,
      meta: { 'x.y/z': 1 },
    })
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect(fake.calls('tools/call').map(({ params }) => ((params as Message)._meta as Message)['x.y/z'])).toEqual([1, 2])
  })
})

describe('several calls', () => {
  it.each([
    [undefined, 8],
    [1, 1],
    [3, 3],
    [100, 20],
  ])('with concurrency %s run %i at once', async (concurrency, most) => {
    const { server, waiting } = held()
    const client = await connected(server)
    const all = client.callTools(numbered(20), concurrency === undefined ? {} : { concurrency })
    await until(() => waiting.size === most)
    await turns()
    expect(server.calls('tools/call')).toHaveLength(most)
    let seen = 0
    while (seen < 20) {
      const [name] = [...waiting.keys()].reverse()
      if (name === undefined) await turns(1)
      else {
        waiting.get(name)?.({ content: [{ type: 'text', text: name }] })
        waiting.delete(name)
        seen++
        await turns(1)
        expect(waiting.size).toBeLessThanOrEqual(most)
      }
    }
    expect(texts(await all)).toEqual(numbered(20).map(({ name }) => name))
  })

  it.each([
    ['an error', () => Promise.reject(new ServerError(-5, 'no'))],
    ['a failed tool', () => ({ content: [], isError: true })],
  ])('that stop on %s begin no further one, and let those end that run', async (_what, failing) => {
    let finish = (): void => {}
    const fake = legacyServer({
      'tools/call': (ask) => {
        if (ask.params.name === 't1') return failing()
        return new Promise((resolve) => {
          finish = () => resolve(named(ask))
        })
      },
    })
    const client = await connected(fake)
    const all = client.callTools(numbered(5), { concurrency: 2, stopOnError: true })
    await until(() => fake.calls('tools/call').length === 2)
    await turns()
    finish()
    const results = await all
    expect(results[0]).toMatchObject({ status: 'fulfilled', value: { text: 't0' } })
    for (const [index, result] of results.entries()) {
      if (index < 2) continue
      expect(result.status).toBe('rejected')
      const { reason } = result as PromiseRejectedResult
      expect(reason).toBeInstanceOf(McpError)
      expect(reason).toMatchObject({ outcome: 'not-run', server: 'fake', method: 'tools/call' })
      expect(reason.message).toContain(`"t${index}"`)
      expect(reason.message).toContain('"t1" failed')
    }
    expect(fake.calls('tools/call')).toHaveLength(2)
  })

  it('end by the signal of the caller: what runs and what waits', async () => {
    const fake = legacyServer({ 'tools/call': () => SILENCE })
    const client = await connected(fake)
    const controller = new AbortController()
    const all = client.callTools(numbered(5), { concurrency: 2, signal: controller.signal })
    await until(() => fake.calls('tools/call').length === 2)
    controller.abort('enough')
    expect(await all).toEqual(Array.from({ length: 5 }, () => ({ status: 'rejected', reason: 'enough' })))
    expect(fake.calls('tools/call')).toHaveLength(2)
  })

  it.each([[{}], [null], ['x'], [[{}]], [[null]], [[{ name: 'good' }, { name: '' }]], [[{ name: 5 }]]])(
    'that are none are a TypeError with nothing sent: %j',
    async (calls) => {
      const fake = legacyServer({ 'tools/call': named })
      const client = await connected(fake)
      expect(await rejection(client.callTools(calls as never))).toBeInstanceOf(TypeError)
      expect(fake.calls('tools/call')).toEqual([])
    },
  )

  it.each([[0], [-1], [1.5], [Number.NaN], ['8']])('with concurrency %j are a TypeError', async (concurrency) => {
    const client = await connected(legacyServer())
    expect(await rejection(client.callTools([], { concurrency: concurrency as never }))).toBeInstanceOf(TypeError)
  })

  it('have each the type of their own schema', async () => {
    const client = await connected(legacyServer({ 'tools/call': () => ({ content: [], structuredContent: { n: 1 } }) }))
    const [typed, untyped] = await client.callTools([{ name: 'a', output: z.object({ n: z.number() }) }, { name: 'b' }])
    expectTypeOf(typed).toEqualTypeOf<PromiseSettledResult<ToolResult<{ n: number }>>>()
    expectTypeOf(untyped).toEqualTypeOf<PromiseSettledResult<ToolResult<unknown>>>()
    expect(typed.status === 'fulfilled' && typed.value.data.n).toBe(1)
  })
})
