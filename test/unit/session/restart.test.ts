import { describe, expect, it, vi } from 'vitest'
import { connect } from '../../../src/index.ts'
import { child } from '../../support/child-servers.ts'

const mortal = child("legacy(); tools((message) => message.params.name === 'die' ? process.exit(3) : text(process.pid))")

describe('a process that dies', () => {
  it('is started again with restart, greeted, and takes new calls, while the call in flight keeps its outcome', async () => {
    const client = await connect(mortal, { era: 'legacy', restart: true, retryBackoffMs: 20, logger: false })
    const first = (await client.callTool('pid')).text
    const seen: { state: string; nextAttemptMs?: number }[] = []
    client.on('state', ({ state, nextAttemptMs }) => seen.push(nextAttemptMs === undefined ? { state } : { state, nextAttemptMs }))
    await expect(client.callTool('die')).rejects.toMatchObject({ code: 'ERR_MCP_CONNECTION', outcome: 'unknown', reason: { exitCode: 3 } })
    const second = (await client.callTool('pid')).text
    expect(second).not.toBe(first)
    await vi.waitFor(() => expect(seen.at(-1)?.state).toBe('ready'))
    expect(seen[0]?.state).toBe('recovering')
    expect(seen[0]?.nextAttemptMs).toBeGreaterThan(0)
    await client.close()
  })

  it('comes back without a call that wants it', async () => {
    const client = await connect(mortal, { era: 'legacy', restart: true, retryBackoffMs: 20, logger: false })
    const states: string[] = []
    client.on('state', ({ state }) => states.push(state))
    await client.callTool('die').catch(() => {})
    await vi.waitFor(() => expect(states).toEqual(['recovering', 'ready']), { timeout: 5_000 })
    await client.close()
  })

  it('stays dead without restart, and every later call says why', async () => {
    const client = await connect(mortal, { era: 'legacy', logger: false })
    await client.callTool('die').catch(() => {})
    await expect(client.callTool('pid')).rejects.toMatchObject({ outcome: 'not-run', reason: { kind: 'exit', exitCode: 3 } })
    expect(client.state).toBe('closed')
    await client.close()
  })

  it('is given up after maxReconnects starts that fail, until the next call tries', async () => {
    const once = child('legacy(); tools(() => process.exit(3)); if (process.env.DOOMED) process.exit(4)')
    const env: Record<string, string | undefined> = {}
    const client = await connect(
      { command: once[0] ?? '', args: once.slice(1) },
      {
        env,
        era: 'legacy',
        restart: true,
        retryBackoffMs: 5,
        limits: { maxReconnects: 2 },
        logger: false,
      },
    )
    let attempts = 0
    client.on('state', ({ nextAttemptMs }) => {
      if (nextAttemptMs !== undefined) attempts++
    })
    env.DOOMED = '1'
    await client.callTool('any').catch(() => {})
    await vi.waitFor(() => expect(attempts).toBe(2), { timeout: 5_000 })
    expect(client.state).toBe('recovering')
    await expect(client.callTool('any')).rejects.toMatchObject({ code: 'ERR_MCP_CONNECTION' })
    await client.close()
  })
})
