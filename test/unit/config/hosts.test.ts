import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Discovery, discoverServers, readTarget } from '../../../src/config/index.ts'

const fixtures = fileURLToPath(new URL('./hosts/', import.meta.url))
const root = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-hosts-')))
const home = join(root, 'home')
const project = join(home, 'project')
const env = { TEST_TOKEN: 'secret', PATH: '/bin' }
const files = {
  'Claude Desktop': ['claude_desktop_config.json', join(home, '.config/Claude/claude_desktop_config.json')],
  'Claude Code': ['claude.mcp.json', join(project, '.mcp.json')],
  Cursor: ['cursor.mcp.json', join(project, '.cursor/mcp.json')],
  'VS Code': ['vscode.mcp.json', join(project, '.vscode/mcp.json')],
  Windsurf: ['windsurf.mcp_config.json', join(home, '.codeium/windsurf/mcp_config.json')],
  Codex: ['codex.config.toml', join(home, '.codex/config.toml')],
  'Gemini CLI': ['gemini.settings.json', join(project, '.gemini/settings.json')],
  opencode: ['opencode.jsonc', join(project, 'opencode.jsonc')],
  Zed: ['zed.settings.json', join(home, '.config/zed/settings.json')],
  Cline: ['cline_mcp_settings.json', join(home, '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json')],
  Goose: ['goose.config.yaml', join(home, '.config/goose/config.yaml')],
  'LM Studio': ['lmstudio.mcp.json', join(home, '.lmstudio/mcp.json')],
} as const

let found: Discovery

beforeAll(async () => {
  for (const [fixture, place] of Object.values(files)) {
    mkdirSync(dirname(place), { recursive: true })
    copyFileSync(join(fixtures, fixture), place)
  }
  for (const folder of [project, home]) {
    writeFileSync(join(folder, 'test.env'), 'FROM_FILE="a b"\nTOKEN=loses\n')
    writeFileSync(join(folder, 'key.txt'), 'k3y\n')
  }
  found = await discoverServers({ home, cwd: project, platform: 'linux', env, trust: true, input: ({ id }) => `answer to ${id}` })
})

afterAll(() => rmSync(root, { recursive: true }))

const npx = { command: 'npx', args: ['-y', 'server'] }
const remote = { url: 'https://mcp.example.com/mcp' }

/** What `connect` is to get, by host and server; `off` are those that are switched off. */
const EXPECTED: Readonly<Record<keyof typeof files, Readonly<Record<string, object>>>> = {
  'Claude Desktop': {
    filesystem: {
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-filesystem', `${home}/Documents`],
      env: { TOKEN: 'secret' },
    },
  },
  'Claude Code': {
    api: { url: 'https://api.example.com/mcp', type: 'http', headers: { Authorization: 'Bearer secret' }, timeoutMs: 30_000 },
    events: { url: 'https://events.example.com/sse', type: 'sse' },
    local: { command: 'node', args: ['./server.js'], cwd: project },
  },
  Cursor: {
    files: {
      command: `${home}/bin/server`,
      args: ['--root', project, '--name=project', 'a/b/c'],
      env: { FROM_FILE: 'a b', TOKEN: 'secret' },
      cwd: project,
    },
    remote: { ...remote, headers: { 'X-Key': 'secret' } },
  },
  'VS Code': {
    github: { url: 'https://api.example.com/mcp/', type: 'http', headers: { Authorization: 'Bearer answer to api-key' } },
    local: {
      command: 'npx',
      args: ['-y', 'server', project, 'answer to mode'],
      env: { FROM_FILE: 'a b', TOKEN: 'secret' },
      cwd: project,
    },
  },
  Windsurf: {
    remote: { url: 'https://mcp.example.com/sse', headers: { 'X-Key': 'secret' } },
    local: { ...npx, env: { KEY: 'k3y' } },
  },
  Codex: {
    docs: {
      command: 'npx',
      args: ['-y', 'docs-server'],
      cwd: `${home}/docs`,
      env: { TEST_TOKEN: 'secret', MODE: 'quiet' },
      connectTimeoutMs: 20_000,
      timeoutMs: 45_500,
    },
    'with.dot': { ...remote, headers: { Authorization: 'Bearer secret', 'X-Key': 'secret', 'X-Plain': '1' } },
  },
  'Gemini CLI': {
    python: {
      command: 'python',
      args: ['-m', 'server', '--token', 'secret'],
      env: { TOKEN: 'secret', PRICE: '5$' },
      cwd: join(project, 'tools'),
      timeoutMs: 15_000,
    },
    remote: { ...remote, type: 'http', headers: { 'X-Key': 'secret' } },
    events: { url: 'https://mcp.example.com/sse' },
  },
  opencode: {
    local: { ...npx, env: { TOKEN: 'secret', KEY: 'k3y' }, connectTimeoutMs: 5_000, cwd: project },
    remote: { ...remote, headers: { Authorization: 'Bearer secret' } },
  },
  Zed: {
    local: { ...npx, env: { TOKEN: 'secret' } },
    older: { command: 'old-server', args: ['--stdio'], env: { A: '1' } },
    remote: { ...remote, headers: { Authorization: 'Bearer secret' } },
  },
  Cline: {
    local: { command: 'node', args: ['server.js'], env: { TOKEN: 'secret' }, timeoutMs: 60_000 },
    remote: { ...remote, type: 'streamable-http', headers: { 'X-Key': 'secret' } },
  },
  Goose: {
    fetch: { command: 'uvx', args: ['mcp-server-fetch', 'plain'], env: { PLAIN: '1', TEST_TOKEN: 'secret' }, timeoutMs: 300_000 },
    remote: { ...remote, type: 'streamable-http', headers: { 'X-Key': 'secret' } },
  },
  'LM Studio': { remote: { ...remote, headers: { Authorization: 'Bearer secret' } }, local: npx },
}

