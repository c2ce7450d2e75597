import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { hostFiles } from '../../../src/config/files/host-files.ts'
import { surroundings } from '../../../src/config/files/surroundings.ts'
import { foldersOf } from '../../../src/config/hosts/place.ts'
import { agreeTo, discoverServers } from '../../../src/config/index.ts'
import { ConfigError } from '../../../src/errors.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-discover-')))
afterAll(() => rmSync(root, { recursive: true }))

let count = 0
let home = ''
let project = ''
beforeEach(() => {
  home = join(root, String(count++))
  project = join(home, 'work/project')
  mkdirSync(project, { recursive: true })
})

function put(file: string, content: string | object): string {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const server = (command: string) => ({ mcpServers: { files: { command } } })
const look = (more: object = {}) => discoverServers({ home, cwd: project, platform: 'linux', env: {}, ...more })

describe('the files of hosts are looked for', () => {
  it.each([
    [
      'linux',
      '/home/me',
      { XDG_CONFIG_HOME: '/xdg' },
      [
        '/xdg/Claude/claude_desktop_config.json',
        '/xdg/Code/User/mcp.json',
        '/xdg/zed/settings.json',
        '/xdg/goose/config.yaml',
        '/etc/gemini-cli/settings.json',
      ],
    ],
    [
      'darwin',
      '/Users/me',
      {},
      [
        '/Users/me/Library/Application Support/Claude/claude_desktop_config.json',
        '/Users/me/Library/Application Support/Code/User/mcp.json',
        '/Users/me/Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
        '/Users/me/.config/zed/settings.json',
        '/Users/me/.config/goose/config.yaml',
        '/Users/me/.claude.json',
        '/Users/me/.lmstudio/mcp.json',
        '/Library/Application Support/ClaudeCode/managed-mcp.json',
      ],
    ],
    [
      'win32',
      'C:\\Users\\me',
      { APPDATA: 'C:\\Users\\me\\AppData\\Roaming' },
      [
        'C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
        'C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json',
        'C:\\Users\\me\\AppData\\Roaming\\Zed\\settings.json',
        'C:\\Users\\me\\AppData\\Roaming\\Block\\goose\\config\\config.yaml',
        'C:\\Users\\me\\.codeium\\windsurf\\mcp_config.json',
        'C:\\Users\\me\\.codex\\config.toml',
        'C:\\Users\\me\\.cursor\\mcp.json',
        'C:\\Users\\me\\.gemini\\settings.json',
        'C:\\p\\.vscode\\mcp.json',
        'C:\\ProgramData\\gemini-cli\\settings.json',
      ],
    ],
  ])('where they stand on %s', (platform, me, env, expected) => {
    const cwd = platform === 'win32' ? 'C:\\p' : '/p'
    const around = surroundings(undefined, { home: me, cwd, platform, env })
    expect(hostFiles(around, [cwd]).map(({ file }) => file)).toEqual(expect.arrayContaining(expected))
  })

  it('where variables of the hosts move them', () => {
    const env = { CODEX_HOME: '/codex', CLAUDE_CONFIG_DIR: '/claude', OPENCODE_CONFIG: '/opencode/x.json', CLINE_DIR: '/cline' }
    const around = surroundings(undefined, { home: '/home/me', cwd: '/p', platform: 'linux', env })
    const files = hostFiles(around, []).map(({ file }) => file)
    for (const file of ['/codex/config.toml', '/claude/.claude.json', '/opencode/x.json', '/cline/data/settings/cline_mcp_settings.json']) {
      expect(files).toContain(file)
    }
  })

  it('nowhere, when nobody lives here', () => {
    const around = surroundings(undefined, { home: '/home/me', cwd: '/p', platform: 'linux', env: {} })
    expect(foldersOf({ ...around, home: undefined })).toBeUndefined()
  })
})

describe('of two servers of one name', () => {
  it("the project's wins over the user's, and the other says by what it is shadowed", async () => {
    const user = put(join(home, '.cursor/mcp.json'), server('user'))
    const own = put(join(project, '.cursor/mcp.json'), server('project'))
    const { servers, files } = await look({ trust: true })
    expect(servers.map(({ raw, origin, shadowedBy }) => [raw, origin.file, shadowedBy?.file])).toEqual([
      [{ command: 'project' }, own, undefined],
      [{ command: 'user' }, user, own],
    ])
    expect(files.map(({ file, dialect, scope, servers: many }) => [file, dialect, scope, many])).toEqual([
      [own, 'Cursor', 'project', 1],
      [user, 'Cursor', 'user', 1],
    ])
  })

  it("what a user's file says of one project wins over the project's own file, and counts there only", async () => {
    const settings = { mcpServers: { files: { command: 'user' } }, projects: { [project]: server('local') } }
    put(join(home, '.claude.json'), settings)
    put(join(project, '.mcp.json'), server('project'))
    const commands = async (more: object) => (await look({ trust: true, ...more })).servers.map(({ raw }) => raw)
    expect(await commands({})).toEqual([{ command: 'local' }, { command: 'project' }, { command: 'user' }])
    expect(await commands({ cwd: home })).toEqual([{ command: 'user' }])
  })

  it('the host that stands first wins among equals', async () => {
    put(join(home, '.lmstudio/mcp.json'), server('last'))
    put(join(home, '.codex/config.toml'), '[mcp_servers.files]\ncommand = "first"')
    expect((await look()).servers.map(({ raw, shadowedBy }) => [raw, shadowedBy?.dialect])).toEqual([
      [{ command: 'first' }, undefined],
      [{ command: 'last' }, 'Codex'],
    ])
  })
})

describe('a project', () => {
  it('reaches up to the folder of its repository, the nearest file first', async () => {
    mkdirSync(join(home, 'work/.git'))
    put(join(home, 'work/.mcp.json'), server('outer'))
    put(join(project, '.mcp.json'), server('inner'))
    put(join(home, '.mcp.json'), server('too far'))
    expect((await look()).servers.map(({ raw }) => raw)).toEqual([{ command: 'inner' }, { command: 'outer' }])
  })

  it('is the working folder only, where there is no repository', async () => {
    put(join(home, 'work/.mcp.json'), server('outer'))
    expect((await look()).servers).toEqual([])
  })

  it('is never the home folder', async () => {
    put(join(home, '.mcp.json'), server('home'))
    expect((await look({ cwd: home })).servers).toEqual([])
  })
})

describe('a file that cannot be read', () => {
  it('is told with its place, and costs the others nothing', async () => {
    const broken = put(join(home, '.cursor/mcp.json'), '{ "mcpServers": ')
    put(join(home, '.lmstudio/mcp.json'), server('good'))
    const { servers, files } = await look()
    expect(servers.map(({ raw }) => raw)).toEqual([{ command: 'good' }])
    const found = files.find(({ file }) => file === broken)
    expect(found?.problem).toBeInstanceOf(ConfigError)
    expect(found?.problem?.message).toMatch(/mcp\.json:1:17: this is not JSON/)
  })

  it('of a host without servers is no problem', async () => {
    put(join(home, '.config/zed/settings.json'), '{ "theme": "dark" }')
    put(join(home, '.codex/config.toml'), 'model = "x"')
    const { files, servers } = await look()
    expect(files.map(({ servers: many, problem }) => [many, problem])).toEqual([
      [0, undefined],
      [0, undefined],
    ])
    expect(servers).toEqual([])
  })
})

describe("a program of a project's own file", () => {
  const text = '{ "mcpServers": { "files": { "command": "evil", "args": ["--all", "${SECRET:-x}"], "env": { "LD_PRELOAD": "x.so" } } } }'
  const state = () => join(home, '.local/state/mcp-switchboard/agreements')
  const only = async (more: object = {}) => {
    const [first] = (await look(more)).servers
    if (first === undefined) throw new Error('nothing was found')
    return first
  }

  it('is not handed out before somebody agreed, and the refusal shows the whole command', async () => {
    const file = put(join(project, '.mcp.json'), text)
    const found = await only()
    expect(found).toMatchObject({ needsAgreement: true, written: 'evil --all ${SECRET:-x}', problem: undefined })
    const error = await found.target().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ConfigError)
    expect(String(error)).toContain(
      `${file}:1:19: the server "files" is named by a project's own file and would start: evil --all \${SECRET:-x}`,
    )
    expect(existsSync(state())).toBe(false)
  })

  it('is handed out after that, in this process and the next, until it changes', async () => {
    const file = put(join(project, '.mcp.json'), text)
    const found = await only()
    await agreeTo(found, { home, platform: 'linux', env: {} })
    expect(await found.target()).toMatchObject({ command: 'evil', args: ['--all', 'x'], cwd: project })
    put(file, `// reformatted\n${text.replace('"args"', '\n"args"')}`)
    expect(await (await only()).target()).toMatchObject({ command: 'evil' })
    put(file, text.replace('--all', '--more'))
    await expect((await only()).target()).rejects.toThrow(ConfigError)
  })

  it('is shown and agreed to with all that stands about it: folder, variables, and what inputs suggest', async () => {
    const written = (suggested: string, env = '--import data:text/javascript,x'): string =>
      JSON.stringify({
        inputs: [{ id: 'script', type: 'promptString', default: suggested }],
        servers: { files: { command: 'node', args: ['${input:script}'], env: { NODE_OPTIONS: env }, cwd: 'tools', envFile: 'own.env' } },
      })
    const file = put(join(project, '.vscode/mcp.json'), written('good.js'))
    put(join(project, 'own.env'), 'A=b\n')
    const found = await only()
    for (const part of ['node ${input:script}', 'tools', 'NODE_OPTIONS="--import data:text/javascript,x"', 'own.env', 'good.js']) {
      expect(found.agreement).toContain(part)
      await expect(found.target()).rejects.toThrow(part)
    }
    await agreeTo(found, { home, platform: 'linux', env: {} })
    expect(await (await only()).target()).toMatchObject({ command: 'node', args: ['good.js'] })
    put(file, written('evil.js'))
    await expect((await only()).target()).rejects.toThrow('evil.js')
    put(file, written('good.js', '--import other'))
    await expect((await only()).target()).rejects.toThrow('--import other')
  })

  it('is another program in another project', async () => {
    put(join(project, '.mcp.json'), text)
    await agreeTo(await only(), { home, platform: 'linux', env: {} })
    const other = join(home, 'work/other')
    put(join(other, '.mcp.json'), text)
    await expect((await only({ cwd: other })).target()).rejects.toThrow(ConfigError)
  })

  it('is remembered in files that only their user can read, written at once', async () => {
    put(join(project, '.mcp.json'), text)
    await agreeTo(await only(), { home, platform: 'linux', env: {} })
    const names = readdirSync(state())
    expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.json$/)])
    const file = join(state(), names[0] ?? '')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(state()).mode & 0o777).toBe(0o700)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      server: 'files',
      agreement: expect.stringContaining('evil --all ${SECRET:-x}'),
    })
  })

  it('may be trusted', async () => {
    put(join(project, '.mcp.json'), text)
    expect(await (await only({ trust: true })).target()).toMatchObject({ command: 'evil' })
  })

  it.each([
    ['a URL alone', { url: 'https://h/' }, false],
    ['a URL with a plain header', { url: 'https://h/', headers: { A: 'b' } }, false],
    ['a URL that is sent a variable', { url: 'https://h/', headers: { A: '${PATH}' } }, true],
    ['a URL that holds a variable', { url: 'https://h/${PATH:-x}' }, true],
    ['a URL that is sent the home folder', { url: 'https://h/?h=${userHome}' }, true],
    ['a URL that is sent a file', { url: 'https://h/', headers: { A: '${file:/etc/passwd}' } }, true],
  ])('and what is sent a secret need it: %s', async (_, files, expected) => {
    put(join(project, '.mcp.json'), { mcpServers: { files } })
    expect(await only({ env: { PATH: '/bin' } })).toMatchObject({ needsAgreement: expected, problem: undefined })
  })

  it("of the user's own file needs none", async () => {
    put(join(home, '.cursor/mcp.json'), text)
    expect(await (await only()).target()).toMatchObject({ command: 'evil' })
  })
})
