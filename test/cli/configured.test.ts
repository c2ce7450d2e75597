import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLI, switchboard } from './switchboard.ts'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-cli-')))
const project = join(home, 'project')
const own = { command: process.execPath, args: [CLI, 'serve-demo'] }
/** Everything below this home, nothing of the person who runs the tests. */
const surroundings = { cwd: project, env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), XDG_STATE_HOME: join(home, '.state') } }

beforeAll(() => {
  mkdirSync(join(home, '.cursor'))
  mkdirSync(project)
  writeFileSync(join(home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { mine: { ...own, env: { FROM: 'config' } }, broken: {} } }))
  writeFileSync(join(project, '.mcp.json'), `{ "mcpServers": { /* the project's */ "theirs": ${JSON.stringify(own)}, } }`)
  writeFileSync(
    join(project, 'servers.toml'),
    `[mcp_servers.other]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify(own.args)}`,
  )
})
afterAll(() => rmSync(home, { recursive: true }))

describe('a server of a configuration is a target', () => {
  it('by its name', async () => {
    const { code, stdout, stderr } = await switchboard(['call', 'mine', 'echo', 'message=hi'], surroundings)
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'hi\n', stderr: '' })
  })

  it('by its file and name, and by the file alone when it has no other', async () => {
    for (const target of ['servers.toml:other', 'servers.toml']) {
      const { code, stdout } = await switchboard(['tools', target, '--json'], surroundings)
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ transport: 'stdio' })
    }
  })

  it("of a project's own file with --trust only, where there is no terminal to ask in", async () => {
    const refused = await switchboard(['tools', 'theirs'], surroundings)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(`its server "theirs" would start: ${process.execPath} ${CLI} serve-demo`)
    expect(refused.stderr).toContain('--trust')
    expect((await switchboard(['tools', 'theirs', '--trust'], surroundings)).code).toBe(0)
  })

  it('that cannot be used is told on one line of JSON', async () => {
    const { code, stdout, stderr } = await switchboard(['tools', 'broken', '--json'], surroundings)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'ERR_MCP_CONFIG', server: 'broken', outcome: 'not-run' } })
  })

  it('that is misspelt is told with what was meant', async () => {
    const { code, stderr } = await switchboard(['tools', 'mien'], surroundings)
    expect(code).toBe(2)
    expect(stderr).toContain('a configured server is called "mine"')
  })
})
