import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { boundedLogger } from '../../../src/session/bounded-logger.ts'
import { child } from '../../support/child-servers.ts'
import { connected } from '../../support/connected.ts'
import { legacyServer } from '../../support/fake-server.ts'
import { recordingLogger } from '../../support/loggers.ts'

describe('a logger', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('gets 100 lines of each level in 10 s, is told at once that more are left out, and later how many', () => {
    const inner = recordingLogger()
    const logger = boundedLogger(inner)
    for (let line = 0; line < 1_000; line++) logger.warn(`line ${line}`)
    expect(inner.of('warn').slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, line) => `line ${line}`))
    expect(inner.of('warn')).toHaveLength(101)
    expect(inner.of('warn')[100]).toMatch(/left out/)
    logger.error('another level')
    expect(inner.of('error')).toEqual(['another level'])
    vi.advanceTimersByTime(9_999)
    logger.warn('too early')
    expect(inner.of('warn')).toHaveLength(101)
    vi.advanceTimersByTime(1)
    logger.warn('again')
    expect(inner.of('warn').slice(101)).toEqual([expect.stringContaining('901'), 'again'])
  })

  it('gets every line while they are few', () => {
    const inner = recordingLogger()
    const logger = boundedLogger(inner)
    for (let round = 0; round < 20; round++) {
      for (let line = 0; line < 100; line++) logger.debug('x')
      vi.advanceTimersByTime(10_000)
    }
    expect(inner.lines).toEqual(Array.from({ length: 2_000 }, () => 'debug: x'))
  })

  it('may need its own `this`', () => {
    class Kept {
      readonly kept: string[] = []
      debug(message: string): void {
        this.kept.push(message)
      }
      info(message: string): void {
        this.kept.push(message)
      }
      warn(message: string): void {
        this.kept.push(message)
      }
      error(message: string): void {
        this.kept.push(message)
      }
    }
    const inner = new Kept()
    boundedLogger(inner).info('x')
    expect(inner.kept).toEqual(['x'])
  })
})

describe('a server that spews what nobody understands', () => {
  it('as lines of a process, costs a bounded number of lines in the log, and calls go on', async () => {
    const logger = recordingLogger()
    const target = child(
      `legacy(); tools(() => { for (let i = 0; i < 20000; i++) raw('garbage ' + i + '\\n{"jsonrpc":"2.0","id":"no' + i + '","result":{}}\\n'); return text('done') })`,
    )
    const client = await connected(target, { era: 'legacy', logger })
    for (let call = 0; call < 3; call++) expect((await client.callTool('x')).text).toBe('done')
    expect(logger.lines.length).toBeGreaterThan(100)
    expect(logger.lines.length).toBeLessThan(500)
  })

  it('as tools that cannot be used', async () => {
    const logger = recordingLogger()
    const tools = Array.from({ length: 5_000 }, (_, index) => ({ name: `t${index}`, inputSchema: index === 7 ? { type: 'object' } : 5 }))
    const client = await connected(legacyServer({ 'tools/list': () => ({ tools }) }), { logger })
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['t7'])
    expect(logger.lines.length).toBeLessThan(200)
  })
})
