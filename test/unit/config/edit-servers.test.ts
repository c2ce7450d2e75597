import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { addServer, enableServer, loadServers, removeServer } from '../../../src/config/index.ts'
import { ConfigError } from '../../../src/errors.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-edit-')))
afterAll(() => rmSync(root, { recursive: true }))

let count = 0
function written(name: string, content: string): string {
  const file = join(root, String(count++), name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

const text = (file: string) => readFileSync(file, 'utf8')

const json = `// my servers
{
    "theme": "dark", // stays
    "mcpServers": {
        "b": { "command": "b" }, /* and this */
        // a's comment
        "a": {
            "args": [ "x",   "y" ],
            "command": "a",
        },
    },
}
`
const toml = `# my servers
model = "x"   # stays

[mcp_servers.b]
command = "b"

# a's comment
[mcp_servers.a]
args = [ "x",   "y" ] # as it is
command = "a"

[mcp_servers.a.env]
K = "v"

# the end
[other]
x = 1
`
const yaml = `# my servers
GOOSE_MODEL: x   # stays
extensions:
  b:
    type: stdio
    cmd: b

  # a's comment
  a:
    type: stdio
    cmd: 'a'   # as it is
    args:
    - x
    -   y
# the end
other: [ 1,   2 ]
`
const server = { command: 'c', args: ['1', 'two words'], env: { K: 'v' } }

describe('a server is added', () => {
  it('to JSON, in its own indentation, and nothing else changes', async () => {
    const file = written('x.json', json)
    await addServer(file, 'c', server)
    const after = text(file)
    for (const line of json.split('\n').slice(0, 9)) expect(after).toContain(line)
    expect(after).toContain('        "c": {\n            "command": "c",')
    expect(await (await loadServers(file)).servers.find(({ name }) => name === 'c')?.target()).toMatchObject(server)
  })

  it('to TOML, as a table at the end', async () => {
    const file = written('config.toml', toml)
    await addServer(file, 'c.d', server)
    expect(text(file).startsWith(toml)).toBe(true)
    expect(text(file).slice(toml.length)).toBe(
      '\n[mcp_servers."c.d"]\ncommand = "c"\nargs = [ "1", "two words" ]\n\n[mcp_servers."c.d".env]\nK = "v"\n',
    )
  })

  it('to YAML, behind its brothers', async () => {
    const file = written('config.yaml', yaml)
    await addServer(file, 'c', { type: 'stdio', cmd: 'c', args: ['1'] })
    const [head = '', tail = ''] = yaml.split('# the end')
    expect(text(file)).toBe(`${head}  c:\n    type: stdio\n    cmd: c\n    args:\n      - "1"\n# the end${tail}`)
  })

  it.each([
    ['x.json', '{\n  "mcpServers": {\n    "c": {\n      "command": "c",\n'],
    ['.vscode/mcp.json', '{\n  "servers": {\n    "c": {\n'],
    ['.codex/config.toml', '[mcp_servers.c]\ncommand = "c"\n'],
    ['x.yaml', 'mcpServers:\n  c:\n    command: c\n'],
  ])('to a file that does not exist, in the words of its host: %s', async (name, start) => {
    const file = join(root, String(count++), name)
    await addServer(file, 'c', server)
    expect(text(file).startsWith(start)).toBe(true)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await loadServers(file, { trust: true })).servers.map(({ name: each }) => each)).toEqual(['c'])
  })

  it.each([
    ['x.json', json],
    ['config.toml', toml],
    ['config.yaml', yaml],
  ])('over another of its name only when that is said: %s', async (name, content) => {
    const file = written(name, content)
    await expect(addServer(file, 'a', server)).rejects.toThrow(/there is a server "a" already/)
    expect(text(file)).toBe(content)
    await addServer(file, 'a', name.endsWith('yaml') ? { type: 'stdio', cmd: 'c' } : server, { replace: true })
    const found = (await loadServers(file)).servers
    expect(found.map((each) => each.name).sort()).toEqual(['a', 'b'])
    expect(await found.find((each) => each.name === 'a')?.target()).toMatchObject({ command: 'c' })
    expect(text(file)).toContain('my servers')
  })
})

