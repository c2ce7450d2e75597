import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AnswerCache, type AnswerKey } from '../../../src/features/answer-cache.ts'

const key = (more: Partial<AnswerKey> = {}): AnswerKey => ({ principal: undefined, method: 'tools/list', params: undefined, ...more })
const page = (name: string, nextCursor?: string) => ({ tools: [{ name }], ...(nextCursor !== undefined && { nextCursor }) })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('an answer that is kept', () => {
  it('serves who asked for it, for what was asked, until its time is over', () => {
    const cache = new AnswerCache(10_000)
    cache.put(key(), page('a'), 1_000)
    expect(cache.get(key())).toEqual(page('a'))
    for (const other of [
      { principal: 'ada' },
      { principal: '' },
      { method: 'prompts/list' },
      { params: { cursor: 'x' } },
      { params: { cursor: '' } },
      { params: {} },
    ])
      expect(cache.get(key(other))).toBeUndefined()
    vi.advanceTimersByTime(999)
    expect(cache.get(key())).toEqual(page('a'))
    vi.advanceTimersByTime(1)
    expect(cache.get(key())).toBeUndefined()
  })

  it('does not serve another principal, whatever the names are', () => {
    const cache = new AnswerCache(10_000)
    const principals = [undefined, '', 'null', 'ada', 'ada","tools/list', 'bob']
    for (const principal of principals) cache.put(key({ principal }), page(`of ${principal}`), 1_000)
    for (const principal of principals) expect(cache.get(key({ principal }))).toEqual(page(`of ${principal}`))
  })

  it('is a copy for each: what one changes is not what another gets', () => {
    const cache = new AnswerCache(10_000)
    const answer = page('a')
    cache.put(key(), answer, 1_000)
    answer.tools.length = 0
    const got = cache.get(key())
    Object.assign(got ?? {}, { tools: 'changed' })
    expect(cache.get(key())).toEqual(page('a'))
  })

  it.each([0, -1, Number.NaN, Number.NEGATIVE_INFINITY])('is not kept for %s ms, and neither is the one before it', (ttlMs) => {
    const cache = new AnswerCache(10_000)
    cache.put(key(), page('a'), 1_000)
    cache.put(key(), page('b'), ttlMs)
    expect(cache.get(key())).toBeUndefined()
  })

  it('leaves when others need its place, the least recently used first', () => {
    const long = (name: string) => ({ name, text: 'x'.repeat(1_000) })
    const cache = new AnswerCache(3_500)
    const named = (name: string) => key({ params: { uri: name } })
    for (const name of ['a', 'b', 'c']) cache.put(named(name), long(name), 1_000)
    expect(cache.get(named('a'))).toEqual(long('a'))
    cache.put(named('d'), long('d'), 1_000)
    expect(['a', 'b', 'c', 'd'].map((name) => cache.get(named(name)) !== undefined)).toEqual([true, false, true, true])
  })

  it('is never longer than the whole cache, and then costs no other its place', () => {
    const cache = new AnswerCache(1_000)
    cache.put(key(), page('a'), 1_000)
    cache.put(key({ method: 'prompts/list' }), { text: 'x'.repeat(1_000) }, 1_000)
    expect(cache.get(key({ method: 'prompts/list' }))).toBeUndefined()
    expect(cache.get(key())).toEqual(page('a'))
  })

  it('holds its place once, however often it is kept anew, dropped and asked for', () => {
    const cache = new AnswerCache(1_000)
    for (let i = 0; i < 200; i++) {
      cache.put(key(), { text: 'x'.repeat(400) }, 1_000)
      cache.put(key({ method: 'prompts/list' }), { text: 'x'.repeat(400) }, 1_000)
      if (i % 3 === 0) cache.drop(({ method }) => method === 'tools/list')
      if (i % 3 === 1) vi.advanceTimersByTime(1_000)
      expect(cache.get(key({ method: 'prompts/list' })) !== undefined).toBe(i % 3 !== 1)
    }
  })

  it('of any depth harms nobody', () => {
    const cache = new AnswerCache(100_000_000)
    const depth = 200_000
    const deep = JSON.parse(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`)
    cache.put(key(), deep, 1_000)
    expect(cache.get(key())).toBeUndefined()
  })
})

describe('a list that is kept', () => {
  it('is whole when every page is there and fresh', () => {
    const cache = new AnswerCache(10_000)
    expect(cache.hasList(undefined, 'tools/list')).toBe(false)
    cache.put(key(), page('a', '2'), 1_000)
    expect(cache.hasList(undefined, 'tools/list')).toBe(false)
    cache.put(key({ params: { cursor: '2' } }), page('b', ''), 500)
    cache.put(key({ params: { cursor: '' } }), page('c'), 1_000)
    expect(cache.hasList(undefined, 'tools/list')).toBe(true)
    expect(cache.hasList('ada', 'tools/list')).toBe(false)
    vi.advanceTimersByTime(500)
    expect(cache.hasList(undefined, 'tools/list')).toBe(false)
  })

  it('may go in a circle', () => {
    const cache = new AnswerCache(10_000)
    cache.put(key(), page('a', '1'), 1_000)
    cache.put(key({ params: { cursor: '1' } }), page('b', '2'), 1_000)
    cache.put(key({ params: { cursor: '2' } }), page('c', '1'), 1_000)
    expect(cache.hasList(undefined, 'tools/list')).toBe(true)
  })
})
