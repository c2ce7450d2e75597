import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ElicitAnswer, TimeoutError } from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { legacyServer, type Message, modernServer, ServerError, SILENCE, TEXT_RESULT } from '../../support/fake-server.ts'
import { recordingLogger } from '../../support/loggers.ts'
import { ownStreams } from '../../support/own-streams.ts'
import { rejection, turns } from '../../support/settled.ts'

const tool = (name: string, property: object): Message => ({ name, inputSchema: { type: 'object', properties: { region: property } } })

describe('where each exchange has a stream of its own, in the modern era', () => {
  it('headers repeat version, method, name and the arguments that a listed tool designates', async () => {
    const fake = modernServer({
      'tools/list': () => ({ tools: [tool('x', { type: 'string', 'x-mcp-header': 'Region' })] }),
      'tools/call': () => TEXT_RESULT,
      'resources/read': () => ({ contents: [] }),
    })
    const { transport, options } = ownStreams(fake)
    const client = await connected(transport)
    await client.callTool('x', { region: 'eu' })
    await client.listTools()
    await client.callTool('x', { region: 'eu' }, { headers: { 'x-tenant': 'a', 'mcp-name': 'forged' } })
    await client.callTool('x', { region: null })
    await client.readResource('file:///ü')
    const headers = (method: string): unknown[] => fake.calls(method).map(({ id }) => options.get(id)?.headers)
    expect(headers('server/discover')).toEqual([{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' }])
    expect(headers('tools/call')).toEqual([
      { 'mcp-method': 'tools/call', 'mcp-name': 'x' },
      { 'mcp-method': 'tools/call', 'mcp-name': 'x', 'mcp-param-region': 'eu', 'x-tenant': 'a' },
      { 'mcp-method': 'tools/call', 'mcp-name': 'x' },
    ])
    expect(headers('resources/read')).toEqual([{ 'mcp-method': 'resources/read', 'mcp-name': '=?base64?ZmlsZTovLy/DvA==?=' }])
    for (const each of options.values()) expect(each?.resumable ?? false).toBe(false)
  })

  it('a tool with an invalid header is left out with its name and the reason; the others stay, and paging goes on', async () => {
    const logger = recordingLogger()
    const fake = modernServer({
      'tools/list': ({ params }) =>
        params.cursor === undefined
          ? {
              tools: [tool('good', { type: 'string', 'x-mcp-header': 'A' }), tool('bad', { type: 'number', 'x-mcp-header': 'A' })],
              nextCursor: 'b',
            }
          : { tools: [tool('empty', { type: 'string', 'x-mcp-header': '' }), tool('last', { type: 'string' })] },
      'tools/call': () => TEXT_RESULT,
    })
    const { transport, options } = ownStreams(fake)
    const client = await connected(transport, { logger })
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['good', 'last'])
    expect(logger.of('warn')).toEqual([expect.stringMatching(/"bad".*number|"bad".*x-mcp-header/), expect.stringMatching(/"empty"/)])
    await client.callTool('bad', { region: 1 })
    expect(options.get(fake.calls('tools/call')[0]?.id)?.headers).toEqual({ 'mcp-method': 'tools/call', 'mcp-name': 'bad' })
  })

  it('the same tools are all offered on a shared channel', async () => {
    const fake = modernServer({ 'tools/list': () => ({ tools: [tool('bad', { type: 'number', 'x-mcp-header': 'A' })] }) })
    expect((await (await connected(fake)).listTools()).map(({ name }) => name)).toEqual(['bad'])
  })

  it('an integer that no header can carry is a TypeError with nothing sent', async () => {
    const fake = modernServer({
      'tools/list': () => ({ tools: [tool('x', { type: 'integer', 'x-mcp-header': 'A' })] }),
      'tools/call': () => TEXT_RESULT,
    })
    const client = await connected(ownStreams(fake).transport)
    await client.listTools()
    expect(await rejection(client.callTool('x', { region: 2 ** 60 }))).toBeInstanceOf(TypeError)
    expect(fake.calls('tools/call')).toEqual([])
    expect((await client.callTool('x', { region: 7 })).text).toBe('done')
  })

  it('refused headers are built anew from a fresh list, once', async () => {
    let header = 'Old'
    const fake = modernServer({
      'tools/list': () => ({ tools: [tool('x', { type: 'string', 'x-mcp-header': header })] }),
      'tools/call': ({ id }) => {
        if (options.get(id)?.headers?.['mcp-param-new'] === 'eu') return TEXT_RESULT
        throw new ServerError(-32020, 'Mcp-Param-New is missing')
      },
    })
    const { transport, options } = ownStreams(fake)
    const client = await connected(transport)
    await client.listTools()
    header = 'New'
    expect((await client.callTool('x', { region: 'eu' })).text).toBe('done')
    expect(fake.calls('tools/list')).toHaveLength(2)
    expect(fake.calls('tools/call')).toHaveLength(2)
  })

  it('giving up closes the stream and sends no message', async () => {
    const fake = modernServer({ 'tools/call': () => SILENCE })
    const { transport, abandoned } = ownStreams(fake)
    const client = await connected(transport)
    const controller = new AbortController()
    const call = rejection(client.callTool('x', {}, { signal: controller.signal }))
    await turns()
    controller.abort('enough')
    expect(await call).toBe('enough')
    await turns()
    expect(abandoned).toEqual([fake.calls('tools/call')[0]?.id])
    expect(fake.calls('notifications/cancelled')).toEqual([])
  })
})

describe('where each exchange has a stream of its own, in the legacy era', () => {
  it('giving up tells the server, since a closed stream does not', async () => {
    const fake = legacyServer({ 'tools/call': () => SILENCE })
    const { transport, abandoned } = ownStreams(fake)
    const client = await connected(transport)
    const controller = new AbortController()
    const call = rejection(client.callTool('x', {}, { signal: controller.signal }))
    await turns()
    controller.abort('enough')
    expect(await call).toBe('enough')
    await turns()
    expect(fake.calls('notifications/cancelled')).toHaveLength(1)
    expect(abandoned).toHaveLength(1)
  })

  it.each([
    ['a server that tells of changes', { tools: { listChanged: true } }, {}, 1],
    ['a server whose resources can be watched', { resources: { subscribe: true } }, {}, 1],
    ['a client that answers questions', {}, { handlers: { sampling: () => 'x' } }, 1],
    ['neither', { tools: {} }, {}, 0],
  ])('the stream of the server is opened for %s', async (_what, capabilities, options, expected) => {
    const { transport, listens } = ownStreams(legacyServer({}, { capabilities }))
    await connected(transport, options)
    expect(Math.min(listens(), 1)).toBe(expected)
  })

  describe('and a handler answers', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
    })
    afterEach(() => {
      vi.useRealTimers()
    })

    it.each([
      ['on the stream of one call: its clock stands still, and no other', true],
      ['on the stream of the server: every clock of the link stands still', false],
    ])('%s', async (_what, own) => {
      let answer = (): void => {}
      const fake = legacyServer({
        'tools/call': ({ id, params, send }) => {
          if (params.name === 'ask') {
            send({
              jsonrpc: '2.0',
              id: 'q',
              method: 'elicitation/create',
              params: { message: 'm', requestedSchema: { type: 'object' } },
              ...(own && { during: id }),
            })
          }
          return SILENCE
        },
      })
      const client = await connected(ownStreams(fake).transport, {
        handlers: {
          elicitation: () =>
            new Promise<ElicitAnswer>((resolve) => {
              answer = () => resolve({ action: 'decline' })
            }),
        },
      })
      const ended: string[] = []
      const watch = async (name: string): Promise<void> => {
        expect(await rejection(client.callTool(name, {}, { timeoutMs: 1_000 }))).toBeInstanceOf(TimeoutError)
        ended.push(name)
      }
      const calls = [watch('ask'), watch('other')]
      await turns()
      await vi.advanceTimersByTimeAsync(5_000)
      await turns()
      expect(ended).toEqual(own ? ['other'] : [])
      answer()
      await turns()
      await vi.advanceTimersByTimeAsync(1_100)
      await Promise.all(calls)
      expect(ended.sort()).toEqual(['ask', 'other'])
    })
  })
})
