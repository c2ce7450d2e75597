import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolveTarget } from 'mcp-switchboard/config'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('a target that a person wrote', () => {
  it.each([
    ['https://example.com/mcp', 'https://example.com/mcp'],
    [' http://localhost:3000 ', 'http://localhost:3000'],
    ['npx -y some-server /home', 'npx -y some-server /home'],
    ['stdio://./server --flag', 'stdio://./server --flag'],
  ])('%s is taken as it is', async (text, expected) => {
    expect(await resolveTarget(text)).toBe(expected)
  })

  it('demo is the demo server of this package, or the command that the caller has for it', async () => {
    expect(await resolveTarget('demo')).toEqual(['npx', '-y', 'mcp-switchboard', 'serve-demo'])
    expect(await resolveTarget('demo', { demo: ['switchboard', 'serve-demo'] })).toEqual(['switchboard', 'serve-demo'])
  })

  it.each([
    ['ftp://example.com', 'a scheme that names no server'],
    ['http://', 'not a valid URL'],
    ['./server', 'neither a URL nor a known command'],
    ['', 'neither a URL nor a known command'],
    ['stdio://', 'names no command'],
  ])('%j is refused', async (text, message) => {
    await expect(resolveTarget(text)).rejects.toThrow(message)
    await expect(resolveTarget(text)).rejects.toBeInstanceOf(TypeError)
  })
})

describe('a configured server', () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-resolve-')))
  const cwd = join(home, 'project')
  const around = { home, cwd, platform: 'linux', env: { TOKEN: 'secret' } }
  const several = join(home, 'several.json')
  const one = join(home, 'one.toml')
  beforeAll(() => {
    mkdirSync(join(home, '.cursor'))
    mkdirSync(cwd)
    const servers = { files: { command: 'a', args: ['${TOKEN}'] }, demo: { command: 'b' }, node: { command: 'c' }, broken: { args: [] } }
    writeFileSync(join(home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: servers }))
    writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { near: { command: 'd' } } }))
    writeFileSync(several, JSON.stringify({ mcpServers: { files: { url: 'https://h/' }, 'a:b': { command: 'e' } } }))
    writeFileSync(one, '[mcp_servers.only]\ncommand = "f"\nargs = ["${TOKEN}"]')
  })
  afterAll(() => rmSync(home, { recursive: true }))

  it('is found by its name', async () => {
    expect(await resolveTarget('files', around)).toEqual({ name: 'files', command: 'a', args: ['secret'] })
  })

  it('is found in a file that is named with it, or that has no other', async () => {
    expect(await resolveTarget(`${several}:files`, around)).toEqual({ name: 'files', url: 'https://h/' })
    expect(await resolveTarget(`${several}:a:b`, around)).toMatchObject({ command: 'e' })
    expect(await resolveTarget(one, around)).toEqual({ name: 'only', command: 'f', args: ['secret'] })
  })

  it.each([
    ['demo', /"demo" may be the demo server \(.*\) or the server of Cursor \(.*mcp\.json:demo\): write the one/],
    ['node', /"node" may be the server of Cursor \(.*\) or a command \(… -- node\)/],
    ['fiels', /neither a URL nor a known command.*; a configured server is called "files"/],
    [several, /several\.json names several servers: write .*several\.json:files, or another of files, a:b/],
  ])('whose name fits two readings, or none, is a usage error: %s', async (text, message) => {
    await expect(resolveTarget(text, around)).rejects.toThrow(message)
    await expect(resolveTarget(text, around)).rejects.toBeInstanceOf(TypeError)
  })

  it('that cannot be used says why', async () => {
    await expect(resolveTarget('broken', around)).rejects.toThrow(/mcp\.json:1:\d+: the server "broken" says neither which command/)
    await expect(resolveTarget(`${several}:fils`, around)).rejects.toThrow('there is no server "fils"; did you mean "files"?')
    await expect(resolveTarget(join(home, 'none.json'), around)).rejects.toThrow(/does not exist/)
  })

  it("of a project's own file is asked for once", async () => {
    const asked: unknown[] = []
    const agree = (answer: boolean) => async (server: { name: string; written?: string | undefined }) => {
      asked.push([server.name, server.written])
      return answer
    }
    await expect(resolveTarget('near', around)).rejects.toThrow(/would start: d; agree to it once/)
    await expect(resolveTarget('near', { ...around, agree: agree(false) })).rejects.toThrow(/would start/)
    expect(await resolveTarget('near', { ...around, agree: agree(true) })).toMatchObject({ command: 'd', cwd })
    expect(await resolveTarget('near', { ...around, agree: agree(false) })).toMatchObject({ command: 'd' })
    expect(asked).toEqual([
      ['near', 'd'],
      ['near', 'd'],
    ])
    const elsewhere = { ...around, env: { ...around.env, XDG_STATE_HOME: join(home, 'other-state') } }
    await expect(resolveTarget('near', elsewhere)).rejects.toThrow(/would start/)
    expect(await resolveTarget('near', { ...elsewhere, trust: true })).toMatchObject({ command: 'd' })
  })
})
