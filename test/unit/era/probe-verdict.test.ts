import { describe, expect, it } from 'vitest'
import { probeVerdict } from '../../../src/era/probe-verdict.ts'
import { VerdictCache } from '../../../src/era/verdict-cache.ts'
import { allowedBy, PROTOCOL_VERSIONS } from '../../../src/era/versions.ts'
import { ConnectionError, HttpError, ProtocolError, RpcError, TimeoutError } from '../../../src/errors.ts'
import type { Answer } from '../../../src/transport/transport.ts'

const MODERN = '2026-07-28'
const result = (value: unknown, more = {}): { answer: Answer } => ({ answer: { jsonrpc: '2.0', id: 1, result: value, ...more } as Answer })
const error = (code: number, data?: unknown, status?: number): { answer: Answer } => ({
  answer: { jsonrpc: '2.0', id: 1, error: { code, message: 'no', data }, ...(status !== undefined && { status }) } as Answer,
})
const failed = (status: number): { error: unknown } => ({ error: new HttpError(`status ${status}`, { status, url: 'http://h/' }) })
const exited = { error: new ConnectionError({ kind: 'exit', message: 'gone', exitCode: 1 }, { outcome: 'unknown' }) }
const unsupported = (...supported: unknown[]) => error(-32022, { supported, requested: MODERN }, 400)

type Outcome = Parameters<typeof probeVerdict>[0]
type Expected = Partial<ReturnType<typeof probeVerdict>>

const ROWS: readonly (readonly [string, Outcome, Expected])[] = [
  ['a DiscoverResult', result({ supportedVersions: [MODERN], capabilities: {} }), { era: 'modern', version: MODERN }],
  ['one that lists older revisions too', result({ supportedVersions: ['2025-11-25', MODERN] }), { era: 'modern', version: MODERN }],
  ['one that lists revisions of the future too', result({ supportedVersions: ['2031-01-01', MODERN] }), { era: 'modern', version: MODERN }],
  [
    'one that lists only older revisions',
    result({ supportedVersions: ['2025-03-26', '2025-06-18'] }),
    { era: 'legacy', version: '2025-06-18' },
  ],
  ['one that lists nothing we speak', result({ supportedVersions: ['2031-01-01'] }), { era: 'none' }],
  ['one that lists nothing', result({ supportedVersions: [] }), { era: 'none' }],
  ['one that lists no texts', result({ supportedVersions: [1, null, {}, MODERN] }), { era: 'modern', version: MODERN }],
  ['a DiscoverResult beside a null error', result({ supportedVersions: [MODERN] }, { error: null }), { era: 'modern' }],
  ['a result without supportedVersions', result({}), { era: 'legacy' }],
  ['a result whose supportedVersions are no list', result({ supportedVersions: MODERN }), { era: 'legacy' }],
  ['a result that is a list', result([]), { era: 'legacy' }],
  ['a result that is null', result(null), { era: 'legacy' }],
  ['-32022 that lists the version sent', unsupported(MODERN), { era: 'again', version: MODERN }],
  ['-32022 beside a null result', { answer: { ...unsupported(MODERN).answer, result: null } as unknown as Answer }, { era: 'again' }],
  ['-32022 that lists only older revisions', unsupported('2025-06-18', '2024-11-05'), { era: 'legacy', version: '2025-06-18' }],
  ['-32022 that lists nothing we speak', unsupported('2031-01-01'), { era: 'none' }],
  ['-32022 without a list', error(-32022, undefined, 400), { era: 'legacy' }],
  ['-32020, our headers are wrong', error(-32020, undefined, 400), { era: 'none' }],
  ['-32021, a capability is missing', error(-32021, { requiredCapabilities: { sampling: {} } }, 400), { era: 'none' }],
  ['-32601 on a pipe', error(-32601), { era: 'legacy' }],
  ['-32602 on a pipe', error(-32602), { era: 'legacy' }],
  ['-32600 on a pipe', error(-32600), { era: 'legacy' }],
  ['-32000 "not initialized"', error(-32000), { era: 'legacy' }],
  ['-32603 on a pipe', error(-32603), { era: 'legacy' }],
  ['any number on a pipe', error(17), { era: 'legacy' }],
  ['404 with -32601', error(-32601, undefined, 404), { era: 'legacy' }],
  ['400 with an error without a name', error(-32000, undefined, 400), { era: 'legacy' }],
  ['401 with a JSON-RPC error', error(-32000, undefined, 401), { era: 'none' }],
  ['403 with a JSON-RPC error', error(-32000, undefined, 403), { era: 'none' }],
  ['500 with a JSON-RPC error', error(-32603, undefined, 500), { era: 'none' }],
  ['400 without a JSON-RPC body', failed(400), { era: 'legacy' }],
  ['404', failed(404), { era: 'legacy' }],
  ['405', failed(405), { era: 'legacy' }],
  ['406', failed(406), { era: 'legacy' }],
  ['415', failed(415), { era: 'legacy' }],
  ['422', failed(422), { era: 'legacy' }],
  ['200 without an answer', failed(200), { era: 'legacy' }],
  ['202', failed(202), { era: 'legacy' }],
  ['401', failed(401), { era: 'none' }],
  ['403', failed(403), { era: 'none' }],
  ['429', failed(429), { era: 'none' }],
  ['301', failed(301), { era: 'none' }],
  ['307', failed(307), { era: 'none' }],
  ['500', failed(500), { era: 'none' }],
  ['502', failed(502), { era: 'none' }],
  ['503', failed(503), { era: 'none' }],
  [
    'a network that is down',
    { error: new ConnectionError({ kind: 'network', message: 'refused', errno: 'ECONNREFUSED' }) },
    { era: 'none' },
  ],
  ['a program that cannot be started', { error: new ConnectionError({ kind: 'spawn', message: 'ENOENT' }) }, { era: 'none' }],
  ['a timeout', { error: new TimeoutError('late', 5) }, { era: 'none' }],
  ['the death of the process', exited, { era: 'legacy', died: true }],
  ['an accident', { error: new Error('oops') }, { era: 'none' }],
]

