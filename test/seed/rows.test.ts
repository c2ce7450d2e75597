import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Client } from '../../src/client.ts'
import { connected } from '../support/connected.ts'
import { legacyServer, modernServer, SILENCE } from '../support/fake-server.ts'
import { recordingLogger } from '../support/loggers.ts'

/** Promises of the seed that no other test shows. */
describe('a client', () => {
  it.each(['legacy', 'modern'])('tells the server all that it is given of the client, in the %s era', async (era) => {
    const clientInfo = {
      name: 'host',
      version: '1.2.3',
      title: 'The Host',
      description: 'Hosts things',
      websiteUrl: 'https://example.com',
      icons: [{ src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] }],
    }
    const server = era === 'legacy' ? legacyServer() : modernServer()
    await connected(server, { clientInfo })
    const [greeting] = server.calls(era === 'legacy' ? 'initialize' : 'server/discover')
    const params = greeting?.params as { clientInfo?: unknown; _meta?: Record<string, unknown> }
    expect(era === 'legacy' ? params.clientInfo : params._meta?.['io.modelcontextprotocol/clientInfo']).toEqual(clientInfo)
  })

  it('warns once of a schema that can be checked in part only, and keeps the result', async () => {
    const logger = recordingLogger()
    const outputSchema = { $schema: 'https://example.com/dialect-of-nobody', type: 'object' }
    const server = legacyServer({
      'tools/list': () => ({ tools: [{ name: 'x', inputSchema: { type: 'object' }, outputSchema }] }),
      'tools/call': () => ({ content: [], structuredContent: { a: 1 } }),
    })
    const client = await connected(server, { logger })
    await client.listTools()
    const result = await client.callTool('x')
    expect(result.structuredContent).toEqual({ a: 1 })
    expect(logger.of('warn')).toEqual([expect.stringContaining('dialect-of-nobody')])
  })
})

describe('deadlines', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const methods: readonly [string, (client: Client, options: { timeoutMs: number }) => Promise<unknown>][] = [
    ['tools/list', (client, options) => client.listTools(options)],
    ['tools/call', (client, options) => client.callTool('x', {}, options)],
    ['prompts/list', (client, options) => client.listPrompts(options)],
    ['prompts/get', (client, options) => client.getPrompt('x', {}, options)],
    ['resources/list', (client, options) => client.listResources(options)],
    ['resources/templates/list', (client, options) => client.listResourceTemplates(options)],
    ['resources/read', (client, options) => client.readResource('a:b', options)],
    ['logging/setLevel', (client, options) => client.setLogLevel('debug', options)],
    ['ping', (client, options) => client.ping(options)],
    ['vendor/method', (client, options) => client.request('vendor/method', {}, options)],
  ]

  it.each(methods)('a deadline ends %s', async (method, ask) => {
    const server = legacyServer({ [method]: () => SILENCE })
    const client = await connected(server)
    const failure = ask(client, { timeoutMs: 700 }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(600)
    expect(server.calls('notifications/cancelled')).toEqual([])
    await vi.advanceTimersByTimeAsync(300)
    expect(await failure).toMatchObject({ code: 'ERR_MCP_TIMEOUT', timeoutMs: 700, method, outcome: 'unknown' })
    expect(server.calls('notifications/cancelled')).toHaveLength(1)
  })
})
