import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { alive } from '../../support/child-servers.ts'

const host = fileURLToPath(new URL('../../support/host-process.mjs', import.meta.url))
const running: ChildProcess[] = []

/** A host with a call in flight: says the process ids of its server and of the server's child. */
async function startHost(...args: string[]): Promise<{ host: ChildProcess; pids: number[] }> {
  const child = spawn(process.execPath, [host, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  running.push(child)
  const [line] = await once(child.stdout ?? child, 'data')
  return { host: child, pids: String(line).trim().split(' ').map(Number) }
}

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

describe.skipIf(process.platform === 'win32')('a server whose client ends', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('is gone with its child after %s, even when it ignores signals', async (signal) => {
    const { host, pids } = await startHost('stubborn')
    const ended = once(host, 'exit')
    host.kill(signal)
    const [code, by] = await ended
    expect([code, by]).toEqual([null, signal])
    await expect.poll(() => pids.filter(alive), { timeout: 3_000 }).toEqual([])
  })

  it('is gone with its child after an uncaught exception in the client', async () => {
    const { host, pids } = await startHost('stubborn', 'throw')
    const [code] = await once(host, 'exit')
    expect(code).toBe(1)
    await expect.poll(() => pids.filter(alive), { timeout: 3_000 }).toEqual([])
  })

  it('is gone within 3 s after SIGKILL when it honours the end of stdin', async () => {
    const { host, pids } = await startHost('polite')
    host.kill('SIGKILL')
    await expect.poll(() => alive(pids[0] ?? 0), { timeout: 3_000 }).toBe(false)
  })

  it('is ended by the watchdog after SIGKILL when it honours nothing', async () => {
    const { host, pids } = await startHost('stubborn', 'watchdog')
    host.kill('SIGKILL')
    await expect.poll(() => pids.filter(alive), { timeout: 6_000 }).toEqual([])
  })
})