describe('what follows from the probe', () => {
  it.each(ROWS)('%s', (_what, outcome, expected) => {
    expect(probeVerdict(outcome, allowedBy('auto'))).toMatchObject(expected)
  })

  it('is never a revision that is not allowed', () => {
    const both = result({ supportedVersions: [...PROTOCOL_VERSIONS] })
    expect(probeVerdict(both, allowedBy('2025-03-26'))).toMatchObject({ era: 'legacy', version: '2025-03-26' })
    expect(probeVerdict(both, allowedBy('modern'))).toMatchObject({ era: 'modern', version: MODERN })
    expect(probeVerdict(unsupported('2025-11-25'), allowedBy('modern'))).toMatchObject({ era: 'none' })
    expect(probeVerdict(result({ supportedVersions: ['2025-11-25'] }), allowedBy('modern'))).toMatchObject({ era: 'none' })
  })

  it('names both sides when nothing is in common', () => {
    const verdict = probeVerdict(unsupported('2031-01-01', '\u001b[31m'), allowedBy('auto'))
    if (verdict.era !== 'none') throw new Error('there is something in common')
    expect(verdict.error).toBeInstanceOf(ProtocolError)
    const { message } = verdict.error as ProtocolError
    for (const version of ['2031-01-01', ...PROTOCOL_VERSIONS]) expect(message).toContain(version)
    expect(message).not.toContain('\u001b')
  })

  it.each([-32020, -32021])('keeps the error %i of the server for the caller', (code) => {
    const verdict = probeVerdict(error(code, { requiredCapabilities: { sampling: {} } }, 400), allowedBy('auto'))
    if (verdict.era !== 'none') throw new Error('it was taken as evidence')
    expect(verdict.error).toBeInstanceOf(RpcError)
    expect(verdict.error).toMatchObject({
      rpcCode: code,
      status: 400,
      outcome: 'not-run',
      data: { requiredCapabilities: { sampling: {} } },
    })
  })

  const INFO = 'io.modelcontextprotocol/serverInfo'
  it.each([
    ['in _meta', { _meta: { [INFO]: { name: 'n', version: '1', title: 'T' } } }, { name: 'n', version: '1', title: 'T' }],
    ['in the body, as early drafts had it', { serverInfo: { name: 'n', version: '1' } }, { name: 'n', version: '1' }],
    ['without a version', { _meta: { [INFO]: { name: 'n' } } }, { name: 'n', version: '' }],
    [
      'with a version that is no text',
      { _meta: { [INFO]: { name: 'n', version: { toString: 1, valueOf: 1 } } } },
      { name: 'n', version: '' },
    ],
    ['null', { _meta: { [INFO]: null }, serverInfo: null }, undefined],
    ['without a name', { _meta: { [INFO]: { version: '1' } } }, undefined],
    ['nowhere', { _meta: null }, undefined],
  ])('takes the identity of the server: %s', (_where, more, serverInfo) => {
    const verdict = probeVerdict(result({ supportedVersions: [MODERN], ...more }), allowedBy('auto'))
    if (verdict.era !== 'modern') throw new Error('not modern')
    expect(verdict.discovered.serverInfo).toEqual(serverInfo)
  })

  it.each([
    [
      { tools: {}, prompts: null, 'x-other': { a: 1 } },
      { tools: {}, 'x-other': { a: 1 } },
    ],
    [null, {}],
    [[], {}],
    ['all', {}],
    [undefined, {}],
  ])('takes capabilities, of which a null one is none: %j', (capabilities, expected) => {
    const verdict = probeVerdict(result({ supportedVersions: [MODERN], capabilities, instructions: null }), allowedBy('auto'))
    if (verdict.era !== 'modern') throw new Error('not modern')
    expect(verdict.discovered.capabilities).toEqual(expected)
    expect(verdict.discovered.instructions).toBeUndefined()
  })
})

