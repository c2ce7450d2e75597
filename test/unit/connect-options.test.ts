import { describe, expect, it } from 'vitest'
import { connect } from '../../src/connect.ts'
import type { ConnectOptions } from '../../src/connect-options.ts'
import { DEFAULT_LIMITS } from '../../src/limits.ts'
import { modernServer } from '../support/fake-server.ts'
import { rejection } from '../support/settled.ts'

async function refusal(target: unknown, options: unknown): Promise<Error> {
  const error = await rejection(connect(target as never, options as never))
  expect(error).toBeInstanceOf(TypeError)
  return error as Error
}

const STDIO = ['no-such-command-here']
const HTTP = 'http://127.0.0.1:1/mcp'

describe('options of connect', () => {
  it.each<[string, unknown]>([
    ['timeoutMs', 0],
    ['timeoutMs', -1],
    ['timeoutMs', '5'],
    ['timeoutMs', Number.NaN],
    ['maxTotalTimeoutMs', Number.NaN],
    ['handlerTimeoutMs', 0],
    ['connectTimeoutMs', null],
    ['probeTimeoutMs', '3s'],
    ['resetTimeoutOnProgress', 'yes'],
    ['throwOnToolError', 1],
    ['name', 5],
    ['clientInfo', {}],
    ['clientInfo', { name: 'x' }],
    ['clientInfo', { name: 'x', version: 1 }],
    ['clientInfo', null],
    ['era', 5],
    ['era', '2020-01-01'],
    ['era', ''],
    ['validate', 'x'],
    ['validateArguments', 'x'],
    ['transport', 'websocket'],
    ['logger', true],
    ['logger', {}],
    ['logger', { warn() {} }],
    ['roots', 'file:///a'],
    ['roots', [{ uri: 'https://a' }]],
    ['roots', [{ uri: 'file:///a/../../etc' }]],
    ['roots', [{ uri: 'file:///a/%2e%2e/b' }]],
    ['roots', ['file:///a']],
    ['extensions', 'io.modelcontextprotocol/tasks'],
    ['extensions', [5]],
    ['extensions', ['tasks']],
    ['extensions', ['/tasks']],
    ['extensions', ['com.example/']],
    ['extensions', ['com..example/x']],
    ['extensions', [{ settings: {} }]],
    ['extensions', [{ id: 'com.example/x', settings: 5 }]],
    ['extensions', ['com.example/x', { id: 'com.example/x' }]],
    ['handlers', 5],
    ['handlers', { sampling: 5 }],
    ['handlers', { sampling: {} }],
    ['handlers', { elicitation: {} }],
    ['handlers', { elicitation: 'x' }],
    ['handlers', { elicitations: () => undefined }],
    ['interceptors', {}],
    ['interceptors', [1]],
    ['signal', {}],
    ['limits', 5],
    ['limits', { maxPages: 0 }],
    ['limits', { maxPages: 1.5 }],
    ['limits', { maxPages: '5' }],
    ['limits', { noSuchLimit: 5 }],
    ['fetch', () => {}],
    ['headers', {}],
    ['env', {}],
    ['cwd', '/'],
    ['shutdownGraceMs', 5],
    ['timeout', 5],
    ['__proto__x', 5],
  ])('name what is wrong and send nothing: %s %j', async (name, value) => {
    const server = modernServer()
    const error = await refusal(server, { [name]: value })
    expect(error.message).toContain(name.startsWith('limits') ? 'limits' : name.replace(/^(era|roots|limits)$/, (each) => each.slice(0, 4)))
    expect(server.opened).toBe(0)
  })

  it('that do not apply to a server of this kind are told from ones that do not exist', async () => {
    expect((await refusal(STDIO, { headers: {} })).message).toMatch(/headers.*http/)
    expect((await refusal(HTTP, { env: {} })).message).toMatch(/env.*stdio/)
    expect((await refusal(HTTP, { stderr: () => {} })).message).toMatch(/stderr.*stdio/)
    expect((await refusal(STDIO, { headerz: {} })).message).toMatch(/no option headerz/)
    expect((await refusal({ command: 'no-such-command-here', headers: {} }, {})).message).toMatch(/headers/)
  })

  it('force a transport only where it fits', async () => {
    expect((await refusal(STDIO, { transport: 'streamable-http' })).message).toMatch(/streamable-http.*stdio/)
    expect((await refusal(HTTP, { transport: 'stdio' })).message).toMatch(/stdio.*http/)
    const listed = await refusal(HTTP, { transport: 'carrier-pigeon' })
    for (const value of ['auto', 'stdio', 'streamable-http']) expect(listed.message).toContain(`'${value}'`)
  })

  it('name every revision when the asked one is none', async () => {
    const { message } = await refusal(modernServer(), { era: '2020-01-01' })
    for (const value of ['auto', 'legacy', 'modern', '2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
      expect(message).toContain(value)
    }
  })

  it('that are undefined count as not given', async () => {
    const names = ['timeoutMs', 'era', 'handlers', 'roots', 'signal', 'limits', 'logger', 'name', 'headers', 'env', 'noSuchOption']
    const options = Object.fromEntries(names.map((name) => [name, undefined])) as ConnectOptions
    const client = await connect(modernServer(), options)
    expect(client.name).toBe('fake')
    await client.close()
  })

  it('override those of an explicit server', async () => {
    const error = await rejection(connect({ command: 'no-such-command-here', name: 'first' } as never, { name: 'second' }))
    expect(error).toMatchObject({ server: 'second', code: 'ERR_MCP_CONNECTION' })
    expect(await rejection(connect({ command: 'no-such-command-here', name: 'first' } as never))).toMatchObject({ server: 'first' })
    expect(await rejection(connect(STDIO))).toMatchObject({ server: 'no-such-command-here' })
  })

  it.each(['timeoutMs', 'maxTotalTimeoutMs', 'handlerTimeoutMs', 'connectTimeoutMs', 'probeTimeoutMs'])(
    'take Infinity and more than timers can count for %s',
    async (name) => {
      for (const ms of [Number.POSITIVE_INFINITY, 2 ** 31, 1e15]) {
        const client = await connect(modernServer({ 'tools/call': () => ({ content: [] }) }), { [name]: ms })
        expect((await client.callTool('x')).content).toEqual([])
        await client.close()
      }
    },
  )

  it('take limits that are documented, each a positive integer', () => {
    expect(DEFAULT_LIMITS).toMatchObject({
      maxMessageBytes: 268_435_456,
      maxDecompressedBytes: 67_108_864,
      maxEventIdChars: 1_024,
      maxHeaderBytes: 16_384,
      maxDepth: 512,
      maxPages: 10_000,
      maxItems: 1_000_000,
      maxCacheChars: 33_554_432,
      maxInboundRequests: 64,
      maxPendingRequests: 10_000,
      maxCallsPerOrigin: 128,
      maxReconnects: 5,
      maxRedirects: 3,
      maxRounds: 10,
      maxStderrBytes: 65_536,
      maxPeerTextChars: 4_096,
      maxDocumentBytes: 1_048_576,
      maxSchemaSteps: 1_000_000,
      maxSubschemas: 10_000,
    })
  })
})
