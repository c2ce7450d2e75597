import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { grouped } from '../support/grouped.ts'
import { plainServer, sseServer, streamableServer } from '../support/legacy-http.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const demo = { command: process.execPath, args: ['--import', 'tsx', '--conditions=switchboard-source', 'src/cli/main.ts', 'serve-demo'] }

async function kinds(source: Parameters<typeof grouped>[0]): Promise<Record<string, string | undefined>> {
  const group = await grouped(source, { connectTimeoutMs: 20_000 })
  return Object.fromEntries([...group.servers].map(([name, { client, error }]) => [name, client?.transport ?? error?.message]))
}

describe('the servers of one file', () => {
  it('of every kind are reached as their type says, and as their URL says without one', async () => {
    const [plain, streamable, events] = [await plainServer(), await streamableServer('/mcp'), await sseServer()]
    const file = join(await temporaryFolder(), 'servers.json')
    const mcpServers = {
      process: { type: 'stdio', ...demo, description: 'a process' },
      'json, called http': { type: 'http', url: plain.url },
      'streams, called http': { type: 'http', url: streamable.url },
      'streams, called by an alias': { type: 'streamable_http', url: streamable.url, headers: { Authorization: 'Bearer TOKEN' } },
      'events, called sse': { type: 'sse', url: events.url },
      'events, not called': { url: events.url },
      'json, exactly': { transport: 'http', url: plain.origin, endpoint: '/api' },
    }
    await writeFile(file, JSON.stringify({ mcpServers }))
    expect(await kinds(file)).toEqual({
      process: 'stdio',
      'json, called http': 'http',
      'streams, called http': 'streamable-http',
      'streams, called by an alias': 'streamable-http',
      'events, called sse': 'sse',
      'events, not called': 'sse',
      'json, exactly': 'http',
    })
    expect(streamable.seen.map(({ headers }) => headers.authorization)).toContain('Bearer TOKEN')
  })

  it('stand beside servers that code names, and none costs another', async () => {
    const { url } = await streamableServer('/mcp')
    const file = join(await temporaryFolder(), 'servers.json')
    await writeFile(
      file,
      JSON.stringify({ mcpServers: { good: { url }, bad: { url: '${NO_SUCH_VARIABLE}' }, off: { url, disabled: true } } }),
    )
    const group = await grouped([file, { url, name: 'code' }])
    expect([...group.servers].map(([name, { state }]) => [name, state])).toEqual([
      ['good', 'ready'],
      ['bad', 'failed'],
      ['off', 'disabled'],
      ['code', 'ready'],
    ])
    expect(group.servers.get('bad')?.error?.message).toMatch(
      /servers\.json:1:\d+: the server "bad" cannot be used: its url needs the variable/,
    )
  })
})
