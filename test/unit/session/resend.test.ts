import { describe, expect, it } from 'vitest'
import { ConnectionError, HttpError, type Outcome, ProtocolError, RpcError, TimeoutError, ToolError } from '../../../src/index.ts'
import { retryPause } from '../../../src/session/resend.ts'

const RULES = { retries: 3, retryBackoffMs: 500 }
const http = (status: number, outcome: Outcome, retryable = true, retryAfterMs?: number): HttpError =>
  new HttpError('m', { status, url: 'http://h/', retryAfterMs }, { outcome, retryable })
const network = (outcome: Outcome, retryable = true): ConnectionError =>
  new ConnectionError({ kind: 'network', message: 'm' }, { outcome, retryable })

describe('a failed leg is sent again', () => {
  it.each<[string, unknown, string, boolean, boolean]>([
    ['a call that did not run', http(429, 'not-run'), 'tools/call', false, true],
    ['a call that no byte of left', network('not-run'), 'tools/call', false, true],
    ['a call that may have run', network('unknown'), 'tools/call', false, false],
    ['a call that may have run and may run twice', network('unknown'), 'tools/call', true, true],
    ['a call after 503', http(503, 'unknown'), 'tools/call', false, false],
    ['a call that was answered', new RpcError(-32603, 'm', undefined, { outcome: 'answered' }), 'tools/call', true, false],
    ['a call that timed out', new TimeoutError('m', 5, { outcome: 'unknown', retryable: true }), 'tools/call', true, false],
    ['a list after 503', http(503, 'unknown'), 'tools/list', false, true],
    ['a read after a cut stream', network('unknown'), 'resources/read', false, true],
    ['a prompt', network('unknown'), 'prompts/get', false, true],
    ['a completion', network('unknown'), 'completion/complete', false, true],
    ['a handshake', network('unknown'), 'initialize', false, true],
    ['a discovery', network('unknown'), 'server/discover', false, true],
    ['a method that nobody knows', network('unknown'), 'vendor/method', false, false],
    ['a failure that does not pass', http(404, 'not-run', false), 'tools/list', false, false],
    ['a failure of the protocol', new ProtocolError('m', { outcome: 'not-run', retryable: true }), 'tools/list', false, false],
    ['a failed tool', new ToolError('m', {}, { outcome: 'answered' }), 'tools/call', true, false],
    ['an accident', new Error('m'), 'tools/list', true, false],
  ])('or not: %s', (_what, error, method, repeatable, expected) => {
    expect(retryPause(error, method, repeatable, 0, RULES) !== undefined).toBe(expected)
  })

  it.each([0, 1, 2, 3, 4])('no more often than allowed: attempt %i of 3', (attempt) => {
    expect(retryPause(network('not-run'), 'tools/list', false, attempt, RULES) !== undefined).toBe(attempt < 3)
    expect(retryPause(network('not-run'), 'tools/list', false, attempt, { ...RULES, retries: 0 })).toBeUndefined()
  })

  it('after a pause that doubles, with a quarter of jitter, and is never longer than 30 seconds', () => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const base = Math.min(500 * 2 ** attempt, 30_000)
      const pauses = Array.from(
        { length: 500 },
        () => retryPause(network('not-run'), 'x', false, attempt, { retries: 99, retryBackoffMs: 500 }) ?? -1,
      )
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(base * 0.75)
      expect(Math.max(...pauses)).toBeLessThanOrEqual(Math.min(base * 1.25, 30_000))
      expect(new Set(pauses).size).toBeGreaterThan(10)
    }
  })

  it('not before the server wants it', () => {
    expect(retryPause(http(429, 'not-run', true, 12_345), 'tools/call', false, 0, RULES)).toBe(12_345)
    expect(retryPause(http(429, 'not-run', true, 1), 'tools/call', false, 0, RULES)).toBeGreaterThanOrEqual(375)
  })
})
