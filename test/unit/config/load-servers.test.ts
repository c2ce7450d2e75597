import { describe, expect, it } from 'vitest'
import { MAX_SERVERS } from '../../../src/config/document-servers.ts'
import { loadServers, type ServerDefinition, type ServersSource } from '../../../src/config/index.ts'
import { ConfigError } from '../../../src/errors.ts'
import { demoServer } from '../../../src/testing/index.ts'

const variables = { TOKEN: 'secret', EMPTY: '' }

async function definitions(source: ServersSource): Promise<ServerDefinition[]> {
  return [...(await loadServers(source, { variables })).servers]
}

async function targets(source: ServersSource): Promise<Record<string, unknown>> {
  const found: [string, unknown][] = []
  for (const definition of await definitions(source)) {
    expect(definition.problem?.message).toBeUndefined()
    found.push([definition.name, await definition.target()])
  }
  return Object.fromEntries(found)
}

async function problem(server: unknown, name = 's'): Promise<ConfigError> {
  const [definition] = await definitions({ mcpServers: { [name]: server } })
  expect(definition?.problem).toBeInstanceOf(ConfigError)
  await expect(definition?.target()).rejects.toBe(definition?.problem)
  return definition?.problem ?? new ConfigError('none')
}

describe('servers are named in code by', () => {
  it('a configuration, whose variables are filled in', async () => {
    const source = { mcpServers: { files: { command: 'npx', args: ['-y', '${TOKEN}'] }, api: { type: 'http', url: 'https://h/mcp' } } }
    expect(await targets(source)).toEqual({
      files: { name: 'files', command: 'npx', args: ['-y', 'secret'] },
      api: { name: 'api', url: 'https://h/mcp', type: 'http' },
    })
    expect(await targets({ servers: { a: { command: 'a' } }, inputs: [] })).toEqual({ a: { name: 'a', command: 'a', args: [] } })
  })

  it('a record of targets, which stay as they are', async () => {
    const demo = demoServer()
    const fetch = globalThis.fetch
    const source = { a: 'npx -y x', b: new URL('https://h/mcp'), c: ['node', '${TOKEN}'], d: demo, e: { url: 'https://h/${TOKEN}', fetch } }
    const found = await targets(source)
    expect(found).toMatchObject({ a: 'npx -y x', c: ['node', '${TOKEN}'], e: { name: 'e', url: 'https://h/${TOKEN}', fetch } })
    expect(found.b).toBe(source.b)
    expect(found.d).toBe(demo)
  })

  it('a list of targets: those without a name are numbered by their place', async () => {
    const source = ['npx -y x', { command: 'b', name: 'bee', timeoutMs: 5 }, { url: 'https://h/' }]
    expect(await targets(source)).toEqual({
      server_0: 'npx -y x',
      bee: { name: 'bee', command: 'b', args: [], timeoutMs: 5 },
      server_2: { name: 'server_2', url: 'https://h/' },
    })
  })

  it('one server object', async () => {
    expect(await targets({ command: 'node', args: ['s.js'] })).toEqual({ server_0: { name: 'server_0', command: 'node', args: ['s.js'] } })
    expect(await targets({ url: 'https://h/', name: 'h' })).toEqual({ h: { name: 'h', url: 'https://h/' } })
  })

  it('a list that holds configurations', async () => {
    expect(Object.keys(await targets([{ mcpServers: { a: { command: 'a' } } }, { command: 'b' }]))).toEqual(['a', 'server_1'])
  })

  it('a record with a server that is called as a configuration would be', async () => {
    expect(Object.keys(await targets({ servers: { command: 'a' }, mcpServers: { url: 'https://h/' } }))).toEqual(['servers', 'mcpServers'])
  })

  it('nothing else', async () => {
    for (const source of [42, null, undefined, true, new URL('https://h/mcp'), new Map()]) {
      await expect(loadServers(source as unknown as ServersSource)).rejects.toThrow(TypeError)
    }
    await expect(loadServers(new URL('https://h/mcp'))).rejects.toThrow("write ['https://h/mcp']")
  })

  it('with a target that is none, which is told as its problem', async () => {
    const [bad, good] = await definitions({ bad: 42, good: 'npx x' } as unknown as ServersSource)
    expect(bad?.problem).toBeInstanceOf(ConfigError)
    expect(bad?.problem?.message).toMatch(/the server "bad".*not number/)
    expect(good?.problem).toBeUndefined()
  })
})