describe('a server is removed', () => {
  it('from JSON', async () => {
    const file = written('x.json', json)
    await removeServer(file, 'b')
    expect(text(file)).toContain('"theme": "dark", // stays')
    expect(text(file)).toContain('"args": [ "x",   "y" ],')
    expect((await loadServers(file)).servers.map(({ name }) => name)).toEqual(['a'])
  })

  it('from TOML, with the tables below it', async () => {
    const file = written('config.toml', toml)
    await removeServer(file, 'a')
    expect(text(file)).toBe(toml.replace(/\[mcp_servers\.a\]\n[\s\S]*?K = "v"\n/, ''))
  })

  it('from YAML', async () => {
    const file = written('config.yaml', yaml)
    await removeServer(file, 'a')
    expect(text(file)).toBe(yaml.replace(/ {2}a:\n[\s\S]*? {3}y\n/, ''))
  })
})

describe('a server is switched off and on', () => {
  it.each([
    ['x.json', json, '"disabled": true', '"disabled": false'],
    ['config.toml', toml, '[mcp_servers.a]\nenabled = false\n', '[mcp_servers.a]\nenabled = true\n'],
    ['config.yaml', yaml, '    enabled: false\n', '    enabled: true\n'],
  ])('in %s', async (name, content, off, on) => {
    const file = written(name, content)
    await enableServer(file, 'a', false)
    expect(text(file)).toContain(off)
    expect((await loadServers(file)).servers.find((each) => each.name === 'a')?.disabled).toBe(true)
    await enableServer(file, 'a', true)
    expect(text(file)).toContain(on)
    expect((await loadServers(file)).servers.find((each) => each.name === 'a')?.disabled).toBe(false)
    for (const kept of ['my servers', 'stays', "a's comment"]) expect(text(file)).toContain(kept)
  })
})

describe('a file is not touched', () => {
  it.each([
    ['x.json', '{ "mcpServers": { "a": { "command": "a" } '],
    ['config.toml', '[mcp_servers.a\n'],
    ['config.yaml', 'extensions: [\n'],
  ])('that cannot be read: %s', async (name, content) => {
    const file = written(name, content)
    for (const change of [() => addServer(file, 'c', server), () => removeServer(file, 'a'), () => enableServer(file, 'a', false)]) {
      await expect(change()).rejects.toBeInstanceOf(ConfigError)
    }
    expect(text(file)).toBe(content)
    expect(readdirSync(dirname(file))).toEqual([name])
  })

  it.each<[string, string, (file: string) => Promise<void>, RegExp]>([
    ['x.json', json, (file) => removeServer(file, 'z'), /x\.json:4:5: there is no server "z"/],
    ['x.json', '[{ "name": "a", "command": "a" }]', (file) => removeServer(file, 'a'), /edit a list by hand/],
    [
      'x.toml',
      'mcp_servers = { a = { command = "a" } }',
      (file) => removeServer(file, 'a'),
      /cannot be made without touching more of this file/,
    ],
    ['x.json', '{ "mcpServers": [] }', (file) => addServer(file, 'c', server), /cannot be made without touching more of this file/],
    ['x.toml', 'mcp_servers = { a = { command = "a" } }', (file) => addServer(file, 'c', server), /cannot be made without/],
    [
      'x.yaml',
      'extensions: { a: { cmd: a } }',
      (file) => enableServer(file, 'a', false),
      /cannot be made without touching more of this file/,
    ],
    [
      '.gemini/settings.json',
      '{ "mcpServers": { "a": { "command": "a" } } }',
      (file) => enableServer(file, 'a', false),
      /Gemini CLI switches servers off elsewhere in this file/,
    ],
  ])('when the change cannot be made: %s', async (name, content, change, message) => {
    const file = written(name, content)
    await expect(change(file)).rejects.toThrow(message)
    expect(text(file)).toBe(content)
  })

  it('by a name that is none', async () => {
    const file = written('x.json', json)
    await expect(addServer(file, '', server)).rejects.toThrow(TypeError)
  })
})

describe('a file that is written', () => {
  it('keeps its mode, its byte order mark, its line ends, and the link that it is reached by', async () => {
    const file = written('x.json', `\ufeff${json.replaceAll('\n', '\r\n')}`)
    chmodSync(file, 0o640)
    const link = join(dirname(file), 'link.json')
    symlinkSync(file, link)
    await addServer(link, 'c', server)
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(text(file).startsWith('\ufeff// my servers\r\n')).toBe(true)
    expect(text(file).replaceAll('\r\n', '')).not.toContain('\n')
    expect(readdirSync(dirname(file)).sort()).toEqual(['link.json', 'x.json'])
    expect(existsSync(`${file}.tmp`)).toBe(false)
  })
})
