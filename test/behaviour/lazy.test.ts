import { describe, expect, it } from 'vitest'
import { ConnectionError, TimeoutError, UnsupportedError } from '../../src/errors.ts'
import { demoServer } from '../../src/testing/index.ts'
import type { InProcessServer } from '../../src/transport/memory.ts'
import { connected } from '../support/connected.ts'
import { rejection, turns } from '../support/settled.ts'

/** The demo server, which counts how often it was opened; `refuse` makes that fail so many times. */
function counting({ refuse = 0, silent = false } = {}): InProcessServer & { opened: number } {
  const demo = demoServer()
  return {
    name: 'counted',
    opened: 0,
    connect(send, end) {
      this.opened++
      if (this.opened <= refuse) throw new Error('out of order')
      return silent ? { receive() {}, close() {} } : demo.connect(send, end)
    },
  }
}

describe('a lazy client', () => {
  it('opens nothing before it is used, and is idle until then', async () => {
    const server = counting()
    const client = await connected(server, { lazy: true })
    await turns()
    expect(server.opened).toBe(0)
    expect(client.state).toBe('idle')
    expect(client.name).toBe('counted')
    expect(() => client.capabilities).toThrow(UnsupportedError)
    expect((await client.callTool('echo', { message: 'hi' })).text).toBe('hi')
    expect(server.opened).toBe(1)
    expect(client.state).toBe('ready')
  })

  it.each([
    ['listTools', 12],
    ['listPrompts', 1],
    ['listResources', 1],
    ['listResourceTemplates', 1],
  ] as const)('opens for %s', async (method, least) => {
    const client = await connected(counting(), { lazy: true })
    expect((await client[method]()).length).toBeGreaterThanOrEqual(least)
  })

  it.each([
    ['ping', undefined],
    ['setLogLevel', 'debug'],
  ] as const)('opens for %s', async (method, argument) => {
    const client = await connected(counting(), { lazy: true })
    expect(await (method === 'ping' ? client.ping() : client.setLogLevel(argument ?? 'debug'))).toBeUndefined()
    expect(client.state).toBe('ready')
  })

  it('opens for a notification', async () => {
    const client = await connected(counting(), { lazy: true })
    await client.notify('notifications/x')
    expect(client.state).toBe('ready')
  })

  it('opens once for all who use it at the same time', async () => {
    const server = counting()
    const client = await connected(server, { lazy: true })
    const [sum, tools] = await Promise.all([client.callTool('echo', { message: 'hi' }), client.listTools(), client.ping()])
    expect(sum.text).toBe('hi')
    expect(tools.length).toBeGreaterThan(5)
    expect(server.opened).toBe(1)
  })

  it('gives the error of the opening to each caller, and tries again at the next use', async () => {
    const server = counting({ refuse: 1 })
    const client = await connected(server, { lazy: true })
    const errors = await Promise.all([rejection(client.callTool('echo', { message: 'hi' })), rejection(client.listTools())])
    for (const error of errors) expect(String(error)).toContain('out of order')
    expect(client.state).toBe('idle')
    expect((await client.callTool('echo', { message: 'hi' })).text).toBe('hi')
    expect(server.opened).toBe(2)
  })

  it('lets one caller give up without costing another the opening', async () => {
    const server = counting()
    const client = await connected(server, { lazy: true })
    const controller = new AbortController()
    const [given, kept] = [client.listTools({ signal: controller.signal }), client.listTools()]
    controller.abort(new Error('not any more'))
    expect(await rejection(given)).toMatchObject({ message: 'not any more' })
    expect((await kept).length).toBeGreaterThan(5)
    expect(server.opened).toBe(1)
  })

  it('waits for the opening no longer than the request may take', async () => {
    const client = await connected(counting({ silent: true }), { lazy: true })
    const error = await rejection(client.listTools({ timeoutMs: 30 }))
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toMatchObject({ outcome: 'not-run', server: 'counted', timeoutMs: 30 })
  })

  it('tells its listeners of the opening, and hears what the server says although it listened before', async () => {
    const client = await connected(demoServer({ versions: ['2025-11-25'] }), { lazy: true })
    const states: string[] = []
    const logs: unknown[] = []
    client.on('state', ({ state }) => states.push(state))
    client.on('log', ({ data }) => logs.push(data))
    await client.setLogLevel('debug')
    await client.callTool('log', { message: 'hello', level: 'warning' })
    expect(states).toEqual(['connecting', 'ready'])
    expect(logs.length).toBeGreaterThan(0)
  })

  it('takes roots before it is open, and declares them when it opens', async () => {
    const client = await connected(demoServer({ versions: ['2025-11-25'] }), { lazy: true, roots: [] })
    client.roots = [{ uri: 'file:///home/me/project', name: 'Project' }]
    expect((await client.callTool('workspace', {})).text).toContain('file:///home/me/project')
  })

  it('that is closed before its first use opens nothing and says so', async () => {
    const server = counting()
    const client = await connected(server, { lazy: true })
    await client.close()
    expect(client.state).toBe('closed')
    expect(await rejection(client.listTools())).toBeInstanceOf(ConnectionError)
    expect(server.opened).toBe(0)
  })

  it('that is closed while it opens leaves nothing behind', async () => {
    const server = counting({ silent: true })
    const client = await connected(server, { lazy: true })
    const call = rejection(client.callTool('echo', { message: 'hi' }))
    await turns()
    await client.close()
    expect(await call).toBeInstanceOf(ConnectionError)
    expect(client.state).toBe('closed')
    expect(server.opened).toBe(1)
  })

  it('refuses a target and options that cannot be at once', async () => {
    await expect(connected('no-such-thing', { lazy: true })).rejects.toBeInstanceOf(TypeError)
    await expect(connected('https://127.0.0.1/mcp', { lazy: true, cwd: '/' })).rejects.toThrow(/cwd/)
    // @ts-expect-error: a wrong value
    await expect(connected(demoServer(), { lazy: 'yes' })).rejects.toThrow(/lazy must be a boolean/)
  })
})
