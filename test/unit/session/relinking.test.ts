import { describe, expect, it } from 'vitest'
import { connected } from '../../support/connected.ts'
import { modernServer, ServerError, TEXT_RESULT } from '../../support/fake-server.ts'
import { rejection, turns, until } from '../../support/settled.ts'

const REFUSED = (): never => {
  throw new ServerError(-32022, 'no', { supported: ['2025-11-25'], requested: '2026-07-28' })
}

/** A server that is taken back to an older revision while it is used. */
function downgraded() {
  const fake = modernServer({ 'tools/call': () => TEXT_RESULT })
  return {
    fake,
    downgrade() {
      fake.methods['server/discover'] = REFUSED
      fake.methods['tools/call'] = ({ params }) => (params._meta === undefined ? { content: [{ type: 'text', text: 'old' }] } : REFUSED())
      fake.methods.initialize = () => ({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'old', version: '1' } })
    },
  }
}

describe('a revision that is refused in the middle of traffic', () => {
  it('is agreed anew on a new link, for all who need it at once, and the old link is closed', async () => {
    const { fake, downgrade } = downgraded()
    const client = await connected(fake)
    await client.callTool('x')
    const states: string[] = []
    client.on('state', ({ state }) => states.push(state))
    downgrade()
    const texts = await Promise.all(Array.from({ length: 20 }, async () => (await client.callTool('x')).text))
    expect(texts).toEqual(Array.from({ length: 20 }, () => 'old'))
    expect(client.protocolVersion).toBe('2025-11-25')
    expect(client.serverInfo?.name).toBe('old')
    expect(fake.opened).toBe(2)
    expect(fake.calls('initialize')).toHaveLength(1)
    expect(states).toEqual(['recovering', 'ready'])
    await until(() => fake.open === 1)
  })

  it('lets what runs over the old link finish, and closing ends it', async () => {
    const { fake, downgrade } = downgraded()
    const client = await connected(fake)
    const answerLater: (() => void)[] = []
    fake.methods['tools/call'] = () => new Promise((resolve) => answerLater.push(() => resolve(TEXT_RESULT)))
    const [finishing, hanging] = [client.callTool('a'), client.callTool('b')]
    await until(() => answerLater.length === 2)
    downgrade()
    expect((await client.callTool('x')).text).toBe('old')
    answerLater[0]?.()
    expect((await finishing).text).toBe('done')
    expect(fake.open).toBe(2)
    const hung = rejection(hanging)
    await client.close()
    expect(await hung).toMatchObject({ code: 'ERR_MCP_CONNECTION', outcome: 'unknown' })
    expect(fake.open).toBe(0)
  })

  it('is an error when nothing better can be agreed, and no loop', async () => {
    const { fake } = downgraded()
    const client = await connected(fake, { era: 'modern' })
    fake.methods['tools/call'] = REFUSED
    expect(await rejection(client.callTool('x'))).toMatchObject({ rpcCode: -32022, outcome: 'not-run' })
    expect(fake.calls('tools/call').length).toBeLessThanOrEqual(2)
    await turns()
  })

  it('that cannot be agreed anew leaves a client that says so and works when the server does again', async () => {
    const { fake } = downgraded()
    const client = await connected(fake, { era: 'modern' })
    fake.methods['tools/call'] = REFUSED
    fake.methods['server/discover'] = REFUSED
    expect(await rejection(client.callTool('x'))).toMatchObject({ code: expect.stringMatching(/^ERR_MCP_(PROTOCOL|RPC)$/), server: 'fake' })
    fake.methods['tools/call'] = () => TEXT_RESULT
    fake.methods['server/discover'] = () => ({ resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } })
    expect((await client.callTool('x')).text).toBe('done')
    expect(client.state).toBe('ready')
  })

  it('is agreed no further when the client is closed meanwhile, although the server is silent', async () => {
    const { fake, downgrade } = downgraded()
    const client = await connected(fake, { connectTimeoutMs: 60_000 })
    downgrade()
    fake.methods.initialize = () => new Promise(() => {})
    const call = rejection(client.callTool('x'))
    await until(() => fake.calls('initialize').length === 1)
    await client.close()
    expect(await call).toMatchObject({ reason: { kind: 'closed' } })
    await until(() => fake.open === 0)
  })

  it('is not waited for by a caller who has given up', async () => {
    const { fake, downgrade } = downgraded()
    const client = await connected(fake)
    downgrade()
    let greet = (): void => {}
    fake.methods.initialize = () =>
      new Promise((resolve) => {
        greet = () => resolve({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'old', version: '1' } })
      })
    const controller = new AbortController()
    const call = rejection(client.callTool('x', {}, { signal: controller.signal }))
    await until(() => fake.calls('initialize').length === 1)
    controller.abort('enough')
    greet()
    expect(await call).toBe('enough')
    await turns()
    expect(fake.calls('tools/call')).toHaveLength(1)
  })
})
