import { describe, expect, it } from 'vitest'
import { ProtocolError } from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { legacyServer, type Message, modernServer, TEXT_RESULT } from '../../support/fake-server.ts'
import { ownStreams } from '../../support/own-streams.ts'
import { rejection } from '../../support/settled.ts'

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const declared = (message: Message | undefined): unknown => {
  const params = message?.params as { capabilities?: Message; _meta?: Record<string, Message> } | undefined
  return (params?._meta?.[CAPABILITIES] ?? params?.capabilities)?.extensions
}

describe('extensions', () => {
  it('that nobody turned on are not declared', async () => {
    const modern = modernServer({ 'tools/call': () => TEXT_RESULT })
    await (await connected(modern)).callTool('x')
    expect(declared(modern.calls('tools/call')[0])).toBeUndefined()
    const legacy = legacyServer()
    await connected(legacy)
    expect(declared(legacy.calls('initialize')[0])).toBeUndefined()
  })

  const extensions = ['io.modelcontextprotocol/tasks', { id: 'com.example/own', settings: { level: 3 } }, 'io.modelcontextprotocol/ui']
  const expected = {
    'io.modelcontextprotocol/tasks': {},
    'com.example/own': { level: 3 },
    'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] },
  }

  it('that are on are declared with every request of the modern era', async () => {
    const fake = modernServer({ 'tools/call': () => TEXT_RESULT })
    const client = await connected(fake, { extensions })
    await client.callTool('x')
    await client.callTool('y', {}, { meta: { [CAPABILITIES]: {} } })
    for (const message of fake.received) expect(declared(message)).toEqual(expected)
    expect(fake.received.length).toBeGreaterThan(2)
  })

  it('that are on are declared once in the legacy era', async () => {
    const fake = legacyServer()
    await connected(fake, { extensions })
    expect(declared(fake.calls('initialize')[0])).toEqual(expected)
  })

  it('settings of the caller win over those that are known', async () => {
    const fake = legacyServer()
    await connected(fake, { extensions: [{ id: 'io.modelcontextprotocol/ui', settings: { mimeTypes: [] } }] })
    expect(declared(fake.calls('initialize')[0])).toEqual({ 'io.modelcontextprotocol/ui': { mimeTypes: [] } })
  })

  it('bring values of resultType for the methods they name, and for no other', async () => {
    const fake = modernServer({
      'tools/call': () => ({ resultType: 'com.example/later', ticket: 7 }),
      'resources/read': () => ({ resultType: 'com.example/later', ticket: 8 }),
    })
    const own = { id: 'com.example/own', resultTypes: { 'tools/call': ['com.example/later'] } }
    const client = await connected(fake, { extensions: [own] })
    expect(await client.request('tools/call', { name: 'x' })).toMatchObject({ ticket: 7 })
    expect(await rejection(client.readResource('a:b'))).toBeInstanceOf(ProtocolError)
    const without = await connected(fake)
    expect(await rejection(without.request('tools/call', { name: 'x' }))).toBeInstanceOf(ProtocolError)
  })

  it('bring parameters that Mcp-Name repeats', async () => {
    const fake = modernServer({ 'vendor/get': () => ({ resultType: 'complete' }), 'vendor/put': () => ({ resultType: 'complete' }) })
    const streams = ownStreams(fake)
    const client = await connected(streams.transport, { extensions: [{ id: 'com.example/own', names: { 'vendor/get': 'key' } }] })
    await client.request('vendor/get', { key: 'ä' })
    await client.request('vendor/put', { key: 'b' })
    const names = fake.received.map(({ id }) => streams.options.get(id)?.headers?.['mcp-name'])
    expect(names).toEqual([undefined, `=?base64?${Buffer.from('ä').toString('base64')}?=`, undefined])
  })
})
