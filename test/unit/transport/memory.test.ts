import { afterEach, describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/limits.ts'
import { memoryTransport } from '../../../src/transport/memory.ts'
import type { Connection } from '../../../src/transport/transport.ts'
import { type FakeServer, fakeServer, SILENCE } from '../../support/fake-server.ts'
import { rejection, turns } from '../../support/settled.ts'

const crashes: unknown[] = []
const note = (error: unknown): void => void crashes.push(error)

async function open(server: FakeServer) {
  const problems: string[] = []
  const inbound: unknown[] = []
  const connection: Connection = await memoryTransport(server).open((message) => inbound.push(message), {
    limits: DEFAULT_LIMITS,
    report: (problem) => problems.push(problem),
  })
  return { connection, problems, inbound, ask: (id: number, method = 'm') => connection.exchange({ jsonrpc: '2.0', id, method }) }
}

describe('a server in this process', () => {
  afterEach(() => {
    process.off('uncaughtException', note)
    crashes.length = 0
  })

  it('is called by its name and has no identity to remember it by', () => {
    expect(memoryTransport(fakeServer({}, 'mine'))).toMatchObject({ kind: 'memory', label: 'mine' })
    expect(memoryTransport(fakeServer({})).identity).toBeUndefined()
  })

  it('sees only what JSON carries', async () => {
    const server = fakeServer({ m: () => ({ when: new Date(0), nothing: undefined }) })
    const { connection } = await open(server)
    const answer = await connection.exchange({ jsonrpc: '2.0', id: 1, method: 'm', params: { a: undefined, d: new Date(0) } })
    expect(server.received[0]).toEqual({ jsonrpc: '2.0', id: 1, method: 'm', params: { d: '1970-01-01T00:00:00.000Z' } })
    expect(answer).toEqual({ jsonrpc: '2.0', id: 1, result: { when: '1970-01-01T00:00:00.000Z' } })
  })

  it('may say what is no JSON: it is reported and the connection goes on', async () => {
    process.on('uncaughtException', note)
    const server = fakeServer({ m: () => ({}) })
    const { ask, problems } = await open(server)
    server.raw('Server ready')
    server.raw('')
    server.raw('[50] {"jsonrpc":"2.0"}')
    await turns()
    expect(await ask(1)).toMatchObject({ result: {} })
    expect(problems).toHaveLength(2)
    expect(crashes).toEqual([])
  })

  it('rejects calls when it hangs up, and new ones at once', async () => {
    const server = fakeServer({ m: () => SILENCE })
    const { ask, connection } = await open(server)
    const call = rejection(ask(1))
    await turns()
    server.hangUp()
    expect(await call).toMatchObject({ outcome: 'unknown', reason: { kind: 'stream' } })
    expect(await rejection(ask(2))).toMatchObject({ outcome: 'not-run' })
    expect((await connection.closed).message).toContain('fake')
  })

  it('is told when the connection closes; running calls reject, and nothing is handed on any more', async () => {
    const server = fakeServer({ m: () => SILENCE })
    const { ask, connection, inbound } = await open(server)
    const call = rejection(ask(1))
    await turns()
    server.send({ jsonrpc: '2.0', method: 'late' })
    await connection.close()
    expect(server.open).toBe(0)
    expect(await call).toMatchObject({ outcome: 'unknown', reason: { kind: 'closed' } })
    server.send({ jsonrpc: '2.0', method: 'later' })
    await turns()
    expect(inbound.filter((message) => (message as { method: string }).method === 'later')).toEqual([])
  })

  it('refuses a message that cannot be written as JSON, with nothing sent', async () => {
    const server = fakeServer({ m: () => ({}) })
    const { connection, ask } = await open(server)
    const circular: Record<string, unknown> = {}
    circular.self = circular
    for (const params of [circular, { big: 1n }]) {
      expect(await rejection(connection.exchange({ jsonrpc: '2.0', id: 1, method: 'm', params }))).toBeInstanceOf(TypeError)
    }
    expect(await ask(2)).toMatchObject({ result: {} })
    expect(server.received).toHaveLength(1)
  })
})
