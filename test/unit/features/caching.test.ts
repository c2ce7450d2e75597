import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Client } from '../../../src/index.ts'
import { child } from '../../support/child-servers.ts'
import { connected } from '../../support/connected.ts'
import {
  type Ask,
  ERAS,
  type FakeServer,
  legacyServer,
  modernServer,
  paramsOf,
  ServerError,
  TEXT_RESULT,
} from '../../support/fake-server.ts'
import { rejection, turns, until } from '../../support/settled.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

async function advance(ms: number): Promise<void> {
  await turns(3)
  await vi.advanceTimersByTimeAsync(ms)
  await turns(3)
}

const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more })
const notify = (method: string, params?: unknown) => ({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) })
const nameOf = ({ name }: { name: string }): string => name

const LISTS = [
  ['tools/list', 'tools', tool, 'notifications/tools/list_changed', (client: Client, options = {}) => client.listTools(options)],
  [
    'prompts/list',
    'prompts',
    (name: string) => ({ name }),
    'notifications/prompts/list_changed',
    (client: Client, options = {}) => client.listPrompts(options),
  ],
  [
    'resources/list',
    'resources',
    (name: string) => ({ name, uri: `a:${name}` }),
    'notifications/resources/list_changed',
    (client: Client, options = {}) => client.listResources(options),
  ],
  [
    'resources/templates/list',
    'resourceTemplates',
    (name: string) => ({ name, uriTemplate: `a:${name}` }),
    'notifications/resources/list_changed',
    (client: Client, options = {}) => client.listResourceTemplates(options),
  ],
] as const

/** A list whose only item is numbered by the request that it answers. */
function counted(method: string, key: string, item: (name: string) => object, more: object): FakeServer {
  let count = 0
  return modernServer({ [method]: () => ({ [key]: [item(`v${++count}`)], ...more }) })
}

