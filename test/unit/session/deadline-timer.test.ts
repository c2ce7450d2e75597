import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Clock, Deadlines } from '../../../src/session/deadline.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const clockOf = (ms: number): Clock => ({ due: performance.now() + ms, totalDue: Number.POSITIVE_INFINITY, holds: 0, heldAt: 0 })

it('a deadline far away is met in time, by a timer that looks at it now and then', () => {
  const expired: Clock[] = []
  const deadlines = new Deadlines<Clock>((clock) => expired.push(clock))
  const [near, far] = [clockOf(5_000), clockOf(60_000)]
  deadlines.add(far)
  deadlines.add(near)
  vi.advanceTimersByTime(4_999)
  expect(expired).toEqual([])
  vi.advanceTimersByTime(3)
  expect(expired).toEqual([near])
  vi.advanceTimersByTime(54_996)
  expect(expired).toEqual([near])
  vi.advanceTimersByTime(5)
  expect(expired).toEqual([near, far])
  expect(vi.getTimerCount()).toBe(0)
})

it('no timer holds on to a client a second after its last call', () => {
  const deadlines = new Deadlines<Clock>(() => {})
  const clock = clockOf(60_000)
  deadlines.add(clock)
  deadlines.delete(clock)
  vi.advanceTimersByTime(1_001)
  expect(vi.getTimerCount()).toBe(0)
  deadlines.add(clock)
  expect(vi.getTimerCount()).toBe(1)
})

it('handlers that overlap without end stop a clock no longer than it may be held in a row', () => {
  const expired: Clock[] = []
  const deadlines = new Deadlines<Clock>((clock) => expired.push(clock), 300)
  const clock = clockOf(500)
  deadlines.add(clock)
  deadlines.hold(clock)
  for (let ms = 0; ms < 700; ms += 100) {
    vi.advanceTimersByTime(100)
    deadlines.hold(clock)
    deadlines.release(clock)
  }
  expect(expired).toEqual([])
  vi.advanceTimersByTime(500)
  expect(expired).toEqual([clock])
})
