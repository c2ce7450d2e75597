import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { connect } from '../../../../src/index.ts'
import { answerTo } from '../../../support/legacy-http.ts'
import { cleanUp, deadPort, failure, json, open, request, result, type Seen, serve } from './stand-in.ts'

/** Listens on one address, and answers everything with the number of the connection that it came on. */
async function listen(address: string, settings: { keepAliveTimeout?: number; idleMs?: number } = {}) {
  const numbers = new Map<Socket, number>()
  const answer: RequestListener = (req, res) => {
    let body = ''
    req.on('data', (part) => {
      body += part
    })
    req.on('end', () => json(res, result((JSON.parse(body) as { id: number }).id, { connection: numbers.get(req.socket) })))
    const { idleMs } = settings
    if (idleMs !== undefined) res.on('finish', () => setTimeout(() => req.socket.destroy(), idleMs))
  }
  const server = createServer({ keepAliveTimeout: settings.keepAliveTimeout ?? 0 }, answer)
  server.on('connection', (socket: Socket) => numbers.set(socket, numbers.size + 1))
  const port = await new Promise<number | undefined>((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen(0, address, () => resolve((server.address() as AddressInfo).port))
  })
  cleanUp(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port, connections: numbers }
}

describe('localhost', () => {
  it.for(['127.0.0.1', '::1'])('is reached when the server listens on %s alone', async (address, ctx) => {
    const { port } = await listen(address)
    if (port === undefined) {
      console.log(`skip: localhost by ${address} (this machine does not have the address)`)
      return ctx.skip('this machine does not have the address')
    }
    const { connection } = await open({ url: `http://localhost:${port}/mcp` })
    for (const id of [1, 2]) expect(await connection.exchange(request(id))).toMatchObject({ result: { connection: 1 } })
  })

  it('that nobody listens on is told with the code, for both addresses', async () => {
    const { connection } = await open({ url: `http://localhost:${await deadPort()}/mcp` })
    expect(await failure(connection.exchange(request(1)))).toMatchObject({
      outcome: 'not-run',
      retryable: true,
      reason: { errno: 'ECONNREFUSED' },
      message: expect.stringMatching(/cannot reach http:\/\/localhost:\d+\/mcp: nothing listens there \(ECONNREFUSED\)/),
    })
  })

  it('may be written in capitals', async () => {
    const { port } = await listen('127.0.0.1')
    const { connection } = await open({ url: `http://LocalHost:${port}/mcp` })
    expect(await connection.exchange(request(1))).toMatchObject({ result: {} })
  })
})

describe('a connection that the server closed while it was idle', () => {
  it('after 300 ms without a word is replaced by the next call', async () => {
    const { port, connections } = await listen('127.0.0.1', { idleMs: 300 })
    const { connection } = await open({ url: `http://127.0.0.1:${port}/mcp` })
    for (const id of [1, 2]) expect(await connection.exchange(request(id))).toMatchObject({ result: { connection: 1 } })
    await new Promise((resolve) => setTimeout(resolve, 450))
    for (const id of [3, 4]) expect(await connection.exchange(request(id))).toMatchObject({ result: { connection: 2 } })
    expect(connections.size).toBe(2)
  })

  it('as announced by Keep-Alive: timeout=1 is not used again at all, since a second less is none', async () => {
    const { port } = await listen('127.0.0.1', { keepAliveTimeout: 1_000 })
    const { connection } = await open({ url: `http://127.0.0.1:${port}/mcp` })
    for (const id of [1, 2, 3]) expect(await connection.exchange(request(id))).toMatchObject({ result: { connection: id } })
  })

  it('as announced by Keep-Alive: timeout=2 is used for a second', async () => {
    const { port, connections } = await listen('127.0.0.1', { keepAliveTimeout: 2_000 })
    const { connection } = await open({ url: `http://127.0.0.1:${port}/mcp` })
    for (const id of [1, 2]) expect(await connection.exchange(request(id))).toMatchObject({ result: { connection: 1 } })
    await vi.waitFor(() => expect([...connections.keys()].every((socket) => socket.destroyed)).toBe(true), { timeout: 1_800, interval: 20 })
    expect(await connection.exchange(request(3))).toMatchObject({ result: { connection: 2 } })
  })
})

describe('the first connection', () => {
  it('destroyed as it is made costs the handshake a second one', async () => {
    let greeted = 0
    const target = await serve(({ message }: Seen, res) => {
      const answer = message === undefined ? undefined : answerTo({ ...message }, '2025-11-25')
      if (message?.method === 'initialize') greeted++
      if (answer === undefined) return void res.writeHead(message === undefined ? 405 : 202).end()
      json(res, answer)
    })
    const { port } = new URL(target.url)
    let connections = 0
    const fickle = createTcpServer((socket) => {
      socket.on('error', () => {})
      if (connections++ === 0) return void socket.resetAndDestroy()
      target.server.emit('connection', socket)
    })
    await new Promise<void>((resolve) => fickle.listen(0, '127.0.0.1', resolve))
    cleanUp(() => void fickle.close())
    const url = target.url.replace(port, String((fickle.address() as AddressInfo).port))
    const client = await connect(url, { era: 'legacy', retryBackoffMs: 10, logger: false })
    cleanUp(() => client.close())
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['echo'])
    expect(greeted).toBe(1)
  })

  it('destroyed, and every one after it, ends the connecting when the retries are used up', async () => {
    let connections = 0
    const hostile = createTcpServer((socket) => {
      connections++
      socket.on('error', () => {})
      socket.resetAndDestroy()
    })
    await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve))
    cleanUp(() => void hostile.close())
    const url = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}/mcp`
    const error = await failure(connect(url, { era: 'legacy', retries: 2, retryBackoffMs: 1, logger: false }))
    expect(error).toMatchObject({ code: 'ERR_MCP_CONNECTION', reason: { errno: 'ECONNRESET' } })
    expect(connections).toBe(3)
  })
})
