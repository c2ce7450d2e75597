import { describe, expect, it } from 'vitest'
import { type Interceptor, type MessageListener, RpcError } from '../../../src/index.ts'
import { demoServer } from '../../../src/testing/index.ts'
import { connected } from '../../support/connected.ts'
import { ERAS, legacyServer, ServerError } from '../../support/fake-server.ts'
import { recordingLogger } from '../../support/loggers.ts'
import { rejection, until } from '../../support/settled.ts'

function listening(): { readonly seen: string[]; readonly listener: MessageListener } {
  const seen: string[] = []
  return {
    seen,
    listener: {
      onMessage(message, direction, { server }) {
        const what = 'method' in message ? message.method : 'error' in message ? 'error' : 'result'
        seen.push(`${direction} ${what} ${server}`)
      },
    },
  }
}

describe('who listens to messages', () => {
  it('sees the handshake, requests, answers and notifications of both sides, in order', async () => {
    const { seen, listener } = listening()
    const fake = legacyServer({ 'tools/call': () => Promise.reject(new ServerError(-32000, 'no')) })
    const client = await connected(fake, { name: 'here', era: 'legacy', interceptors: [listener], roots: [] })
    fake.send({ jsonrpc: '2.0', id: 'q', method: 'roots/list' })
    await until(() => seen.length === 5)
    expect(await rejection(client.callTool('x'))).toBeInstanceOf(RpcError)
    client.roots = [{ uri: 'file:///a' }]
    await until(() => seen.length === 8)
    expect(seen).toEqual([
      'sent initialize here',
      'received result here',
      'sent notifications/initialized here',
      'received roots/list here',
      'sent result here',
      'sent tools/call here',
      'received error here',
      'sent notifications/roots/list_changed here',
    ])
  })

  it.each(ERAS)('who throws disturbs nobody, %s era', async (_era, server) => {
    const logger = recordingLogger()
    const { seen, listener } = listening()
    const broken: MessageListener = {
      onMessage() {
        throw new Error('broken')
      },
    }
    const client = await connected(server({ 'tools/list': () => ({ tools: [] }) }), { logger, interceptors: [broken, listener] })
    expect(await client.listTools()).toEqual([])
    expect(seen.length).toBeGreaterThanOrEqual(4)
    expect(logger.of('error').join()).toContain('onMessage threw: broken')
  })

  it('stands beside those who see calls', async () => {
    const { seen, listener } = listening()
    const calls: string[] = []
    const outer: Interceptor = (next) => (call) => {
      calls.push(`${call.method} ${call.server}`)
      return next(call)
    }
    const client = await connected(demoServer(), { interceptors: [outer, listener] })
    await client.callTool('echo', { message: 'm' })
    expect(calls).toEqual(['tools/call demo'])
    expect(seen.slice(-2)).toEqual(['sent tools/call demo', 'received result demo'])
  })

  it.each(['json', 'sse'] as const)('hears over HTTP what comes before an answer, replies as %s', async (replies) => {
    const server = demoServer()
    const { url } = await server.serveHttp({ replies })
    const { seen, listener } = listening()
    const client = await connected(url, { name: 'web', interceptors: [listener] })
    await client.callTool('slow', { steps: 2, delayMs: 1 }, { onProgress: () => {} })
    expect(seen.filter((line) => line.includes('progress')).length).toBe(replies === 'json' ? 0 : 2)
    expect(seen.at(-1)).toBe('received result web')
    await client.close()
    await server.close()
  })

  it.each([[[{}]], [[{ onMessage: 5 }]], [[5]], [{ onMessage() {} }]])('must have a function: %j', async (interceptors) => {
    // @ts-expect-error what a caller without types may write
    expect(await rejection(connected(demoServer(), { interceptors }))).toBeInstanceOf(TypeError)
  })
})
