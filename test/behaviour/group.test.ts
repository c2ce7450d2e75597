import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { Client } from '../../src/client.ts'
import type { ServersSource } from '../../src/config/load-servers.ts'
import { connectGroup } from '../../src/connect-group.ts'
import { ConfigError, ConnectionError, McpError, NotFoundError, TimeoutError, UnsupportedError } from '../../src/errors.ts'
import { demoServer } from '../../src/testing/index.ts'
import { child } from '../support/child-servers.ts'
import { grouped } from '../support/grouped.ts'
import { rejection, turns, until } from '../support/settled.ts'
import { smallServer } from '../support/small-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const [node = '', ...script] = child(
  "legacy(); on('tools/list', () => ({ tools: [{ name: 'who', inputSchema: { type: 'object' } }] })); tools(() => text(process.env.WHO))",
)
const stdio = { command: node, args: script }
const missing = ['/no/such/program']
/** Reads and never answers. */
const hanging = [process.execPath, '-e', 'process.stdin.resume()']

function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

describe('what names the servers of a group', () => {
  it.each<[string, () => ServersSource, string[]]>([
    ['a list', () => [smallServer(), demoServer()], ['server_0', 'server_1']],
    ['a record', () => ({ a: smallServer(), b: demoServer(), c: stdio }), ['a', 'b', 'c']],
    ['a configuration', () => ({ mcpServers: { one: stdio, two: stdio } }), ['one', 'two']],
    ['one server object', () => stdio, ['server_0']],
    ['a list in which some have names', () => [{ name: 'own', ...stdio }, smallServer()], ['own', 'server_1']],
  ])('is %s', async (_what, source, names) => {
    const group = await grouped(source())
    expect([...group.servers.keys()]).toEqual(names)
    expect([...group.servers.values()].map(({ name, state }) => `${name} ${state}`)).toEqual(names.map((name) => `${name} ready`))
  })

  it('is a file, by its name or its URL', async () => {
    const path = `${await temporaryFolder()}/servers.json`
    await writeFile(
      path,
      JSON.stringify({ mcpServers: { one: { ...stdio, env: { WHO: 'from the file' } }, off: { ...stdio, disabled: true } } }),
    )
    for (const source of [path, new URL(`file://${path}`)]) {
      const group = await grouped(source)
      expect(group.servers.get('one')?.state).toBe('ready')
      expect(group.servers.get('off')?.state).toBe('disabled')
      expect((await group.callTool('who', {}, { server: 'one' })).text).toBe('from the file')
    }
  })

  it('may be nothing: then every list is empty and no name is found', async () => {
    const group = await grouped({ mcpServers: {} })
    expect(group.servers.size).toBe(0)
    expect(await group.listTools()).toEqual({ tools: [], failures: new Map() })
    expect(await rejection(group.callTool('x'))).toBeInstanceOf(NotFoundError)
    expect(await rejection(group.request('x'))).toBeInstanceOf(NotFoundError)
  })

  it('is refused when it names none', async () => {
    // @ts-expect-error: a number names nothing
    expect(await rejection(connectGroup(5))).toBeInstanceOf(TypeError)
    expect(await rejection(connectGroup('/no/such/file.json'))).toBeInstanceOf(ConfigError)
  })

  it('does not share a server between those that have one client', async () => {
    const group = await grouped({ a: demoServer(), b: demoServer({ versions: ['2025-06-18'] }) })
    expect((await group.client('a')).protocolVersion).toBe('2026-07-28')
    expect((await group.client('b')).protocolVersion).toBe('2025-06-18')
    expect((await group.client('a')).name).toBe('a')
  })
})

describe('servers of a group', () => {
  it('may be of every kind and revision at once, and keep what is theirs', async () => {
    const remote = demoServer({ versions: ['2025-11-25'] })
    const serving = await remote.serveHttp()
    try {
      const asked: string[] = []
      const elicitation = async (_request: unknown, { server }: { server: string }): Promise<undefined> => {
        asked.push(server)
        return undefined
      }
      const group = await grouped({ memory: demoServer(), http: serving.url, process: stdio }, { handlers: { elicitation } })
      const kinds = [...group.servers.values()].map(({ client }) => `${client?.transport} ${client?.protocolVersion}`)
      expect(kinds).toEqual(['memory 2026-07-28', 'streamable-http 2025-11-25', 'stdio 2025-11-25'])
      const { tools, failures } = await group.listTools()
      expect(failures.size).toBe(0)
      expect(new Set(tools.map(({ server }) => server))).toEqual(new Set(['memory', 'http', 'process']))
      for (const server of ['memory', 'http']) await group.callTool('ask', {}, { server })
      expect(asked).toEqual(['memory', 'http'])
    } finally {
      await remote.close()
    }
  })
})

