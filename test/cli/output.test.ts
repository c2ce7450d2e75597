import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { alive, child } from '../support/child-servers.ts'
import { CLI, errorOf, start, switchboard } from './switchboard.ts'

const TOOLS = ['echo', 'add', 'slow', 'fail', 'media', 'log', 'ask', 'visit', 'summarize', 'workspace', 'job', 'broken']

describe('switchboard tools', () => {
  it('shows the server, the revision, the transport and one line for each tool', async () => {
    const { code, stdout, stderr } = await switchboard(['tools', 'demo'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [head, blank, titles, ...lines] = stdout.trimEnd().split('\n')
    expect(head).toBe('Demo server 1.0.0  protocol 2026-07-28 · stdio · 12 tools')
    expect(blank).toBe('')
    expect(titles?.split(/ {2,}/)).toEqual(['TOOL', 'ARGUMENTS', 'HINTS', 'DESCRIPTION'])
    expect(lines.map((line) => line.split(' ')[0])).toEqual(TOOLS)
    expect(lines[0]).toMatch(/^echo {2,}message \[region\] {2,}read-only idempotent|^echo {2,}message \[region\] {2,}read-only {2,}Answers/)
  })

  it('as JSON has the server, the revision, the transport and the whole definitions', async () => {
    const { code, stdout, stderr } = await switchboard(['tools', 'demo', '--era', '2025-06-18', '-o', 'json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const value = JSON.parse(stdout)
    expect(Object.keys(value)).toEqual(['server', 'protocolVersion', 'transport', 'tools'])
    expect(value).toMatchObject({ server: { name: 'demo', version: '1.0.0' }, protocolVersion: '2025-06-18', transport: 'stdio' })
    expect(value.tools[1]).toMatchObject({ name: 'add', outputSchema: { type: 'object' } })
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
  })

  it('takes a command line in one word, behind dashes and as a stdio URL', async () => {
    const words = `"${process.execPath}" "${CLI}" serve-demo --era legacy`
    for (const line of [
      ['tools', `stdio://${words}`],
      ['tools', '--', process.execPath, CLI, 'serve-demo', '--era', 'legacy'],
    ]) {
      const { code, stdout } = await switchboard(line)
      expect(code).toBe(0)
      expect(stdout).toContain('protocol 2025-11-25')
    }
  })

  it('gives the server process the variables and the folder that the options name', async () => {
    const say = `legacy(); on('tools/list', () => ({ tools: [{ name: process.env.FLAVOR + process.cwd(), inputSchema: { type: 'object' } }] }))`
    const { stdout } = await switchboard(['tools', '--json', '--env', 'FLAVOR=sour', '--cwd', '/', '--', ...child(say)])
    expect(JSON.parse(stdout).tools[0].name).toBe('sour/')
  })

  it('lets no control sequence of the server through to a line of the table', async () => {
    const say = `legacy(); on('tools/list', () => ({ tools: [{ name: 'a\\u001b[2Jb', description: 'x\\u001b]0;title\\u0007y\\nmore', inputSchema: {} }] }))`
    const { stdout } = await switchboard(['tools', '--', ...child(say)])
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^ab +xy$/)
  })
})

describe('switchboard call', () => {
  it('prints text as it is and a line for everything else', async () => {
    const { stdout } = await switchboard(['call', 'demo', 'media'])
    expect(stdout.trimEnd().split('\n')).toEqual([
      'a text',
      '[image: image/png, 89 bytes]',
      '[audio: audio/wav, 60 bytes]',
      '[resource: demo://text, text/plain]',
      'an embedded text',
      '[resource: demo://image, image/png, 89 bytes]',
      '[link: demo://item/1, item 1, application/json]',
    ])
  })

  it('prints structured content where there is no text', async () => {
    const server = child(`legacy(); on('tools/list', () => ({ tools: [{ name: 't', inputSchema: { type: 'object' } }] }));
      tools(() => ({ content: [], structuredContent: { sum: 3 } }))`)
    expect((await switchboard(['call', 't', '--', ...server])).stdout).toBe('{\n  "sum": 3\n}\n')
  })

  it('as JSON prints the result as it came, on one line', async () => {
    const { code, stdout, stderr } = await switchboard(['call', 'demo', 'add', 'a=1', 'b=2', '--json', '--era', 'legacy'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({ content: [{ type: 'text', text: '{"sum":3}' }], structuredContent: { sum: 3 } })
    expect(stdout.indexOf('\n')).toBe(stdout.length - 1)
  })

  it('reads arguments from stdin, from files and from --args', async () => {
    expect(await switchboard(['call', 'demo', 'add', '-'], { stdin: '{"a": 1, "b": 2}' })).toMatchObject({ code: 0, stdout: '{"sum":3}\n' })
    expect(await switchboard(['call', 'demo', 'echo', 'message=-'], { stdin: 'from stdin' })).toMatchObject({ stdout: 'from stdin\n' })
    const version = await switchboard(['call', 'demo', 'echo', 'message=@package.json'])
    expect(version.stdout).toContain('"name": "mcp-switchboard"')
    expect(await switchboard(['call', 'demo', 'add', '--args', '{"a":1,"b":1}', 'b=41'])).toMatchObject({ stdout: '{"sum":42}\n' })
  })

  it('warns of an argument that the tool does not name and sends it all the same', async () => {
    const { code, stdout, stderr } = await switchboard(['call', 'demo', 'echo', 'message=hi', 'regin=x'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'hi\n' })
    expect(stderr).toBe('warning: the tool names no argument regin; it is sent all the same; did you mean region?\n')
  })

  it('refuses an argument that the schema forbids, and names the closest', async () => {
    const server = child(`legacy(); tools(text('ran'));
      on('tools/list', () => ({ tools: [{ name: 't', inputSchema: { type: 'object', properties: { path: {} }, additionalProperties: false } }] }))`)
    const ended = await switchboard(['call', 't', 'pth=x', '--json', '--', ...server])
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(errorOf(ended)).toMatchObject({ code: 'ERR_USAGE', hint: 'did you mean path?' })
  })

  it('answers a question with cancel where there is no terminal, and says so on stderr', async () => {
    for (const tool of ['ask', 'visit']) {
      const { code, stdout, stderr } = await switchboard(['call', 'demo', tool])
      expect({ code, stdout }).toEqual({ code: 0, stdout: '{"action":"cancel"}\n' })
      expect(stderr).toContain('answered with cancel')
    }
  })

  it('draws no progress where stderr is no terminal', async () => {
    expect(await switchboard(['call', 'demo', 'slow', 'steps=5', 'delayMs=100'])).toEqual({ code: 0, stdout: '5 steps done\n', stderr: '' })
  })

  it('is silent about the stderr of the server unless it is asked for it', async () => {
    const server = child(`console.error('starting up'); legacy(); tools(text('done'));
      on('tools/list', () => ({ tools: [{ name: 't', inputSchema: { type: 'object' } }] }))`)
    expect(await switchboard(['call', 't', '--', ...server])).toEqual({ code: 0, stdout: 'done\n', stderr: '' })
    const verbose = await switchboard(['call', 't', '--verbose', '--', ...server])
    expect(verbose).toMatchObject({ code: 0, stdout: 'done\n' })
    expect(verbose.stderr).toContain('server: starting up\n')
  })

  it('under --json writes nothing but JSON objects to stderr', async () => {
    const { stderr } = await switchboard(['call', 'demo', 'ask', 'nonsense=1', '--json', '--verbose'])
    const kinds = stderr
      .trimEnd()
      .split('\n')
      .map((line) => Object.keys(JSON.parse(line))[0])
    expect(kinds).toEqual(expect.arrayContaining(['warning']))
  })

  it('is quiet when the reader of its output leaves', async () => {
    const shell = `"${process.execPath}" "${CLI}" tools demo --json | true`
    const { stderr } = spawnSync('sh', ['-c', shell], { encoding: 'utf8' })
    expect(stderr).toBe('')
  })
})

describe('switchboard serve-demo', () => {
  it('prints its URL, serves both eras there, and ends with Ctrl-C', async () => {
    const running = start(['serve-demo', '--http', '--port', '0'])
    await running.shows('/mcp')
    const url = running.shown().trim()
    const modern = await switchboard(['tools', url])
    expect(modern.stdout).toContain('protocol 2026-07-28 · streamable-http · 12 tools')
    const legacy = await switchboard(['call', url, 'echo', 'message=hi', '--era', 'legacy', '--header', 'X-Try: 1'])
    expect(legacy).toEqual({ code: 0, stdout: 'hi\n', stderr: '' })
    running.process.kill('SIGINT')
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' })
    expect(alive(running.process.pid ?? 0)).toBe(false)
  })
})
