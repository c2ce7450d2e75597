import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Client } from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { type Ask, type FakeServer, legacyServer, modernServer, ServerError, SILENCE } from '../../support/fake-server.ts'
import { turns } from '../../support/settled.ts'

const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
}
const RECONNECTS = 3
/** More than any pause of a retry, and than what a stream must live to count as one that worked. */
const LONG_MS = 120_000

function acknowledge({ id, params, send }: Ask, notifications: unknown = params.notifications): typeof SILENCE {
  const _meta = { 'io.modelcontextprotocol/subscriptionId': id }
  send({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { notifications, _meta } })
  return SILENCE
}

/** What a server may do with a request for changes. */
const ANSWERS = {
  honours: (ask: Ask) => acknowledge(ask),
  'ends at once': () => ({}),
  'acknowledges and ends': (ask: Ask) => void acknowledge(ask),
  'acknowledges nonsense': (ask: Ask) => acknowledge(ask, { resourceSubscriptions: 7, '': [null] }),
  'acknowledges nothing and ends': (ask: Ask) => void acknowledge(ask, null),
  'answers a list': () => [],
  refuses: () => refuse(-32600),
  'does not know the method': () => refuse(-32601),
  'has a fault': () => refuse(-32603),
  'is busy': () => refuse(-32000),
  'is silent': () => SILENCE,
  dies: (_: Ask, fake: FakeServer) => void fake.hangUp(),
}
type Answer = keyof typeof ANSWERS

function refuse(code: number): never {
  throw new ServerError(code)
}

const DEEDS = {
  'subscribe a': (client: Client) => client.subscribe('x:/a'),
  'subscribe b': (client: Client) => client.subscribe('x:/b'),
  'unsubscribe a': (client: Client) => client.unsubscribe('x:/a'),
  'unsubscribe b': (client: Client) => client.unsubscribe('x:/b'),
  'listen to tools': (client: Client) => void client.on('toolsChanged', () => {}),
  'listen to prompts': (client: Client) => void client.on('promptsChanged', () => {}),
  'time passes': () => void vi.advanceTimersByTime(LONG_MS),
}
type Deed = keyof typeof DEEDS

const answers = fc.array(fc.constantFrom(...(Object.keys(ANSWERS) as Answer[])), { minLength: 1, maxLength: 4 })
const deeds = fc.array(fc.constantFrom(...(Object.keys(DEEDS) as Deed[])), { minLength: 1, maxLength: 6 })

/** How often a server was asked for changes whose answers repeat in turn; it falls silent after `most`, to end what would not end. */
async function asked(era: 'legacy' | 'modern', script: readonly Answer[], done: readonly Deed[], most: number): Promise<number> {
  let count = 0
  const answer = (ask: Ask): unknown => {
    const next = script[count++ % script.length]
    if (count > most || next === undefined) return SILENCE
    return ANSWERS[next](ask, fake)
  }
  const methods = { 'subscriptions/listen': answer, 'resources/subscribe': answer, 'resources/unsubscribe': answer }
  const fake: FakeServer = (era === 'modern' ? modernServer : legacyServer)(methods, { capabilities: CAPABILITIES })
  const limits = { maxReconnects: RECONNECTS }
  const client = await connected(fake, { retryBackoffMs: 10, timeoutMs: 1_000, limits })
  client.on('error', () => {})
  for (const deed of done) {
    const doing = DEEDS[deed](client)
    // Whether the wish comes true is not what is counted here.
    doing?.catch(() => {})
    await turns(3)
    await vi.advanceTimersByTimeAsync(20)
  }
  for (let i = 0; i < 40; i++) {
    await vi.advanceTimersByTimeAsync(LONG_MS / 40)
    await turns(1)
  }
  await client.close()
  return count
}

/** A first attempt and its repetitions for all that is wanted or not wanted any more at one moment. */
const bound = (done: readonly Deed[]): number => 2 * done.length * (RECONNECTS + 2)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe.each(['legacy', 'modern'] as const)('a server is asked for changes a bounded number of times (%s)', (era) => {
  it('whatever it answers', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(answers, deeds, async (script, done) => {
        expect(await asked(era, script, done, 10 * bound(done))).toBeLessThanOrEqual(bound(done))
      }),
      { numRuns: 120 },
    )
  })

  it.each(Object.keys(ANSWERS) as Answer[])('when it %s each time', async (answer) => {
    const done: Deed[] = ['subscribe a', 'subscribe b', 'listen to tools', 'unsubscribe b']
    expect(await asked(era, [answer], done, 10 * bound(done))).toBeLessThanOrEqual(bound(done))
  })

  it('when it ends each stream that it acknowledged while another wish comes', async () => {
    const done: Deed[] = ['subscribe a', 'listen to tools', 'subscribe a']
    // The jitter of the pauses decides what meets what, so once is not enough.
    for (let time = 0; time < 10; time++) {
      expect(await asked(era, ['acknowledges nothing and ends'], done, 10 * bound(done))).toBeLessThanOrEqual(bound(done))
    }
  })
})