describe('the options of a group', () => {
  it.each([
    [{ nam: 'x' }, 'there is no option nam'],
    [{ name: 'x' }, 'there is no option name for a group'],
    [{ naming: 'x' }, "the option naming must be 'as-is' or 'prefixed'"],
    [{ ready: 'soon' }, 'the option ready'],
    [{ concurrency: 0 }, 'the option concurrency'],
    [{ pins: true }, 'the option pins'],
    [{ approve: true }, 'the option approve'],
    [{ catalogue: {} }, 'the option catalogue'],
    [{ allow: [5] }, 'the option allow'],
    [{ deny: { tool: ['x'] } }, 'not for tool'],
    [{ timeoutMs: -1 }, 'the option timeoutMs'],
  ])('are refused when they cannot be: %j', async (options, why) => {
    // @ts-expect-error: these are wrong
    const error = await rejection(connectGroup([smallServer()], options))
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toContain(why)
  })

  it('are defaults for the servers that they apply to, and a server of its own wins', async () => {
    const group = await grouped(
      { a: stdio, b: { ...stdio, env: { WHO: 'its own' } }, c: smallServer() },
      { env: { WHO: 'the default' }, headers: { 'X-Of-HTTP': '1' }, throwOnToolError: true },
    )
    expect([...group.servers.values()].map(({ state }) => state)).toEqual(['ready', 'ready', 'ready'])
    expect((await group.callTool('who', {}, { server: 'a' })).text).toBe('the default')
    expect((await group.callTool('who', {}, { server: 'b' })).text).toBe('its own')
  })

  it('of one server that cannot be are the failure of that server', async () => {
    const group = await grouped({ a: { ...stdio, timeoutMs: -1 }, b: { url: 'http://127.0.0.1:9/mcp', restart: true }, c: smallServer() })
    expect(group.servers.get('a')).toMatchObject({ state: 'failed', error: expect.any(ConfigError) })
    expect(group.servers.get('b')).toMatchObject({ state: 'failed', error: expect.any(ConfigError) })
    expect(group.servers.get('c')?.state).toBe('ready')
  })
})

describe('a server that fails', () => {
  it('costs the others nothing, and is a state of its own', async () => {
    const group = await grouped({ good: smallServer({ name: 'good', tools: ['read'] }), missing, refused: smallServer({ refuse: 9 }) })
    expect([...group.servers.values()].map(({ state }) => state)).toEqual(['ready', 'failed', 'failed'])
    expect(group.servers.get('missing')?.error).toMatchObject({ code: 'ERR_MCP_CONNECTION', server: 'missing' })
    expect(group.servers.get('good')?.connectMs).toBeGreaterThanOrEqual(0)
    expect(group.servers.get('missing')?.connectMs).toBeUndefined()
    const { tools, failures } = await group.listTools()
    expect(tools.map(({ name, server }) => `${server}: ${name}`)).toEqual(['good: read'])
    expect([...failures.keys()]).toEqual(['missing', 'refused'])
    expect(failures.get('missing')).toBe(group.servers.get('missing')?.error)
    expect((await group.callTool('read')).text).toBe('good: read')
  })

  it('rejects what is asked of all only when none answered, with each error', async () => {
    const group = await grouped({ missing, refused: smallServer({ name: 'r', refuse: 9 }) })
    for (const asked of [group.listTools(), group.listPrompts(), group.listResources(), group.ping(), group.callTool('x')]) {
      const error = await rejection(asked)
      expect(error).toBeInstanceOf(McpError)
      expect(String(error)).toMatch(/none of 2 servers answered: missing: .*; refused: .*r is out of order/)
      expect(error).toMatchObject({ outcome: 'not-run', cause: expect.any(AggregateError) })
    }
  })

  it('rejects with its own error when it is the only one', async () => {
    const group = await grouped({ missing })
    expect(await rejection(group.listTools())).toBe(group.servers.get('missing')?.error)
  })

  it('has a deadline of its own', async () => {
    const group = await grouped([{ command: hanging[0] ?? '', args: hanging.slice(1), connectTimeoutMs: 100 }, smallServer()], {
      shutdownGraceMs: 100,
    })
    expect(group.servers.get('server_0')).toMatchObject({ state: 'failed', error: expect.any(TimeoutError) })
    expect(group.servers.get('server_1')?.state).toBe('ready')
  })

  it('is tried again when it is named', async () => {
    const server = smallServer({ tools: ['read'], refuse: 1 })
    const group = await grouped({ a: server, b: smallServer() })
    expect(group.servers.get('a')?.state).toBe('failed')
    const client = await group.client('a')
    expect(client).toBeInstanceOf(Client)
    expect(group.servers.get('a')).toMatchObject({ state: 'ready', error: undefined, client })
    expect(server.opened).toBe(2)
  })

  it('is tried again behind what is asked of all, which does not wait for it, with growing pauses', async () => {
    const server = smallServer({ tools: ['read'], refuse: 2 })
    const clock = performance.now.bind(performance)
    let ahead = 0
    performance.now = () => clock() + ahead
    try {
      const group = await grouped({ a: server, b: smallServer() })
      expect((await group.listTools()).failures.has('a')).toBe(true)
      expect(server.opened).toBe(1)
      ahead = 1_100
      expect((await group.listTools()).failures.has('a')).toBe(true)
      await until(() => server.opened === 2)
      await turns()
      ahead = 2_200
      expect((await group.listTools()).failures.has('a')).toBe(true)
      await turns()
      expect(server.opened).toBe(2)
      ahead = 3_400
      expect((await group.listTools()).failures.has('a')).toBe(true)
      await until(() => group.servers.get('a')?.state === 'ready')
      expect((await group.listTools()).tools.map(({ name }) => name)).toEqual(['read'])
    } finally {
      performance.now = clock
    }
  })

  it('later, is failed with the reason, and is started again by what names it', async () => {
    const server = smallServer({ tools: ['read'] })
    const group = await grouped({ a: server, b: smallServer({ tools: ['other'] }) })
    await group.listTools()
    server.end()
    await until(() => group.servers.get('a')?.state === 'failed')
    expect(group.servers.get('a')?.error).toMatchObject({ code: 'ERR_MCP_CONNECTION', server: 'a', reason: { kind: 'stream' } })
    expect((await group.listTools()).failures.get('a')).toBeInstanceOf(ConnectionError)
    // What it had stays known, so its name leads to it, and to nobody else.
    expect((await group.callTool('read')).text).toBe('small: read')
    expect(group.servers.get('a')?.state).toBe('ready')
  })

  it('that is switched off is no failure, and is not started', async () => {
    const group = await grouped({ mcpServers: { off: { ...stdio, disabled: true }, on: stdio } })
    expect(group.servers.get('off')).toMatchObject({ state: 'disabled', error: undefined, client: undefined })
    expect((await group.listTools()).failures.size).toBe(0)
    expect(await rejection(group.client('off'))).toBeInstanceOf(UnsupportedError)
  })
})