describe('a server of a configuration', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['a scalar in args is one argument', { command: 'a', args: 'b c' }, { command: 'a', args: ['b c'] }],
    [
      'numbers and booleans become strings',
      { command: 'a', args: [1, true, 'x'], env: { N: 1, B: false } },
      { command: 'a', args: ['1', 'true', 'x'], env: { N: '1', B: 'false' } },
    ],
    ['in headers too', { url: 'https://h/', headers: { N: 1, B: false } }, { url: 'https://h/', headers: { N: '1', B: 'false' } }],
    ['null unsets a variable', { command: 'a', env: { N: null } }, { command: 'a', args: [], env: { N: undefined } }],
    ['a command may be a list', { command: ['node', 's.js'], args: ['x'] }, { command: 'node', args: ['s.js', 'x'] }],
    ['or an object', { command: { path: 'p', args: ['x'], env: { A: '1' } } }, { command: 'p', args: ['x'], env: { A: '1' } }],
    ['or a whole line', { command: 'npx -y "a b"', args: ['x'] }, { command: 'npx', args: ['-y', 'a b', 'x'] }],
    ['a program may have blanks in its name', { command: '/opt/my server' }, { command: '/opt/my server', args: [] }],
    ['type stdio says nothing new', { type: 'stdio', command: 'a' }, { command: 'a', args: [] }],
    ['and decides', { type: 'stdio', command: 'a', url: 'https://h/' }, { command: 'a', args: [] }],
    ['as http does', { type: 'http', command: 'a', url: 'https://h/' }, { url: 'https://h/', type: 'http' }],
    ['no type is inferred', { url: 'https://h/sse' }, { url: 'https://h/sse' }],
    ['sse', { type: 'sse', url: 'https://h/' }, { url: 'https://h/', type: 'sse' }],
    ['SSE', { type: 'SSE', url: 'https://h/' }, { url: 'https://h/', type: 'sse' }],
    ...['streamable-http', 'streamable_http', 'streamableHttp', 'StreamableHTTP', 'http-stream'].map(
      (type): [string, Record<string, unknown>, Record<string, unknown>] => [
        type,
        { type, url: 'https://h/' },
        { url: 'https://h/', type: 'streamable-http' },
      ],
    ),
    ['httpUrl speaks HTTP', { httpUrl: 'https://h/' }, { url: 'https://h/', type: 'http' }],
    ['and wins over url', { url: 'https://old/', httpUrl: 'https://h/' }, { url: 'https://h/', type: 'http' }],
    ['serverUrl is a url', { serverUrl: 'https://h/' }, { url: 'https://h/' }],
    [
      'endpoint, transport, retries and timeout are read',
      { url: 'https://h/', endpoint: '/rpc', transport: 'http', retries: 2, timeout: 5_000 },
      { url: 'https://h/', endpoint: '/rpc', transport: 'http', retries: 2, timeoutMs: 5_000 },
    ],
    ['read_timeout counts seconds', { command: 'a', read_timeout: 30 }, { command: 'a', args: [], timeoutMs: 30_000 }],
    ['comment and description are for people', { command: 'a', comment: 'c', description: 'd' }, { command: 'a', args: [] }],
    [
      'variables stand in every text',
      { command: '${TOKEN}', args: ['${env:TOKEN}'], env: { A: 'x${TOKEN}' }, cwd: '/${TOKEN}' },
      { command: 'secret', args: ['secret'], env: { A: 'xsecret' }, cwd: '/secret' },
    ],
    [
      'of a URL too',
      { url: 'https://h/${TOKEN}', headers: { Authorization: 'Bearer ${TOKEN}' }, endpoint: '/${NONE:-x}' },
      { url: 'https://h/secret', headers: { Authorization: 'Bearer secret' }, endpoint: '/x' },
    ],
  ])('%s', async (_, server, expected) => {
    expect(await targets({ mcpServers: { s: server } })).toEqual({ s: { name: 's', ...expected } })
  })

  it.each<[string, unknown, RegExp]>([
    ['is no object', 'hello', /the server "s" is no object/],
    ['is a list', [], /is no object/],
    ['has no way in', { args: [] }, /says neither which command to start nor which url to reach/],
    ['has two ways in', { command: 'a', url: 'https://h/' }, /both a command and a url/],
    [
      'has a type that is a word of the language',
      { type: 'constructor', url: 'https://h/' },
      /has the type "constructor", which is not known/,
    ],
    ['has a type that nobody knows', { type: 'ws', url: 'wss://h/' }, /has the type "ws", which is not known/],
    ['has a type that its way in contradicts', { type: 'stdio', url: 'https://h/' }, /type stdio and a url, but no command/],
    ['the other way round', { type: 'sse', command: 'a' }, /reached by a url, but no url/],
    ['has an empty command', { command: ' ' }, /empty command/],
    ['has a command line with an open quote', { command: 'npx "x' }, /the quote " is not closed/],
    ['has arguments of the wrong kind', { command: 'a', args: [{}] }, /args\[0\] that is an object instead of a string/],
    ['has an env of the wrong kind', { command: 'a', env: ['A=1'] }, /env that is a list instead of an object/],
    ['has a timeout of the wrong kind', { command: 'a', timeout: 'soon' }, /timeout that is no positive number/],
    ['has a switch of the wrong kind', { command: 'a', disabled: 'maybe' }, /disabled that is a string instead of true or false/],
    ['lacks a variable', { command: 'a', env: { A: '${NONE}' } }, /its env\.A needs the variable NONE, which is not set/],
    ['lacks one in its arguments', { command: 'a', args: ['x', '${NONE}'] }, /its args\[1\] needs the variable NONE/],
    ['has variables in a circle', { command: 'a', env: { A: '${B}', B: '${A}' } }, /its env\.A needs itself: B → A → B/],
    ['asks what nobody answers', { command: 'a', args: ['${input:key}'] }, /the input "key", and there is no answer/],
  ])('%s: its problem says so', async (_, server, message) => {
    expect((await problem(server)).message).toMatch(message)
    expect(await problem(server)).toMatchObject({ code: 'ERR_MCP_CONFIG', server: 's', outcome: 'not-run' })
  })

  it('never shows the value of a variable in a problem', async () => {
    const { message } = await problem({ command: 'a', args: ['${TOKEN}${NONE}'] })
    expect(message).not.toContain('secret')
  })

  it('that cannot be used costs the others nothing', async () => {
    const [bad, good] = await definitions({ mcpServers: { bad: { command: 'a', args: ['${NONE}'] }, good: { command: 'b' } } })
    expect(bad?.problem).toBeDefined()
    await expect(good?.target()).resolves.toMatchObject({ command: 'b' })
  })

  it('may be switched off, either way round', async () => {
    const source = {
      mcpServers: { a: { command: 'a', disabled: true }, b: { command: 'b', enabled: false }, c: { command: 'c', enabled: true } },
    }
    expect((await definitions(source)).map(({ disabled }) => disabled)).toEqual([true, true, false])
  })

  it('may let tools through and keep some back, in the words of many', async () => {
    const source = {
      mcpServers: {
        a: { command: 'a', includeTools: ['x'], excludeTools: ['y'] },
        b: { command: 'b', allowedTools: 'x', disabledTools: ['y'], deny: ['z'] },
        c: { command: 'c' },
      },
    }
    expect((await definitions(source)).map(({ tools }) => tools)).toEqual([
      { allow: ['x'], deny: ['y'] },
      { allow: ['x'], deny: ['y', 'z'] },
      { allow: undefined, deny: undefined },
    ])
  })

  it('keeps members that mean nothing here, which are told once for all', async () => {
    const { servers, notices } = await loadServers({ mcpServers: { a: { command: 'a', x: 1 }, b: { command: 'b', x: { y: 2 } } } })
    expect(servers.map(({ unknown }) => unknown)).toEqual([{ x: 1 }, { x: { y: 2 } }])
    expect(notices.filter((notice) => notice.includes('"x"'))).toEqual(['"x" means nothing here (in a, b)'])
  })

  it('shows what it starts or reaches as it is written', async () => {
    const source = { mcpServers: { a: { command: 'a', args: ['${TOKEN}', 'b c', ''] }, b: { url: 'https://h/${TOKEN}' } } }
    expect((await definitions(source)).map(({ kind, written }) => [kind, written])).toEqual([
      ['stdio', 'a ${TOKEN} "b c" ""'],
      ['http', 'https://h/${TOKEN}'],
    ])
  })
})

