import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { MAX_DEPTH } from '../../../src/config/files/parse-json.ts'
import { MAX_YAML_CHARS } from '../../../src/config/files/parse-yaml.ts'
import { MAX_CONFIG_BYTES } from '../../../src/config/files/read-text.ts'
import { loadServers } from '../../../src/config/index.ts'
import { ConfigError } from '../../../src/errors.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-config-')))
afterAll(() => rmSync(root, { recursive: true }))

let count = 0
function written(name: string, content: string | Uint8Array): string {
  const file = join(root, String(count++), name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

async function names(file: string): Promise<string[]> {
  return (await loadServers(file)).servers.map(({ name }) => name)
}

async function refusal(file: string | URL): Promise<ConfigError> {
  const error = await loadServers(file).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ConfigError)
  return error instanceof ConfigError ? error : new ConfigError('none')
}

describe('a configuration file', () => {
  const one = '{ "mcpServers": { "a": { "command": "a" } } }'

  it.each<[string, string, string | Uint8Array]>([
    ['JSON', 'x.json', one],
    ['JSON with comments and trailing commas', 'x.json', '// c\n{ /* c */ "mcpServers": { "a": { "command": "a", }, }, }'],
    ['JSON with a byte order mark', 'x.json', `\ufeff${one}`],
    ['JSON in UTF-16, as some shells of Windows write it', 'x.json', Buffer.from(`\ufeff${one}`, 'utf16le')],
    ['JSON with the line ends of Windows', 'x.jsonc', one.replaceAll(' ', '\r\n')],
    ['a list', 'x.json', '[{ "name": "a", "command": "a" }]'],
    ['one server', 'x.json', '{ "name": "a", "command": "a", "comment": "x" }'],
    ['a record', 'x.json', '{ "$schema": "x", "comment": "y", "version": 1, "a": { "url": "https://h/" } }'],
    ['a record of texts', 'x.json', '{ "mcpServers": { "a": "npx -y x" } }'],
    ['servers', 'x.json', '{ "servers": { "a": { "command": "a" } } }'],
    ['TOML', 'x.toml', '[mcp_servers.a]\ncommand = "a"\n'],
    ['TOML of the shared shape', 'x.toml', '[mcpServers.a]\ncommand = "a"\n'],
    ['YAML', 'x.yaml', 'mcpServers:\n  a:\n    command: a\n'],
    ['YAML of Goose', 'x.yml', 'extensions: {a: {type: stdio, cmd: a}}'],
    ['context_servers of Zed', 'x.json', '{ "context_servers": { "a": { "command": "a" } } }'],
    ['mcp of opencode', 'x.json', '{ "mcp": { "a": { "type": "local", "command": ["a"] } } }'],
    ['mcp.servers of VS Code', 'x.json', '{ "mcp": { "servers": { "a": { "command": "a" } } } }'],
    ['a shape in the file of another', '.vscode/mcp.json', one],
  ])('may be %s', async (_, name, content) => {
    expect(await names(written(name, content))).toEqual(['a'])
  })

  it('is named by its path or its URL, in a list beside targets too', async () => {
    const file = written('x.json', one)
    expect((await loadServers(pathToFileURL(file))).servers.map(({ name }) => name)).toEqual(['a'])
    expect((await loadServers(pathToFileURL(file).href)).servers.map(({ name }) => name)).toEqual(['a'])
    const { servers } = await loadServers([
      file,
      { command: 'b', name: 'b' },
      pathToFileURL(written('y.toml', '[mcpServers.c]\ncommand="c"')),
    ])
    expect(servers.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  })

  it('may be empty of servers', async () => {
    expect(await names(written('x.json', '{ "mcpServers": {} }'))).toEqual([])
  })

  it('keeps names that JavaScript has a use for', async () => {
    const file = written('x.json', '{ "mcpServers": { "__proto__": { "command": "a" }, "constructor": { "command": "b" } } }')
    expect(await names(file)).toEqual(['__proto__', 'constructor'])
    expect(await names(written('x.toml', '[mcp_servers.__proto__]\ncommand = "a"'))).toEqual(['__proto__'])
  })

  it('resolves the folders and files that it names from where it stands', async () => {
    const file = written(
      'x.json',
      '{ "mcpServers": { "a": { "command": "a", "cwd": "tools", "envFile": "x.env", "args": ["${file:x.txt}"] } } }',
    )
    writeFileSync(join(dirname(file), 'x.env'), '# c\nA=1\nexport B="two words"\n')
    writeFileSync(join(dirname(file), 'x.txt'), 'text ${HOME}\n')
    const { servers } = await loadServers(file)
    expect(await servers[0]?.target()).toEqual({
      name: 'a',
      command: 'a',
      args: ['text ${HOME}'],
      env: { A: '1', B: 'two words' },
      cwd: join(dirname(file), 'tools'),
    })
  })

  it('that names a file which is missing: the server says so', async () => {
    const { servers } = await loadServers(written('x.json', '{ "mcpServers": { "a": { "command": "a", "envFile": "none.env" } } }'))
    await expect(servers[0]?.target()).rejects.toThrow(/none\.env: the env file does not exist/)
  })
})

describe('a configuration file that cannot be read', () => {
  it.each<[string, string, string | Uint8Array, RegExp]>([
    ['is empty', 'x.json', '', /x\.json:1:1: the file is empty/],
    ['holds a comment only', 'x.json', '// c\n', /:1:1: the file is empty|is not JSON/],
    ['is no JSON', 'x.json', '{\n  "mcpServers": {\n    "a" 1\n', /x\.json:3:9: this is not JSON: colon expected/],
    ['ends too early', 'x.json', '{ "mcpServers": {', /x\.json:1:18: this is not JSON: close brace expected/],
    ['has something behind its end', 'x.json', '{}\n}', /x\.json:2:1: this is not JSON: end of file expected/],
    ['is a text', 'x.json', '"hello"', /x\.json:1:1: the configuration is a string: write \{ "mcpServers"/],
    ['is null', 'x.json', 'null', /the configuration is null/],
    ['names no server', 'x.json', '{ "theme": "dark" }', /the configuration names no server: write/],
    ['has a list for servers', 'x.json', '{\n  "mcpServers": [] }', /x\.json:2:3: mcpServers must be an object/],
    ['is no TOML', 'x.toml', '[a]\nb = \n', /x\.toml:2:\d+: this is not TOML: /],
    [
      'has a table twice',
      'x.toml',
      '[mcp_servers.a]\ncommand="a"\n[mcp_servers.a]\ncommand="b"',
      /x\.toml:3:\d+: this is not TOML: .*redefine/,
    ],
    ['is no YAML', 'x.yaml', 'a: [1\nb: 2\n', /x\.yaml:\d+:\d+: this is not YAML: /],
    ['is empty YAML', 'x.yaml', '# c\n', /x\.yaml: the file is empty/],
    ['has YAML that would grow without end', 'x.yaml', bomb(), /cannot be read: Excessive alias count/],
    ['is nested too deep', 'x.json', `{"a":${'['.repeat(MAX_DEPTH)}`, /x\.json:1:105: more than 100 levels/],
    ['is nested too deep in TOML', 'x.toml', `a = ${'['.repeat(MAX_DEPTH + 2)}`, /x\.toml:1:\d+: this is not TOML: .*nested/],
    ['is nested too deep in YAML', 'x.yaml', '['.repeat(MAX_YAML_CHARS / 2), /x\.yaml: more than 100 levels/],
    ['has blocks nested too deep in YAML', 'x.yaml', '- '.repeat(8_000), /x\.yaml: more than 100 levels/],
    ['is too long in YAML', 'x.yaml', `a: ${'x'.repeat(MAX_YAML_CHARS)}`, /131075 characters; the most YAML that is read is 131072/],
    ['is too long', 'x.json', new Uint8Array(MAX_CONFIG_BYTES + 1).fill(32), /16777217 bytes; the most that are read is 16777216/],
  ])('because it %s, says where and what to do', async (_, name, content, message) => {
    const file = written(name, content)
    const error = await refusal(file)
    expect(error.message).toMatch(message)
    expect(error).toMatchObject({ code: 'ERR_MCP_CONFIG', file })
    const [, line, column] = /:(\d+):(\d+): /.exec(error.message) ?? []
    expect([error.line, error.column].map((each) => each?.toString())).toEqual([line, column])
  })

  it('because it is missing, or no file, says that', async () => {
    expect((await refusal(join(root, 'none.json'))).message).toMatch(
      /none\.json: the configuration does not exist: check the path, or create/,
    )
    expect((await refusal(root)).message).toMatch(/this is no file: name the configuration file itself/)
  })

  it('because it may not be read, says that', async () => {
    const file = written('x.json', '{}')
    chmodSync(file, 0)
    chmodSync(root, 0o755)
    // Root reads everything, so it becomes nobody for a moment.
    const wasRoot = process.getuid?.() === 0
    if (wasRoot) process.seteuid?.(65_534)
    try {
      expect((await refusal(file)).message).toMatch(/x\.json: the configuration may not be read: change its permissions/)
    } finally {
      if (wasRoot) process.seteuid?.(0)
    }
  })

  it('up to its depth is read', async () => {
    const list = `${'['.repeat(MAX_DEPTH - 3)}${']'.repeat(MAX_DEPTH - 3)}`
    expect(await names(written('x.json', `{"mcpServers":{"a":{"command":"a","x":${list}}}}`))).toEqual(['a'])
    expect(await names(written('x.yaml', `{"mcpServers":{"a":{"command":"a","x":${list}}}}`))).toEqual(['a'])
  })
})

function bomb(): string {
  const lines = ['a0: &a0 [x,x,x,x,x,x,x,x,x,x]']
  for (let i = 1; i < 9; i++) lines.push(`a${i}: &a${i} [${Array.from({ length: 10 }, () => `*a${i - 1}`).join(',')}]`)
  return lines.join('\n')
}

describe('a server of a file', () => {
  it('that cannot be used says in which line', async () => {
    const file = written(
      'x.json',
      '{\n  "mcpServers": {\n    "a": {\n      "command": "a",\n      "env": {\n        "T": "${NO_SUCH_VARIABLE}" } },\n    "b": 5\n  }\n}',
    )
    const { servers } = await loadServers(file)
    expect(servers.map(({ problem }) => problem?.message)).toEqual([
      `${file}:6:9: the server "a" cannot be used: its env.T needs the variable NO_SUCH_VARIABLE, which is not set: set it, or write \${NO_SUCH_VARIABLE:-default}`,
      `${file}:7:5: the server "b" is no object: write { "command": … } or { "url": … }`,
    ])
    expect(servers[0]?.problem).toMatchObject({ file, line: 6, column: 9, server: 'a' })
  })

  it.each([
    ['x.json', '{ "mcpServers": {\n "a": { "command": "a" },\n "b": { "command": "b" },\n "a": { "command": "c" } } }'],
    ['x.yaml', 'mcpServers:\n  a: { command: a }\n  b: { command: b }\n  a: { command: c }'],
    ['x.json', '[\n{ "name": "a", "command": "a" },\n{ "name": "a", "command": "c" }, { "name": "b", "command": "b" }]'],
  ])('whose name stands twice cannot be used, and both lines are told: %s', async (name, content) => {
    const file = written(name, content)
    const { servers } = await loadServers(file)
    expect(servers.map((each) => each.name)).toEqual(['a', 'b'])
    expect(servers[0]?.problem?.message).toMatch(/2 servers have the name "a" \(.*:2, .*:[34]\): rename all but one/)
    expect(servers[1]?.problem).toBeUndefined()
  })
})

describe('what a project brings along', () => {
  it('is told apart from what its user named', async () => {
    const scopes = [
      'x.json',
      '.mcp.json',
      '.vscode/mcp.json',
      '.cursor/mcp.json',
      '.codex/config.toml',
      '.gemini/settings.json',
      'opencode.json',
    ]
    const found: Record<string, string | undefined> = {}
    for (const name of scopes) {
      const content = name.endsWith('toml') ? '[mcp_servers.a]\ncommand="a"' : '{ "mcpServers": { "a": { "command": "a" } } }'
      const { servers } = await loadServers(written(name, content))
      found[name] = `${servers[0]?.origin.scope} ${servers[0]?.needsAgreement}`
    }
    expect(found).toEqual({ ...Object.fromEntries(scopes.map((name) => [name, 'project true'])), 'x.json': 'file false' })
  })

  it('may be trusted as a whole', async () => {
    const file = written('.mcp.json', '{ "mcpServers": { "a": { "command": "a" } } }')
    const { servers } = await loadServers(file, { trust: true })
    expect(servers[0]?.needsAgreement).toBe(false)
    expect(await servers[0]?.target()).toMatchObject({ command: 'a' })
  })
})
