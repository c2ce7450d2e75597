import { describe, expect, it } from 'vitest'
import { UnsupportedError } from '../../src/errors.ts'
import { grouped } from '../support/grouped.ts'
import { recordingLogger } from '../support/loggers.ts'
import { rejection, until } from '../support/settled.ts'
import { smallServer } from '../support/small-server.ts'

const methods = (server: ReturnType<typeof smallServer>): string[] => server.requests.map(({ method }) => method)

describe('listening to a group', () => {
  it('hears every server, with its name, also those that come later', async () => {
    const [a, b] = [smallServer(), smallServer({ refuse: 1 })]
    const group = await grouped({ a, b })
    const heard: string[] = []
    const stop = group.on('toolsChanged', (_payload, server) => heard.push(server))
    a.tell('notifications/tools/list_changed')
    await until(() => heard.length === 1)
    await group.client('b')
    b.tell('notifications/tools/list_changed')
    await until(() => heard.length === 2)
    expect(heard).toEqual(['a', 'b'])
    stop()
    a.tell('notifications/tools/list_changed')
    b.tell('notifications/tools/list_changed')
    await group.ping()
    expect(heard).toEqual(['a', 'b'])
  })

  it('hears one server that is named, until the signal aborts', async () => {
    const [a, b] = [smallServer(), smallServer()]
    const group = await grouped({ a, b })
    const controller = new AbortController()
    const heard: unknown[] = []
    group.on('notification', ({ method }, server) => heard.push([server, method]), { server: 'b', signal: controller.signal })
    a.tell('notifications/x')
    b.tell('notifications/y')
    await until(() => heard.length === 1)
    controller.abort()
    b.tell('notifications/z')
    await group.ping()
    expect(heard).toEqual([['b', 'notifications/y']])
    group.on('notification', () => heard.push('never'), { signal: controller.signal })
    b.tell('notifications/z')
    await group.ping()
    expect(heard).toHaveLength(1)
  })

  it('hears a server that was started again only once', async () => {
    const a = smallServer()
    const group = await grouped({ a })
    const heard: string[] = []
    group.on('toolsChanged', (_payload, server) => heard.push(server))
    a.end()
    await until(() => group.servers.get('a')?.state === 'failed')
    await group.client('a')
    a.tell('notifications/tools/list_changed')
    await until(() => heard.length > 0)
    await group.ping()
    expect(heard).toEqual(['a'])
  })

  it('tells how it stands with each server', async () => {
    const logger = recordingLogger()
    const [a, b] = [smallServer(), smallServer({ refuse: 1 })]
    const group = await grouped({ a, b }, { lazy: true, logger })
    const states: string[] = []
    group.on('state', () => {
      throw new Error('a listener that throws')
    })
    group.on('state', ({ state, reason }, server) => states.push(`${server} ${state}${reason === undefined ? '' : `: ${reason}`}`))
    await group.client('a')
    await rejection(group.client('b'))
    a.end()
    await until(() => group.servers.get('a')?.state === 'failed')
    expect(states.slice(0, 3)).toEqual(['a connecting', 'a ready', 'b connecting'])
    expect(states[3]).toMatch(/^b failed: .*out of order/)
    expect(states[4]).toMatch(/^a failed: .*closed the connection/)
    expect(logger.of('error').every((line) => line.includes('a listener that throws'))).toBe(true)
    expect(logger.of('error')).toHaveLength(states.length)
  })
})

describe('what goes to all servers', () => {
  it('is a ping, which says who is not there', async () => {
    const [a, b] = [smallServer(), smallServer()]
    const group = await grouped({ a, b, c: smallServer({ refuse: 9 }) })
    expect([...(await group.ping()).failures.keys()]).toEqual(['c'])
    expect([a, b].map((server) => methods(server).filter((method) => method === 'ping').length)).toEqual([1, 1])
    await group.ping({ server: 'a' })
    expect([a, b].map((server) => methods(server).filter((method) => method === 'ping').length)).toEqual([2, 1])
  })

  it('is the log level: servers without logs are passed over, those that come later are told', async () => {
    const [a, b] = [smallServer({ logging: true }), smallServer({ logging: true, refuse: 1 })]
    const group = await grouped({ a, b, quiet: smallServer() })
    const { failures } = await group.setLogLevel('warning')
    expect([...failures.keys()]).toEqual(['b'])
    expect(a.requests.find(({ method }) => method === 'logging/setLevel')?.params).toEqual({ level: 'warning' })
    await group.client('b')
    await until(() => methods(b).includes('logging/setLevel'))
    // @ts-expect-error: no such level
    expect(await rejection(group.setLogLevel('loud'))).toBeInstanceOf(TypeError)
  })

  it('is no log level that nobody has a use for', async () => {
    const group = await grouped({ quiet: smallServer() })
    expect(await rejection(group.setLogLevel('warning'))).toBeInstanceOf(UnsupportedError)
  })

  it('is the roots: of those that were connected with roots, also later', async () => {
    const root = { uri: 'file:///home/me/project' }
    const [a, b] = [smallServer(), smallServer({ refuse: 1 })]
    const group = await grouped({ a, b }, { roots: [] })
    expect(group.roots).toEqual([])
    group.roots = [root]
    expect(group.roots).toEqual([root])
    expect((await group.client('a')).roots).toEqual([root])
    expect((await group.client('b')).roots).toEqual([root])
    await until(() => methods(a).includes('notifications/roots/list_changed'))
    expect(() => {
      group.roots = [{ uri: 'http://x' }]
    }).toThrow(TypeError)
  })

  it('is no root where none were declared', async () => {
    const group = await grouped({ a: smallServer() })
    group.roots = [{ uri: 'file:///home/me/project' }]
    expect((await group.client('a')).roots).toEqual([])
  })
})