describe('a group', () => {
  it('starts so many servers at once, and the next when one is settled', async () => {
    const gates = Array.from({ length: 5 }, gate)
    const servers = gates.map(({ opened }) => smallServer({ after: opened }))
    const connecting = grouped(servers, { concurrency: 2 })
    await turns()
    expect(servers.map(({ opened }) => opened)).toEqual([1, 1, 0, 0, 0])
    gates[1]?.open()
    await until(() => servers[2]?.opened === 1)
    expect(servers.map(({ opened }) => opened)).toEqual([1, 1, 1, 0, 0])
    for (const { open } of gates) open()
    expect([...(await connecting).servers.values()].every(({ state }) => state === 'ready')).toBe(true)
  })

  it('of ten processes, of which two hang and one is missing, has the seven when the slowest of them is there', async () => {
    const answering = Object.fromEntries(
      Array.from({ length: 7 }, (_, index) => [`good_${index}`, { ...stdio, env: { WHO: `good_${index}` } }]),
    )
    const order: string[] = []
    const group = await grouped(
      { hanging_0: hanging, ...answering, hanging_1: hanging, missing },
      { ready: 0, concurrency: 10, probeTimeoutMs: 60_000, shutdownGraceMs: 200 },
    )
    group.on('state', ({ state }, server) => order.push(`${server} ${state}`))
    await until(() => [...group.servers.values()].filter(({ state }) => state === 'ready').length === 7, 'seven ready servers', 20_000)
    // The slowest of the seven is there, so all that they have can be used; nobody waits for the others.
    const { tools, failures } = await group.listTools()
    expect(tools).toHaveLength(7)
    const texts = await Promise.all(Object.keys(answering).map(async (server) => (await group.callTool('who', {}, { server })).text))
    expect(texts).toEqual(Object.keys(answering))
    expect([...failures.keys()].sort()).toEqual(['hanging_0', 'hanging_1', 'missing'])
    expect(group.servers.get('hanging_0')?.state).toBe('connecting')
    expect(group.servers.get('hanging_1')?.state).toBe('connecting')
    expect(group.servers.get('missing')?.state).toBe('failed')
    expect(order.filter((line) => line.startsWith('hanging'))).toEqual([])
  }, 60_000)

  it('is ready with the first server, and with the others later', async () => {
    const { open, opened } = gate()
    const slow = smallServer({ tools: ['slow'], after: opened })
    const group = await grouped({ slow, bad: smallServer({ refuse: 1 }), quick: smallServer({ tools: ['quick'] }) }, { ready: 'first' })
    expect(group.servers.get('slow')?.state).toBe('connecting')
    const { tools, failures } = await group.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['quick'])
    expect(String(failures.get('slow'))).toContain('still being connected')
    const settled = group.ready('all')
    open()
    await settled
    expect((await group.listTools()).tools.map(({ name }) => name)).toEqual(['slow', 'quick'])
  })

  it('is ready when no server can be the first', async () => {
    const group = await grouped({ a: smallServer({ refuse: 9 }), b: smallServer({ refuse: 9 }) }, { ready: 'first' })
    expect([...group.servers.values()].map(({ state }) => state)).toEqual(['failed', 'failed'])
  })

  it('is ready after the time that it may take, whatever its servers do', async () => {
    const group = await grouped({ slow: smallServer({ after: 'never' }), quick: smallServer({ tools: ['quick'] }) }, { ready: 30 })
    expect(group.servers.get('slow')?.state).toBe('connecting')
    expect((await group.callTool('quick')).text).toBe('small: quick')
    // A server that is named is waited for, as long as the caller wants.
    expect(await rejection(group.listTools({ server: 'slow', timeoutMs: 20 }))).toMatchObject({
      code: 'ERR_MCP_TIMEOUT',
      outcome: 'not-run',
    })
  })

  it('that is lazy reaches each server at its first use', async () => {
    const [a, b] = [smallServer({ tools: ['a'] }), smallServer({ tools: ['b'] })]
    const group = await grouped({ a, b }, { lazy: true })
    expect([...group.servers.values()].map(({ state }) => state)).toEqual(['idle', 'idle'])
    expect((await group.callTool('a', {}, { server: 'a' })).text).toBe('small: a')
    expect([a.opened, b.opened]).toEqual([1, 0])
    expect((await group.listTools()).tools.map(({ name }) => name)).toEqual(['a', 'b'])
    expect([a.opened, b.opened]).toEqual([1, 1])
  })

  it('reaches a lazy server among others at its first use', async () => {
    const group = await grouped({ late: { ...stdio, lazy: true }, now: smallServer() })
    expect([...group.servers.values()].map(({ state }) => state)).toEqual(['idle', 'ready'])
    expect((await group.client('late')).state).toBe('ready')
  })

  it('is given up by its signal, and leaves nothing behind', async () => {
    const controller = new AbortController()
    const [quick, slow] = [smallServer(), smallServer({ after: 'never' })]
    const connecting = rejection(connectGroup({ quick, slow }, { logger: false, signal: controller.signal }))
    await until(() => slow.opened === 1 && quick.requests.length > 1)
    controller.abort(new Error('not any more'))
    expect(await connecting).toMatchObject({ message: 'not any more' })
    expect([quick.closed, slow.closed]).toEqual([1, 1])
  })

  it('closes every server, those that are still being reached too, once', async () => {
    const [quick, slow] = [smallServer(), smallServer({ after: 'never' })]
    const group = await grouped({ quick, slow }, { ready: 'first' })
    const call = rejection(group.callTool('x', {}, { server: 'slow' }))
    await Promise.all([group.close(), group.close()])
    expect([quick.closed, slow.closed]).toEqual([1, 1])
    expect([...group.servers.values()].map(({ state }) => state)).toEqual(['closed', 'closed'])
    expect(await call).toBeInstanceOf(ConnectionError)
    expect(await rejection(group.client('quick'))).toBeInstanceOf(ConnectionError)
    expect((await group.listTools()).tools).toEqual([])
  })

  it('closes all servers although one ends badly, and says so afterwards', async () => {
    const good = smallServer()
    const bad = {
      name: 'bad',
      connect: (send: (line: string) => void, end: () => void) => {
        const inner = smallServer().connect(send, end)
        return {
          ...inner,
          close() {
            throw new Error('it will not end')
          },
        }
      },
    }
    const group = await connectGroup({ bad, good }, { logger: false })
    const error = await rejection(group.close())
    expect(error).toBeInstanceOf(AggregateError)
    expect(String(error)).toContain('1 of 2 servers ended badly')
    expect(good.closed).toBe(1)
  })

  it('leaves a server closed that was closed by itself, until it is named', async () => {
    const server = smallServer({ tools: ['read'] })
    const group = await grouped({ a: server, b: smallServer() })
    await (await group.client('a')).close()
    expect(group.servers.get('a')).toMatchObject({ state: 'closed', error: undefined })
    expect(await group.listTools()).toMatchObject({ tools: [], failures: new Map() })
    expect((await group.client('a')).state).toBe('ready')
    expect(server.opened).toBe(2)
  })
})