describe.each(LISTS)('%s', (method, key, item, changed, list) => {
  const names = async (client: Client, options = {}): Promise<string[]> => (await list(client, options)).map(nameOf)

  it.each(['public', 'private', undefined])('is kept for as long as the server says, with scope %s', async (cacheScope) => {
    const fake = counted(method, key, item, { ttlMs: 5_000, ...(cacheScope !== undefined && { cacheScope }) })
    const client = await connected(fake)
    expect(await names(client)).toEqual(['v1'])
    await advance(4_999)
    expect(await names(client)).toEqual(['v1'])
    await advance(1)
    expect(await names(client)).toEqual(['v2'])
    expect(fake.calls(method)).toHaveLength(2)
  })

  it.each([[0], [-1], [-1e300], [null], ['5000'], [undefined], [{}], [true]])('is asked for each time when ttlMs is %j', async (ttlMs) => {
    const fake = counted(method, key, item, ttlMs === undefined ? {} : { ttlMs })
    const client = await connected(fake)
    expect(await names(client)).toEqual(['v1'])
    expect(await names(client)).toEqual(['v2'])
  })

  it('is asked for after a day, whatever the server says', async () => {
    const client = await connected(counted(method, key, item, { ttlMs: 1e300 }))
    expect(await names(client)).toEqual(['v1'])
    await advance(86_399_000)
    expect(await names(client)).toEqual(['v1'])
    await advance(1_000)
    expect(await names(client)).toEqual(['v2'])
  })

  it('may be kept for the fraction of a millisecond, and that is over at once', async () => {
    const client = await connected(counted(method, key, item, { ttlMs: 0.5 }))
    expect(await names(client)).toEqual(['v1'])
    await advance(1)
    expect(await names(client)).toEqual(['v2'])
  })

  it('is asked for each time in the legacy era, whatever the server says', async () => {
    let count = 0
    const client = await connected(legacyServer({ [method]: () => ({ [key]: [item(`v${++count}`)], ttlMs: 5_000 }) }))
    expect(await names(client)).toEqual(['v1'])
    expect(await names(client)).toEqual(['v2'])
  })

  it('is asked for anew with cache: refresh, which is then kept, and after clearCache', async () => {
    const client = await connected(counted(method, key, item, { ttlMs: 5_000 }))
    expect(await names(client)).toEqual(['v1'])
    expect(await names(client, { cache: 'refresh' })).toEqual(['v2'])
    expect(await names(client)).toEqual(['v2'])
    client.clearCache()
    expect(await names(client)).toEqual(['v3'])
  })

  it('is forgotten before listeners hear that it changed', async () => {
    const fake = counted(method, key, item, { ttlMs: 5_000 })
    const client = await connected(fake)
    expect(await names(client)).toEqual(['v1'])
    let heard: Promise<string[]> | undefined
    client.on('notification', () => {
      heard = names(client)
    })
    fake.send(notify(changed))
    await until(() => heard !== undefined)
    expect(await heard).toEqual(['v2'])
  })

  it('is not forgotten when others change', async () => {
    const fake = counted(method, key, item, { ttlMs: 5_000 })
    const client = await connected(fake)
    expect(await names(client)).toEqual(['v1'])
    for (const [, , , other] of LISTS) if (other !== changed) fake.send(notify(other))
    fake.send(notify('notifications/resources/updated', { uri: 'a:v1' }))
    await turns()
    expect(await names(client)).toEqual(['v1'])
  })

  it('that changed while it came is not kept', async () => {
    let count = 0
    const fake = modernServer({
      [method]: ({ send }: Ask) => {
        if (count === 0) send(notify(changed))
        return { [key]: [item(`v${++count}`)], ttlMs: 5_000 }
      },
    })
    const client = await connected(fake)
    expect(await names(client)).toEqual(['v1'])
    expect(await names(client)).toEqual(['v2'])
    expect(await names(client)).toEqual(['v2'])
  })

  it.each([[{ headers: { 'x-tenant': 'a' } }], [{ meta: { 'x.y/z': 1 } }]])(
    'with %j is neither served from what is held nor kept',
    async (options) => {
      const client = await connected(counted(method, key, item, { ttlMs: 5_000 }))
      expect(await names(client, options)).toEqual(['v1'])
      expect(await names(client)).toEqual(['v2'])
      expect(await names(client, options)).toEqual(['v3'])
      expect(await names(client)).toEqual(['v2'])
    },
  )

  it('is handed out as a copy', async () => {
    const client = await connected(counted(method, key, item, { ttlMs: 5_000 }))
    await names(client)
    const [first] = await list(client)
    if (first !== undefined) Object.assign('definition' in first ? first.definition : first, { name: 'changed' })
    expect(await names(client)).toEqual(['v1'])
  })

  it('is not kept beyond maxCacheChars', async () => {
    const fake = modernServer({ [method]: () => ({ [key]: [item('x'.repeat(500))], ttlMs: 5_000 }) })
    const small = await connected(fake, { limits: { maxCacheChars: 400 } })
    await list(small)
    await list(small)
    expect(fake.calls(method)).toHaveLength(2)
  })

  describe('of several pages', () => {
    const paged = (ttls: readonly number[]) => {
      let version = 0
      return modernServer({
        [method]: ({ params }) => {
          const page = params.cursor === undefined ? 0 : Number(params.cursor)
          if (page === 0) version++
          return { [key]: [item(`v${version}p${page}`)], ttlMs: ttls[page], ...(page < 2 && { nextCursor: String(page + 1) }) }
        },
      })
    }

    it('is kept page by page', async () => {
      const fake = paged([5_000, 5_000, 5_000])
      const client = await connected(fake)
      const walk = async () => {
        const seen: string[] = []
        for await (const { items } of client.pages(key)) seen.push(...items.map(nameOf))
        return seen
      }
      const all = ['v1p0', 'v1p1', 'v1p2']
      expect(await walk()).toEqual(all)
      expect(await walk()).toEqual(all)
      expect(await names(client)).toEqual(all)
      expect(fake.calls(method)).toHaveLength(3)
    })

    it('has an old page asked for by its cursor when it is walked, and begins anew as a whole', async () => {
      const fake = paged([5_000, 100, 5_000])
      const client = await connected(fake)
      await names(client)
      await advance(100)
      const seen: string[] = []
      for await (const { items } of client.pages(key)) seen.push(...items.map(nameOf))
      expect(seen).toEqual(['v1p0', 'v1p1', 'v1p2'])
      expect(fake.calls(method).map((message) => paramsOf(message).cursor)).toEqual([undefined, '1', '2', '1'])
      await advance(100)
      expect(await names(client)).toEqual(['v2p0', 'v2p1', 'v2p2'])
    })
  })

  it('begins anew, once, when the server no longer knows a cursor', async () => {
    let asked = 0
    const fake = modernServer({
      [method]: ({ params }) => {
        asked++
        if (params.cursor === 'old') throw new ServerError(-32602, 'bad cursor')
        return { [key]: [item(`v${asked}`)], nextCursor: asked === 1 ? 'old' : undefined }
      },
    })
    expect(await names(await connected(fake))).toEqual(['v3'])
    const never = modernServer({
      [method]: ({ params }) => {
        if (params.cursor !== undefined) throw new ServerError(-32602, 'bad cursor')
        return { [key]: [item('a')], nextCursor: 'old' }
      },
    })
    expect(await rejection(list(await connected(never)))).toMatchObject({ rpcCode: -32602 })
    expect(never.calls(method)).toHaveLength(4)
  })

  describe.each(ERAS)('asked for by many at once, %s era', (_era, server) => {
    /** Answers only when told. */
    const held = () => {
      const answers: (() => void)[] = []
      const fake = server({
        [method]: () => new Promise((resolve) => answers.push(() => resolve({ [key]: [item(`v${answers.length}`)] }))),
      })
      return { fake, answers }
    }

    it('is one request for all', async () => {
      const { fake, answers } = held()
      const client = await connected(fake)
      const all = Promise.all(Array.from({ length: 5 }, () => names(client)))
      await until(() => answers.length === 1)
      await turns()
      answers[0]?.()
      expect(await all).toEqual(Array.from({ length: 5 }, () => ['v1']))
      expect(fake.calls(method)).toHaveLength(1)
    })

    it('goes on for the others when one gives up, also the first; with nobody left it is cancelled', async () => {
      const { fake, answers } = held()
      const client = await connected(fake)
      const controllers = [new AbortController(), new AbortController(), new AbortController()]
      const all = controllers.map(({ signal }) => names(client, { signal }))
      const ends = Promise.allSettled(all)
      await until(() => answers.length === 1)
      controllers[0]?.abort('first')
      controllers[1]?.abort('second')
      await turns()
      expect(fake.calls('notifications/cancelled')).toEqual([])
      answers[0]?.()
      expect(await ends).toEqual([
        { status: 'rejected', reason: 'first' },
        { status: 'rejected', reason: 'second' },
        { status: 'fulfilled', value: ['v1'] },
      ])
      const alone = new AbortController()
      const last = rejection(names(client, { signal: alone.signal }))
      await until(() => answers.length === 2)
      alone.abort('nobody')
      expect(await last).toBe('nobody')
      await until(() => fake.calls('notifications/cancelled').length === 1)
    })

    it('is a request of its own for who has deadlines or wants progress', async () => {
      const { fake, answers } = held()
      const client = await connected(fake)
      const all = [names(client), names(client, { timeoutMs: 50 }), names(client, { onProgress: () => {} })]
      const first = rejection(all[1] ?? Promise.resolve())
      await until(() => answers.length === 3)
      await advance(60)
      expect(await first).toMatchObject({ code: 'ERR_MCP_TIMEOUT', timeoutMs: 50 })
      for (const answer of answers) answer()
      expect(await all[0]).toEqual(['v3'])
      await all[2]
    })

    it('is asked for again for who came late when the time of the first runs out, for the time that is left', async () => {
      const { fake, answers } = held()
      const client = await connected(fake, { timeoutMs: 1_000 })
      const first = rejection(names(client))
      await until(() => answers.length === 1)
      await advance(600)
      const second = rejection(names(client))
      const third = names(client)
      await advance(401)
      expect(await first).toMatchObject({ code: 'ERR_MCP_TIMEOUT', timeoutMs: 1_000 })
      await until(() => answers.length === 3)
      answers[2]?.()
      await advance(1)
      expect(await third).toEqual(['v3'])
      await advance(600)
      expect(await second).toMatchObject({ code: 'ERR_MCP_TIMEOUT' })
    })

    it('is asked for anew by who comes after it changed, and by who wants it fresh', async () => {
      const { fake, answers } = held()
      const client = await connected(fake)
      const before = names(client)
      await until(() => answers.length === 1)
      fake.send(notify(changed))
      await turns()
      const after = names(client)
      await until(() => answers.length === 2)
      const fresh = names(client, { cache: 'refresh' })
      await until(() => answers.length === 3)
      for (const answer of answers) answer()
      await Promise.all([before, after, fresh])
    })

    it('that is refused is refused for all', async () => {
      const client = await connected(
        server({
          [method]: async () => {
            await turns()
            throw new ServerError(-5, 'no')
          },
        }),
      )
      for (const error of await Promise.all([1, 2, 3].map(() => rejection(names(client))))) expect(error).toMatchObject({ rpcCode: -5 })
    })
  })
})

