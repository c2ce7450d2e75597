import { describe, expect, it } from 'vitest'
import { environmentOf } from '../../../src/transport/stdio/environment.ts'
import { StderrTail } from '../../../src/transport/stdio/stderr-tail.ts'

describe('the tail of stderr', () => {
  it.each([1, 10, 1_000, 65_536])('keeps the newest bytes and no more, in chunks of %i', (size) => {
    const tail = new StderrTail(100, undefined)
    const bytes = Buffer.from('0123456789'.repeat(Math.max(100, size / 5)))
    for (let at = 0; at < bytes.length; at += size) tail.push(bytes.subarray(at, at + size))
    expect(tail.text()).toBe(bytes.subarray(-100).toString())
  })

  it('stays within its bounds for 10 MiB without a line break', () => {
    const seen: number[] = []
    const tail = new StderrTail(65_536, (line) => seen.push(line.length))
    const chunk = Buffer.alloc(65_536, 46)
    const before = process.memoryUsage().heapUsed
    for (let i = 0; i < 160; i++) tail.push(chunk)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(30 * 1024 * 1024)
    tail.end()
    expect(tail.text()).toBe('.'.repeat(65_536))
    expect(seen.reduce((sum, length) => sum + length, 0)).toBe(160 * 65_536)
    expect(Math.max(...seen)).toBeLessThanOrEqual(3 * 65_536)
  })

  it('is not slowed down by many small chunks', () => {
    const tail = new StderrTail(65_536, undefined)
    const started = performance.now()
    for (let i = 0; i < 300_000; i++) tail.push(Buffer.of(46))
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(tail.text()).toHaveLength(65_536)
  })

  it('hands on lines that are cut in the middle of a character, and the last one at the end', () => {
    const lines: string[] = []
    const tail = new StderrTail(1_000, (line) => lines.push(line))
    for (const byte of Buffer.from('ä€\r\n\n🙂')) tail.push(Buffer.of(byte))
    expect(lines).toEqual(['ä€', ''])
    tail.end()
    expect(lines).toEqual(['ä€', '', '🙂'])
    tail.end()
    expect(lines).toHaveLength(3)
  })
})

describe('the environment of a process', () => {
  const parent = {
    PATH: '/bin',
    HOME: '/home/a',
    AWS_SECRET_ACCESS_KEY: 's',
    LANG: 'C',
    TERM: '() { :; }; echo',
    NPM_TOKEN: 't',
    EMPTY: '',
  }

  it.each([
    ['the safe variables', undefined, false, { PATH: '/bin', HOME: '/home/a', LANG: 'C' }],
    ['given ones over them', { LANG: 'de', MINE: '1' }, false, { PATH: '/bin', HOME: '/home/a', LANG: 'de', MINE: '1' }],
    ['none that is undefined', { HOME: undefined, OTHER: undefined }, false, { PATH: '/bin', LANG: 'C' }],
    ['an empty value', { HOME: '' }, false, { PATH: '/bin', HOME: '', LANG: 'C' }],
    [
      'everything but shell functions',
      undefined,
      true,
      { PATH: '/bin', HOME: '/home/a', AWS_SECRET_ACCESS_KEY: 's', LANG: 'C', NPM_TOKEN: 't', EMPTY: '' },
    ],
  ])('holds %s', (_what, env, inherit, expected) => {
    expect(environmentOf(env, inherit, parent, 'linux')).toEqual(expected)
  })

  it('knows names in any case on Windows, and holds each once', () => {
    const windows = { Path: 'C:\\bin', SystemRoot: 'C:\\Windows', SECRET: 's' }
    expect(environmentOf(undefined, false, windows, 'win32')).toEqual({ Path: 'C:\\bin', SystemRoot: 'C:\\Windows' })
    expect(environmentOf({ PATH: 'D:\\bin' }, false, windows, 'win32')).toEqual({ PATH: 'D:\\bin', SystemRoot: 'C:\\Windows' })
    expect(environmentOf({ PATH: undefined }, false, windows, 'win32')).toEqual({ SystemRoot: 'C:\\Windows' })
  })
})
