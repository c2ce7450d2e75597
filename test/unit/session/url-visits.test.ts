import { describe, expect, it } from 'vitest'
import { accept, decline, type ElicitAnswer } from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { legacyServer, ServerError, TEXT_RESULT } from '../../support/fake-server.ts'
import { rejection } from '../../support/settled.ts'

const page = (n: number) => ({ mode: 'url', message: `Page ${n}`, url: `https://example.com/${n}`, elicitationId: `e${n}` })

/** A server that demands pages before it runs a call, for the first `times` calls. */
function demanding(pages: unknown, times = 1) {
  let calls = 0
  return legacyServer({
    'tools/call': () => {
      if (calls++ < times) throw new ServerError(-32042, 'open the page first', { elicitations: pages })
      return TEXT_RESULT
    },
  })
}

describe('a call that demands a page first', () => {
  it('asks for each page, and is sent again when all were consented to', async () => {
    const fake = demanding([page(1), page(2)])
    const asked: unknown[] = []
    const url = (request: unknown): ElicitAnswer => {
      asked.push(request)
      return accept()
    }
    const client = await connected(fake, { handlers: { elicitation: { url } } })
    expect((await client.callTool('x', { a: 1 })).text).toBe('done')
    expect(asked).toEqual([page(1), page(2)])
    const sent = fake.calls('tools/call')
    expect(sent.map(({ params }) => params)).toEqual([
      { name: 'x', arguments: { a: 1 } },
      { name: 'x', arguments: { a: 1 } },
    ])
    expect(new Set(sent.map(({ id }) => id)).size).toBe(2)
  })

  it('demands it once for each call, and no more', async () => {
    const fake = demanding([page(1)], 99)
    const client = await connected(fake, { handlers: { elicitation: { url: () => accept() } } })
    expect(await rejection(client.callTool('x'))).toMatchObject({ rpcCode: -32042, outcome: 'not-run' })
    expect(fake.calls('tools/call')).toHaveLength(2)
  })

  it.each([
    ['the person declines', { elicitation: { url: () => decline() } }, [page(1)]],
    ['nothing answers', {}, [page(1)]],
    ['it names no page', { elicitation: { url: () => accept() } }, []],
    ['it names nonsense', { elicitation: { url: () => accept() } }, 'page'],
    ['it names 11 pages', { elicitation: { url: () => accept() } }, Array.from({ length: 11 }, (_, n) => page(n))],
  ])('rejects with that error when %s', async (_what, handlers, pages) => {
    const fake = demanding(pages)
    const client = await connected(fake, { handlers })
    expect(await rejection(client.callTool('x'))).toMatchObject({ rpcCode: -32042, data: { elicitations: pages } })
    expect(fake.calls('tools/call')).toHaveLength(1)
  })

  it('does not count the time of the person', async () => {
    const fake = demanding([page(1)])
    const slow = (): Promise<ElicitAnswer> => new Promise((resolve) => setTimeout(() => resolve(accept()), 300))
    const client = await connected(fake, { handlers: { elicitation: { url: slow } } })
    expect((await client.callTool('x', {}, { timeoutMs: 250, maxTotalTimeoutMs: 250 })).text).toBe('done')
  })
})
