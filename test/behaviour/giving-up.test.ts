import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connected } from '../support/connected.ts'
import { type FakeServer, legacyServer, SILENCE } from '../support/fake-server.ts'
import { answerTo } from '../support/legacy-http.ts'
import { rejection, turns, until } from '../support/settled.ts'
import { type Seen, serve } from '../unit/transport/http/stand-in.ts'

const accidents: unknown[] = []
const note = (error: unknown): void => void accidents.push(error)

beforeEach(() => {
  accidents.length = 0
  process.on('unhandledRejection', note)
})
afterEach(() => {
  process.off('unhandledRejection', note)
})

/** A server of an old revision whose calls hang, with its own way to take what it is told. */
async function hanging(told: (seen: Seen, res: ServerResponse) => void) {
  return serve((one, res) => {
    const { message } = one
    if (message === undefined) return void res.writeHead(405).end()
    if (message.method === 'notifications/cancelled') return told(one, res)
    if (message.method === 'tools/call' && (message.params as { name: string }).name === 'hang') return
    const answer = answerTo(message, '2025-11-25')
    if (answer === undefined) return void res.writeHead(202).end()
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(answer)
  })
}

describe('telling a server that a call was given up', () => {
  it.each<[string, (seen: Seen, res: ServerResponse) => void]>([
    ['is refused', (_seen, res) => void res.writeHead(500).end()],
    ['breaks the connection', ({ socket }) => void socket.destroy()],
    ['is never answered', () => {}],
  ])('disturbs nobody when it %s: the call rejects once with its reason, and others go on', async (_how, told) => {
    const { url, seen } = await hanging(told)
    const client = await connected(url, { era: 'legacy', transport: 'streamable-http' })
    const controller = new AbortController()
    const call = rejection(client.callTool('hang', {}, { signal: controller.signal }))
    await until(() => seen.some(({ message }) => message?.method === 'tools/call'))
    controller.abort('enough')
    expect(await call).toBe('enough')
    await until(() => seen.some(({ message }) => message?.method === 'notifications/cancelled'))
    expect(await rejection(client.callTool('hang', {}, { timeoutMs: 30 }))).toMatchObject({ code: 'ERR_MCP_TIMEOUT' })
    expect((await client.callTool('x')).isError).toBe(false)
    await turns()
    expect(seen.filter(({ message }) => message?.method === 'notifications/cancelled').length).toBeLessThanOrEqual(2)
    expect(accidents).toEqual([])
  })

  it('disturbs nobody when the server is gone in the same moment', async () => {
    const fake: FakeServer = legacyServer({ 'tools/call': () => SILENCE })
    const client = await connected(fake)
    const controller = new AbortController()
    const call = rejection(client.callTool('x', {}, { signal: controller.signal }))
    await until(() => fake.calls('tools/call').length === 1)
    fake.hangUp()
    controller.abort('enough')
    expect(await call).toBe('enough')
    await turns()
    expect(accidents).toEqual([])
  })
})

describe('a hundred clients that are closed at once in the middle of calls', () => {
  it('leave nothing behind: every call has rejected, every socket and timer is gone', async () => {
    const { url, seen, sockets } = await hanging((_seen, res) => void res.writeHead(202).end())
    const before = process.getActiveResourcesInfo().filter((kind) => kind !== 'TCPServerWrap').length
    const clients = await Promise.all(
      Array.from({ length: 100 }, (_, index) => connected(`${url}?client=${index}`, { era: 'legacy', transport: 'streamable-http' })),
    )
    const calls = clients.map((client) => rejection(client.callTool('hang')))
    await until(() => seen.filter(({ message }) => message?.method === 'tools/call').length === 100)
    await Promise.all(clients.map((client) => client.close()))
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ code: 'ERR_MCP_CONNECTION', outcome: 'unknown' })
    await until(() => sockets.size === 0, 'the end of every socket')
    await until(
      () => process.getActiveResourcesInfo().filter((kind) => kind !== 'TCPServerWrap').length <= before + 1,
      'the end of what keeps a process',
    )
    expect(accidents).toEqual([])
    for (const client of clients) expect(client.state).toBe('closed')
  })
})