describe('contents of a resource', () => {
  const counting = (more: object = { ttlMs: 5_000 }) => {
    let count = 0
    return modernServer({ 'resources/read': ({ params }) => ({ contents: [{ uri: params.uri, text: `v${++count}` }], ...more }) })
  }
  const text = async (client: Client, uri: string, options = {}): Promise<unknown> => {
    const [first] = await client.readResource(uri, options)
    return first !== undefined && 'text' in first && first.text
  }

  it('are kept by their URI as long as the server says', async () => {
    const client = await connected(counting())
    expect(await text(client, 'a:1')).toBe('v1')
    expect(await text(client, 'a:2')).toBe('v2')
    expect(await text(client, 'a:1')).toBe('v1')
    expect(await text(client, 'a:1', { cache: 'refresh' })).toBe('v3')
    await advance(5_000)
    expect(await text(client, 'a:1')).toBe('v4')
  })

  it.each([
    ['a:/d/1', { uri: 'a:/d/1' }, true],
    ['a:/d', { uri: 'a:/d/1' }, true],
    ['a:/d/1', { uri: 'a:/d/2' }, false],
    ['a:/d/1', { uri: 'a:/d' }, false],
    ['a:/d/1', {}, true],
    ['a:/d/1', { uri: 5 }, true],
    ['a:/d/1', undefined, true],
  ])('%s are forgotten when the server tells of an update of %j: %s', async (uri, params, forgotten) => {
    const fake = counting()
    const client = await connected(fake)
    await text(client, uri)
    fake.send(notify('notifications/resources/updated', params))
    await turns()
    expect(await text(client, uri)).toBe(forgotten ? 'v2' : 'v1')
  })

  it('that the server had to ask for are not kept', async () => {
    let legs = 0
    const fake = modernServer({
      'resources/read': ({ params }) =>
        legs++ % 2 === 0
          ? { resultType: 'input_required', inputRequests: { r: { method: 'roots/list' } }, ttlMs: 5_000 }
          : { contents: [{ uri: params.uri, text: `v${legs}` }], ttlMs: 5_000 },
    })
    const client = await connected(fake, { roots: [] })
    expect(await text(client, 'a:1')).toBe('v2')
    expect(await text(client, 'a:1')).toBe('v4')
  })

  it('that are refused are not kept', async () => {
    let count = 0
    const fake = modernServer({
      'resources/read': ({ params }) => {
        if (count++ === 0) throw new ServerError(-32602, 'not there')
        return { contents: [{ uri: params.uri, text: 'there' }], ttlMs: 5_000 }
      },
    })
    const client = await connected(fake)
    expect(await rejection(text(client, 'a:1'))).toMatchObject({ rpcCode: -32602 })
    expect(await text(client, 'a:1')).toBe('there')
  })

  it('are asked for by each for itself', async () => {
    const fake = counting({})
    const client = await connected(fake)
    await Promise.all([text(client, 'a:1'), text(client, 'a:1')])
    expect(fake.calls('resources/read')).toHaveLength(2)
  })
})

