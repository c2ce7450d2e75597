import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connect, type InProcessServer, RpcError } from '../../../src/index.ts'
import { KeepAlive } from '../../../src/session/keep-alive.ts'

describe('asking a quiet server', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('goes on as long as there are answers, an error among them', async () => {
    const answers = [() => Promise.resolve(), () => Promise.reject(new RpcError(-32601, 'no ping here')), () => Promise.resolve()]
    const dead = vi.fn()
    const ping = vi.fn(() => (answers.shift() ?? Promise.resolve)())
    const keepAlive = new KeepAlive(1_000, ping, dead)
    keepAlive.start()
    await vi.advanceTimersByTimeAsync(3_500)
    expect(ping).toHaveBeenCalledTimes(3)
    expect(ping).toHaveBeenCalledWith(1_000)
    expect(dead).not.toHaveBeenCalled()
    keepAlive.stop()
  })

  it('counts three misses in a row, and stops asking', async () => {
    const dead = vi.fn()
    const outcomes = [false, false, true, false, false, false]
    const ping = vi.fn(() => (outcomes.shift() ? Promise.resolve() : Promise.reject(new Error('silence'))))
    const keepAlive = new KeepAlive(1_000, ping, dead)
    keepAlive.start()
    await vi.advanceTimersByTimeAsync(5_500)
    expect(dead).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(dead).toHaveBeenCalledTimes(1)
    expect(ping).toHaveBeenCalledTimes(6)
  })

  it('leaves no timer when it is stopped', async () => {
    const keepAlive = new KeepAlive(
      1_000,
      () => Promise.resolve(),
      () => {},
    )
    keepAlive.start()
    await vi.advanceTimersByTimeAsync(1_000)
    keepAlive.stop()
    expect(vi.getTimerCount()).toBe(0)
  })
})

/** A legacy server whose first conversation answers no ping. */
function forgetful(): { server: InProcessServer; greetings: () => number } {
  let greetings = 0
  const server: InProcessServer = {
    name: 'forgetful',
    connect(send) {
      const mine = ++greetings
      return {
        receive(line) {
          const { id, method } = JSON.parse(line)
          if (id === undefined || (method === 'ping' && mine === 1)) return
          const serverInfo = { name: 'forgetful', version: String(mine) }
          send(JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo } }))
        },
        close() {},
      }
    },
  }
  return { server, greetings: () => greetings }
}

describe('keepAliveMs', () => {
  it('replaces a link that answers no ping, and the client goes on', async () => {
    const { server, greetings } = forgetful()
    const client = await connect(server, { era: 'legacy', keepAliveMs: 20, logger: false })
    const states: string[] = []
    client.on('state', ({ state }) => states.push(state))
    await vi.waitFor(() => expect(states).toEqual(['recovering', 'ready']), { timeout: 3_000 })
    expect(client.serverInfo?.version).toBe('2')
    await client.ping()
    expect(greetings()).toBe(2)
    await client.close()
  })

  it('asks nothing in a revision without a ping', async () => {
    const asked: string[] = []
    const server: InProcessServer = {
      name: 'modern',
      connect: (send) => ({
        receive(line) {
          const { id, method } = JSON.parse(line)
          asked.push(method)
          const result = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {}, ttlMs: 0, cacheScope: 'private' }
          send(JSON.stringify({ jsonrpc: '2.0', id, result }))
        },
        close() {},
      }),
    }
    const client = await connect(server, { era: 'modern', keepAliveMs: 5 })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(asked).toEqual(['server/discover'])
    await client.close()
  })
})