describe.each(Object.entries(EXPECTED))('the servers of %s', (dialect, expected) => {
  const own = () => found.servers.filter(({ origin }) => origin.dialect === dialect)
  const file = new Map<string, string>(Object.entries(files).map(([name, [, place]]) => [name, place])).get(dialect)

  it('are found in its file, each with its line', () => {
    expect(found.files).toContainEqual(
      expect.objectContaining({ file, dialect, problem: undefined, servers: Object.keys(expected).length + 1 }),
    )
    for (const { origin } of own()) expect(origin).toMatchObject({ file, line: expect.any(Number) })
  })

  it('have the values that their file says, and a target that connect takes', async () => {
    const targets: [string, unknown][] = []
    for (const definition of own().filter(({ disabled }) => !disabled)) {
      const target = await definition.target()
      expect(readTarget(target).kind).toBe(definition.kind)
      targets.push([definition.name, target])
    }
    expect(Object.fromEntries(targets)).toEqual(
      Object.fromEntries(Object.entries(expected).map(([name, target]) => [name, { name, ...target }])),
    )
  })

  it('are switched off as it does that', () => {
    expect(
      own()
        .filter(({ disabled }) => disabled)
        .map(({ name }) => name),
    ).toEqual(['off'])
  })

  it('hold nothing that would be told as unknown', () => {
    expect(
      own()
        .map(({ unknown }) => unknown)
        .filter((unknown) => Object.keys(unknown).length > 0),
    ).toEqual([])
  })
})

describe('some hosts', () => {
  const named = (dialect: string, name: string) => found.servers.find((each) => each.origin.dialect === dialect && each.name === name)

  it('let tools through and keep some back', () => {
    expect(named('Codex', 'docs')?.tools).toEqual({ allow: ['search'], deny: ['delete'] })
    expect(named('Gemini CLI', 'python')?.tools).toEqual({ allow: ['safe'], deny: ['unsafe'] })
    expect(named('Goose', 'fetch')?.tools).toEqual({ allow: ['fetch'], deny: undefined })
    expect(named('Windsurf', 'remote')?.tools).toEqual({ allow: undefined, deny: ['delete'] })
  })

  it('have entries that only they can start: those are left out and told', () => {
    expect(named('Goose', 'developer')).toBeUndefined()
    expect(named('Zed', 'extension')).toBeUndefined()
    expect(found.notices).toContainEqual(expect.stringMatching(/the server "developer" is part of Goose itself \(builtin\)/))
    expect(found.notices).toContainEqual(expect.stringMatching(/the server "extension" belongs to an extension of Zed/))
  })

  it('give the line of a server', () => {
    expect(named('Claude Code', 'events')?.origin.line).toBe(11)
    expect(named('Codex', 'with.dot')?.origin.line).toBe(17)
    expect(named('Goose', 'fetch')?.origin.line).toBe(9)
  })

  it('keep secrets that we cannot read: the server says which variable it needs instead', async () => {
    const { servers } = await discoverServers({ home, cwd: home, platform: 'linux', env: {} })
    const goose = servers.find(({ origin, name }) => origin.dialect === 'Goose' && name === 'fetch')
    expect(goose?.problem?.message).toMatch(
      /config\.yaml:\d+:\d+: the server "fetch" has TEST_TOKEN in a store that only its host can read/,
    )
    const codex = servers.find(({ name }) => name === 'with.dot')
    expect(codex?.problem?.message).toMatch(/takes the bearer token from the variable TEST_TOKEN, which is not set/)
  })
})