describe('names of servers', () => {
  it.each([
    'comment',
    'description',
    '$schema',
    'mcpServers',
    'servers',
    'inputs',
    '__proto__',
    'constructor',
    'toString',
    'a.b/c d',
    '日本',
  ])('%j is a name like others', async (name) => {
    const mcpServers = Object.fromEntries([[name, { command: 'a' }]])
    expect((await definitions({ mcpServers })).map((each) => each.name)).toEqual([name])
    expect(Object.keys(await targets({ mcpServers }))).toEqual([name])
  })

  it('comments beside servers are none', async () => {
    const mcpServers = { comment: 'c', description: 'd', '//': 'x', $schema: 'y', _note: ['z'], a: { command: 'a' } }
    expect((await definitions({ mcpServers })).map(({ name }) => name)).toEqual(['a'])
  })

  it('that two servers share is the problem of both, and of no other', async () => {
    const found = await definitions([{ command: 'a', name: 'x' }, { command: 'b', name: 'y' }, { mcpServers: { x: { command: 'c' } } }])
    expect(found.map(({ name }) => name)).toEqual(['x', 'y'])
    expect(found[0]?.problem?.message).toBe('2 servers have the name "x": rename all but one')
    await expect(found[0]?.target()).rejects.toBe(found[0]?.problem)
    expect(found[1]?.problem).toBeUndefined()
  })

  it('are at most MAX_SERVERS', async () => {
    const many = (count: number) => ({
      mcpServers: Object.fromEntries(Array.from({ length: count }, (_, i) => [`s${i}`, { command: 'a' }])),
    })
    expect((await definitions(many(MAX_SERVERS))).length).toBe(1_000)
    await expect(loadServers(many(MAX_SERVERS + 1))).rejects.toThrow(/1001 servers; MAX_SERVERS is 1000/)
  })
})

