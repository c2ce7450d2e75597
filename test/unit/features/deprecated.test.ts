import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { demoServer } from '../../../src/testing/index.ts'
import { connected } from '../../support/connected.ts'
import { recordingLogger } from '../../support/loggers.ts'
import { serveSse } from '../../support/sse-front.ts'

describe('what the newest revision deprecates', () => {
  it('works, and is told once in a process at debug level and no louder', async () => {
    const logger = recordingLogger()
    const told = (): readonly string[] =>
      logger.lines.filter((line) => line.includes('deprecated')).map((line) => line.replace(/ is.*/, ''))
    const sse = await serveSse(demoServer())
    try {
      await connected(demoServer(), { logger })
      expect(told()).toEqual([])
      for (const round of [1, 2]) {
        const client = await connected(sse.url, { logger, transport: 'sse', roots: [], handlers: { sampling: () => `summary ${round}` } })
        await client.setLogLevel('warning')
        client.roots = [{ uri: 'file:///a' }]
        expect(client.roots).toHaveLength(1)
        expect(client.transport).toBe('sse')
        expect([...told()].sort()).toEqual(['debug: HTTP+SSE', 'debug: logging', 'debug: roots', 'debug: sampling'])
      }
      expect([...logger.of('info'), ...logger.of('warn'), ...logger.of('error')]).toEqual([])
    } finally {
      await sse.close()
    }
  })

  it.each([
    ['src/connect-options.ts', ['sampling', 'roots']],
    ['src/client.ts', ['setLogLevel', 'get roots']],
    ['src/client-group.ts', ['async setLogLevel', 'get roots']],
    ['src/features/events.ts', ['log']],
    ['src/session/request-options.ts', ['onLog']],
  ])('is marked in %s with the reason: %j', async (path, members) => {
    const text = await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')
    const marked = [...text.matchAll(/@deprecated in \S+: \S.*\n +\*\/\n +([\w ]+)/g)].map(([, member]) => member)
    expect(marked).toEqual(members)
  })
})