describe('the option cache', () => {
  it.each([['use'], [true], [null], ['']])('of %j is a TypeError with nothing sent', async (cache) => {
    const fake = modernServer({ 'tools/list': () => ({ tools: [] }) })
    const client = await connected(fake)
    expect(await rejection(client.listTools({ cache: cache as never }))).toBeInstanceOf(TypeError)
    expect(fake.calls('tools/list')).toEqual([])
  })
})

describe('what is never answered by the cache', () => {
  it('is a raw request, a call, a prompt and a ping', async () => {
    const kept = { ttlMs: 5_000, cacheScope: 'public' }
    const fake = modernServer({
      'tools/list': () => ({ tools: [], ...kept }),
      'tools/call': () => ({ ...TEXT_RESULT, ...kept }),
      'prompts/get': () => ({ messages: [], ...kept }),
    })
    const client = await connected(fake)
    const before = fake.received.length
    for (let i = 0; i < 2; i++) {
      await client.request('tools/list')
      await client.callTool('x')
      await client.getPrompt('x')
      await client.ping()
    }
    expect(fake.received.length - before).toBe(8)
  })
})

describe('finding a tool', () => {
  it('in the legacy era looks into the list that is held, until the server says that it changed', async () => {
    const tools = [tool('a')]
    const fake = legacyServer({ 'tools/list': () => ({ tools }) })
    const client = await connected(fake)
    for (let i = 0; i < 3; i++) expect((await client.findTool('a')).name).toBe('a')
    expect(fake.calls('tools/list')).toHaveLength(1)
    fake.send(notify('notifications/tools/list_changed'))
    await turns()
    await client.findTool(/a/)
    expect(fake.calls('tools/list')).toHaveLength(2)
    await client.findTool('a', { cache: 'refresh' })
    expect(fake.calls('tools/list')).toHaveLength(3)
    client.clearCache()
    await client.findTool('a')
    expect(fake.calls('tools/list')).toHaveLength(4)
  })

  it.each(ERAS)('asks the server before it says that there is none, %s era', async (_era, server) => {
    const tools = [tool('a')]
    const fake = server({ 'tools/list': () => ({ tools: [...tools], ttlMs: 5_000 }) })
    const client = await connected(fake)
    await client.findTool('a')
    expect(await rejection(client.findTool('b'))).toMatchObject({ code: 'ERR_MCP_NOT_FOUND' })
    tools.push(tool('b'))
    expect((await client.findTool('b')).name).toBe('b')
    expect(fake.calls('tools/list')).toHaveLength(3)
  })

  it('in the modern era looks into a list that is fresh', async () => {
    const fake = modernServer({ 'tools/list': () => ({ tools: [tool('a')], ttlMs: 5_000 }) })
    const client = await connected(fake)
    await client.findTool('a')
    await client.findTool('a')
    expect(fake.calls('tools/list')).toHaveLength(1)
    await advance(5_000)
    await client.findTool('a')
    expect(fake.calls('tools/list')).toHaveLength(2)
  })

  it('by many at once is one list', async () => {
    const fake = legacyServer({ 'tools/list': () => ({ tools: [tool('a'), tool('b')] }) })
    const client = await connected(fake)
    expect((await Promise.all(['a', 'b', 'a'].map((name) => client.findTool(name)))).map(nameOf)).toEqual(['a', 'b', 'a'])
    expect(fake.calls('tools/list')).toHaveLength(1)
  })
})

describe('a lost link', () => {
  it('leaves the list of tools that is held to be found in until another is there', async () => {
    vi.useRealTimers()
    const server = child(
      "legacy(); on('tools/list', () => ({ tools: [{ name: 'a', inputSchema: {} }] })); on('die', () => process.exit(1))",
    )
    const client = await connected(server, { restart: true, retryBackoffMs: 20_000 })
    await client.findTool('a')
    await rejection(client.request('die'))
    await until(() => client.state === 'recovering')
    expect((await client.findTool('a')).name).toBe('a')
    expect(client.state).toBe('recovering')
  })
})
