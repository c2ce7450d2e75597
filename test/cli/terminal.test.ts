import { spawn, spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { CLI, type Surroundings } from './switchboard.ts'

/** `script` gives a program a terminal; the one of util-linux is meant. */
const why = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '')
  ? ''
  : 'there is no script command of util-linux'
if (why !== '') console.log(`skip: the command in a terminal (${why})`)

beforeEach((context) => {
  if (why !== '') context.skip(why)
})

type Reply = readonly [seen: string, keys: string]

/** Runs `switchboard` in a terminal of 100 columns, and types the keys when what they answer is seen. */
function inTerminal(
  words: string,
  replies: readonly Reply[] = [],
  { cwd, env }: Surroundings = {},
): Promise<{ code: number | null; screen: string }> {
  const line = `stty cols 100; exec "${process.execPath}" "${CLI}" ${words}`
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    env: { ...process.env, TERM: 'xterm-256color', NO_COLOR: '1', ...env },
    cwd,
  })
  const waiting = [...replies]
  let screen = ''
  let from = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text
    const [next] = waiting
    if (next === undefined || !screen.slice(from).includes(next[0])) return
    from = screen.length
    waiting.shift()
    child.stdin.write(next[1])
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, screen })))
}

describe('in a terminal', () => {
  it('the table keeps to the width of the terminal', async () => {
    const { code, screen } = await inTerminal('tools demo')
    expect(code).toBe(0)
    expect(screen).toContain('…')
    for (const line of screen.split('\r\n')) expect(line.length).toBeLessThanOrEqual(100)
  })

  it('a long call draws its progress on one line, and takes it back', async () => {
    const { code, screen } = await inTerminal('call demo slow steps=10 delayMs=100')
    expect(code).toBe(0)
    expect(screen).toMatch(/slow {2}█+░+ +\d+ % {2}\d s {2}step \d+ of 10/)
    expect(screen.split('\u001b[2K').at(-1)).toBe('10 steps done\r\n')
  })

  it('Ctrl-C during a call ends it with 130', async () => {
    const { code, screen } = await inTerminal('call demo slow steps=100 delayMs=100', [['step', '\u0003']])
    expect(code).toBe(130)
    expect(screen).toContain('interrupted')
  })

  it('a form is asked field by field, and the answer reaches the tool', async () => {
    const { code, screen } = await inTerminal('call demo ask', [
      ['Name', 'Ada\r'],
      ['Age', '\r'],
      ['Send this', '\r'],
    ])
    expect(code).toBe(0)
    expect(screen).toContain('demo asks: Who are you?')
    expect(screen).toContain('{"action":"accept","content":{"age":42,"name":"Ada"}}')
  })

  it('Escape in a form answers with cancel', async () => {
    const { code, screen } = await inTerminal('call demo ask', [['Name', '\u001b']])
    expect(code).toBe(0)
    expect(screen).toContain('{"action":"cancel"}')
  })

  it('Ctrl-C in a form interrupts the command', async () => {
    expect((await inTerminal('call demo ask', [['Name', '\u0003']])).code).toBe(130)
  })

  it('a page to visit is shown as a whole URL with its host, and needs a yes', async () => {
    const { code, screen } = await inTerminal('call demo visit', [['Do you agree', 'y']])
    expect(code).toBe(0)
    expect(screen).toMatch(/\r\nhttps:\/\/example\.com\/visit\/[0-9a-f-]{36}\r\n/)
    expect(screen).toContain('at example.com?')
    expect(screen).toContain('{"action":"accept"}')
  })

  it('a page that is not visited is declined', async () => {
    expect((await inTerminal('call demo visit', [['Do you agree', '\r']])).screen).toContain('{"action":"decline"}')
  })

  it('control sequences in a result do nothing', async () => {
    const { screen } = await inTerminal(`call demo echo message="$(printf 'a\\033[2Jb')"`)
    expect(screen).toBe('ab\r\n')
  })

  it("what a project's own file would start is shown whole and asked for, once", async () => {
    const home = await temporaryFolder()
    const cwd = join(home, 'project')
    await mkdir(cwd)
    await writeFile(
      join(cwd, '.mcp.json'),
      JSON.stringify({ mcpServers: { theirs: { command: process.execPath, args: [CLI, 'serve-demo'] } } }),
    )
    const surroundings = { cwd, env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), XDG_STATE_HOME: join(home, '.state') } }
    const call = (replies: readonly Reply[]) => inTerminal('call theirs echo message=hello', replies, surroundings)
    const refused = await call([['Do you trust it', 'n']])
    expect(refused.code).toBe(2)
    expect(refused.screen.replaceAll('\r\n', '')).toContain(`its server "theirs" would start: ${process.execPath} ${CLI} serve-demo`)
    expect((await call([['Do you trust it', 'y']])).screen).toContain('hello')
    const again = await call([])
    expect(again.code).toBe(0)
    expect(again.screen).toBe('hello\r\n')
  })
})
