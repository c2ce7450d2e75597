import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { bounded } from '../../../src/session/bounded.ts'

const never = new Promise<never>(() => {})
const limit = (ms: number) => ({ ms, error: () => new Error('too long') })

describe('waiting for work of others', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('ends with the work, and leaves neither a timer nor a listener', async () => {
    const { signal } = new AbortController()
    const removed = vi.spyOn(signal, 'removeEventListener')
    await expect(bounded(Promise.resolve(1), [signal, undefined], limit(1_000))).resolves.toBe(1)
    await expect(bounded(Promise.reject(new Error('failed')), [signal], limit(1_000))).rejects.toThrow('failed')
    expect(vi.getTimerCount()).toBe(0)
    expect(removed).toHaveBeenCalledTimes(2)
  })

  it('ends with the limit while the work goes on', async () => {
    const { signal } = new AbortController()
    const removed = vi.spyOn(signal, 'removeEventListener')
    const waiting = bounded(never, [signal], limit(1_000))
    const rejected = expect(waiting).rejects.toThrow('too long')
    await vi.advanceTimersByTimeAsync(1_000)
    await rejected
    expect(removed).toHaveBeenCalledTimes(1)
  })

  it('ends with a signal, at once when it is aborted already', async () => {
    const controller = new AbortController()
    const waiting = bounded(never, [controller.signal], limit(1_000))
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(bounded(never, [controller.signal])).rejects.toThrow('enough')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('has no limit when that is Infinity', () => {
    void bounded(never, [], limit(Number.POSITIVE_INFINITY))
    expect(vi.getTimerCount()).toBe(0)
  })
})
