import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLI, switchboard } from './switchboard.ts'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-servers-')))
const project = join(home, 'project')
const demo = { command: process.execPath, args: [CLI, 'serve-demo'] }
const marked = join(home, 'was-started')
/** Leaves a trace when it is started. */
const trace = {
  command: process.execPath,
  args: ['-e', `require('fs').writeFileSync(${JSON.stringify(marked)}, ''); process.stdin.resume()`],
}
const surroundings = { cwd: project, env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), XDG_STATE_HOME: join(home, '.state') } }

beforeAll(() => {
  mkdirSync(join(home, '.cursor'))
  mkdirSync(project)
  const mcpServers = {
    mine: demo,
    off: { ...demo, disabled: true },
    gone: { command: '/no/such/program' },
    unset: { command: 'x', args: [`${'$'}{NOT_SET_ANYWHERE}`] },
  }
  writeFileSync(join(home, '.cursor/mcp.json'), JSON.stringify({ mcpServers }, undefined, 2))
  writeFileSync(join(project, '.mcp.json'), JSON.stringify({ mcpServers: { theirs: trace } }))
  writeFileSync(join(home, 'good.json'), JSON.stringify({ mcpServers: { only: demo } }))
  writeFileSync(join(home, 'none.json'), JSON.stringify({ mcpServers: {} }))
  writeFileSync(
    join(home, 'hangs.json'),
    JSON.stringify({ mcpServers: { hangs: { command: process.execPath, args: ['-e', 'process.stdin.resume()'] }, only: demo } }),
  )
})
afterAll(() => rmSync(home, { recursive: true }))

interface Listed {
  readonly servers: readonly { readonly name: string; readonly state: string; readonly [key: string]: unknown }[]
}
const read = (stdout: string): Listed => JSON.parse(stdout)
const states = (stdout: string): Record<string, string> => Object.fromEntries(read(stdout).servers.map(({ name, state }) => [name, state]))

describe('switchboard servers', () => {
  it('lists what is configured, where, and how it stands with each, and starts nothing that nobody agreed to', async () => {
    const { code, stdout } = await switchboard(['servers', '--json'], surroundings)
    expect(code).toBe(1)
    expect(states(stdout)).toEqual({ mine: 'ready', off: 'disabled', gone: 'failed', unset: 'failed', theirs: 'failed' })
    const by = Object.fromEntries(read(stdout).servers.map((server) => [server.name, server]))
    expect(by.mine).toMatchObject({
      origin: { scope: 'user', file: join(home, '.cursor/mcp.json'), line: 3 },
      kind: 'stdio',
      protocolVersion: '2026-07-28',
      transport: 'stdio',
      server: { name: 'demo' },
      tools: 12,
      connectMs: expect.any(Number),
    })
    expect(by.gone).toMatchObject({ error: { code: 'ERR_MCP_CONNECTION', server: 'gone' } })
    expect(by.unset).toMatchObject({ error: { code: 'ERR_MCP_CONFIG', message: expect.stringContaining('NOT_SET_ANYWHERE') } })
    expect(by.theirs).toMatchObject({ origin: { scope: 'project' }, error: { code: 'ERR_MCP_CONFIG' } })
    expect(() => realpathSync(marked)).toThrow(/ENOENT/)
  })

  it('is a table for people', async () => {
    const { stdout } = await switchboard(['servers'], surroundings)
    expect(stdout).toMatch(/^SERVER +STATE +PROTOCOL +FROM +ABOUT$/m)
    expect(stdout).toMatch(/^mine +ready +2026-07-28 +\S+ .*mcp\.json:3 +demo \S+ · stdio · 12 tools$/m)
    expect(stdout).toMatch(/^gone +failed .*no such command/m)
    expect(stdout).toMatch(/^off +disabled /m)
  })

  it('reaches nothing with --no-connect', async () => {
    const { code, stdout } = await switchboard(['servers', '--no-connect', '--trust', '--json'], surroundings)
    expect(states(stdout)).toEqual({ mine: 'unknown', off: 'disabled', gone: 'unknown', unset: 'failed', theirs: 'unknown' })
    expect(code).toBe(1)
    expect(() => realpathSync(marked)).toThrow(/ENOENT/)
  })

  it('of one file succeeds when every server is there', async () => {
    const { code, stdout, stderr } = await switchboard(['servers', join(home, 'good.json'), '--json'], surroundings)
    expect(states(stdout)).toEqual({ only: 'ready' })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('waits for one that hangs no longer than it is told, and for the others all the same', async () => {
    const line = ['servers', join(home, 'hangs.json'), '--json', '--connect-timeout-ms', '8000']
    const { code, stdout } = await switchboard(line, surroundings)
    expect(states(stdout)).toEqual({ hangs: 'failed', only: 'ready' })
    expect(read(stdout).servers[0]).toMatchObject({ error: { code: 'ERR_MCP_TIMEOUT' } })
    expect(code).toBe(1)
  })

  it('says so when nothing is configured', async () => {
    const { code, stdout } = await switchboard(['servers', join(home, 'none.json')], surroundings)
    expect(stdout).toContain('no server is configured in')
    expect(code).toBe(0)
  })

  it.each([
    [['servers', 'a.json', 'b.json'], 'one word too many'],
    [['servers', '--', 'node'], 'servers takes no command'],
    [['servers', '/no/such.json'], '/no/such.json'],
    [['servers', '--connect-timeout-ms', '0'], 'positive'],
  ])('refuses %j', async (words, why) => {
    const { code, stderr } = await switchboard(words, surroundings)
    expect(code).toBe(2)
    expect(stderr).toContain(why)
  })
})
