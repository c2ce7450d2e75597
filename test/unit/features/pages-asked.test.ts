import { describe, expect, it } from 'vitest'
import { accept, cancel, decline, type ElicitAnswer } from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { type FakeServer, legacyServer, ServerError, TEXT_RESULT } from '../../support/fake-server.ts'
import { turns, until } from '../../support/settled.ts'

const page = (elicitationId: string) => ({ mode: 'url', message: 'Go there', url: 'https://example.com/', elicitationId })
const complete = (elicitationId: unknown) => ({ jsonrpc: '2.0', method: 'notifications/elicitation/complete', params: { elicitationId } })

/** Asks for a page and waits for the answer. */
async function ask(fake: FakeServer, id: string): Promise<void> {
  fake.send({ jsonrpc: '2.0', id: `ask ${id}`, method: 'elicitation/create', params: page(id) })
  await until(() => fake.received.some((message) => message.id === `ask ${id}`))
}

async function listening(answer: () => ElicitAnswer | Promise<ElicitAnswer>) {
  const fake = legacyServer()
  const client = await connected(fake, { handlers: { elicitation: { url: answer } } })
  const ended: string[] = []
  client.on('elicitationComplete', ({ elicitationId }) => ended.push(elicitationId))
  return { fake, client, ended }
}

describe('the end of a page', () => {
  it('is told of a page that was asked for, once', async () => {
    const { fake, ended } = await listening(() => accept())
    await ask(fake, 'a')
    await ask(fake, 'b')
    for (const id of ['b', 'b', 'a', 'a']) fake.send(complete(id))
    await turns()
    expect(ended).toEqual(['b', 'a'])
  })

  it('is told while the handler still waits for the person', async () => {
    let answer = (): void => {}
    const { fake, ended } = await listening(() => new Promise((resolve) => (answer = () => resolve(accept()))))
    const answered = ask(fake, 'a')
    await turns()
    fake.send(complete('a'))
    await turns()
    answer()
    await answered
    fake.send(complete('a'))
    await turns()
    expect(ended).toEqual(['a'])
  })

  it('is not told of ids that nobody was asked about, and still is a notification', async () => {
    const { fake, client, ended } = await listening(() => accept())
    const methods: string[] = []
    client.on('notification', ({ method }) => methods.push(method))
    await ask(fake, 'a')
    for (const id of ['b', 'A', '__proto__', '', 5, null, ['a']]) fake.send(complete(id))
    await turns()
    expect(ended).toEqual([])
    expect(methods).toHaveLength(7)
  })

  it.each<[string, () => ElicitAnswer | Promise<ElicitAnswer>]>([
    ['declined', () => decline()],
    ['cancelled', () => cancel()],
    ['lost to an error', () => Promise.reject(new Error('no screen'))],
    ['left without an answer', () => undefined],
  ])('is not told of one that was %s', async (_what, answer) => {
    const { fake, ended } = await listening(answer)
    await ask(fake, 'a')
    fake.send(complete('a'))
    await turns()
    expect(ended).toEqual([])
  })

  it('is told of a page that a call demanded first', async () => {
    let calls = 0
    const fake = legacyServer({
      'tools/call': () => {
        if (calls++ === 0) throw new ServerError(-32042, 'open the page first', { elicitations: [page('demanded')] })
        return TEXT_RESULT
      },
    })
    const client = await connected(fake, { handlers: { elicitation: { url: () => accept() } } })
    const ended: string[] = []
    client.on('elicitationComplete', ({ elicitationId }) => ended.push(elicitationId))
    await client.callTool('x')
    fake.send(complete('demanded'))
    await turns()
    expect(ended).toEqual(['demanded'])
  })

  it('is told of the newest 256 pages, of ids of 1,024 characters at most', async () => {
    const { fake, ended } = await listening(() => accept())
    const [fits, long] = ['f'.repeat(1_024), 'l'.repeat(1_025)]
    const ids = Array.from({ length: 255 }, (_, n) => `page ${n}`)
    for (const id of ['oldest', ...ids, fits, long]) await ask(fake, id)
    for (const id of [long, fits, 'oldest', ...ids]) fake.send(complete(id))
    await turns(400)
    expect(ended).toEqual([fits, ...ids])
  })
})