describe('questions of a configuration', () => {
  const source = (server: object) => ({
    inputs: [{ type: 'promptString', id: 'key', description: 'The key', password: true }],
    servers: { a: server },
  })

  it('are asked when the server is wanted, once for all who need the answer', async () => {
    const asked: unknown[] = []
    const input = async (question: unknown) => {
      asked.push(question)
      return '${TOKEN}'
    }
    const server = { command: 'a', args: ['${input:key}'], env: { K: '${input:key}' } }
    const { servers } = await loadServers({ ...source(server), servers: { a: server, b: server } }, { input, variables })
    expect(servers.map(({ problem: none }) => none)).toEqual([undefined, undefined])
    expect(asked).toEqual([])
    for (const each of servers) expect(await each.target()).toMatchObject({ args: ['${TOKEN}'], env: { K: '${TOKEN}' } })
    expect(asked).toEqual([{ id: 'key', description: 'The key', password: true }])
  })

  it('that nobody answers are the problem of the server', async () => {
    const { servers } = await loadServers(source({ command: 'a', args: ['${input:key}'] }), { input: () => undefined })
    await expect(servers[0]?.target()).rejects.toThrow(/its args\[0\] needs the input "key"/)
  })

  it('are answered by what they suggest when nobody is there', async () => {
    const inputs = [{ id: 'mode', default: 'fast' }]
    expect(await targets({ inputs, servers: { a: { command: 'a', args: ['${input:mode}'] } } })).toMatchObject({ a: { args: ['fast'] } })
  })
})