describe('the choice of revisions', () => {
  it('is newest first', () => {
    expect(PROTOCOL_VERSIONS).toEqual(['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])
  })

  it.each([
    ['auto', ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'], ['2026-07-28']],
    ['legacy', ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'], []],
    ['modern', [], ['2026-07-28']],
    ['2026-07-28', [], ['2026-07-28']],
    ['2025-06-18', ['2025-06-18'], []],
    ['2024-11-05', ['2024-11-05'], []],
  ])('%s', (choice, legacy, modern) => {
    expect(allowedBy(choice)).toEqual({ legacy, modern })
  })
})

describe('what is remembered of a server', () => {
  const HOUR = 60 * 60 * 1_000

  it('is kept per identity; a legacy verdict for 24 hours, a modern one for as long as the process', async () => {
    const { vi } = await import('vitest')
    vi.useFakeTimers()
    try {
      const cache = new VerdictCache()
      cache.set('a', 'legacy')
      cache.set('b', 'modern')
      expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.get(undefined)]).toEqual(['legacy', 'modern', undefined, undefined])
      vi.advanceTimersByTime(24 * HOUR - 1)
      expect(cache.get('a')).toBe('legacy')
      vi.advanceTimersByTime(2)
      expect(cache.get('a')).toBeUndefined()
      vi.advanceTimersByTime(1_000 * HOUR)
      expect(cache.get('b')).toBe('modern')
      cache.delete('b')
      expect(cache.get('b')).toBeUndefined()
    } finally {
      vi.useRealTimers()
    }
  })

  it('is bounded: the oldest server is forgotten first', () => {
    const cache = new VerdictCache()
    for (let i = 0; i < 5_000; i++) cache.set(`server ${i}`, 'modern')
    expect(cache.get('server 0')).toBeUndefined()
    expect(cache.get('server 4999')).toBe('modern')
    const kept = Array.from({ length: 5_000 }, (_, i) => cache.get(`server ${i}`)).filter((era) => era !== undefined)
    expect(kept.length).toBeLessThanOrEqual(1_000)
  })
})
