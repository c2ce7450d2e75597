import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ProbeOutcome, probeVerdict } from '../../src/era/probe-verdict.ts'
import { refusesTransport } from '../../src/era/transport-verdict.ts'
import { type Allowed, allowedBy, PROTOCOL_VERSIONS } from '../../src/era/versions.ts'
import { ConnectionError, HttpError, ProtocolError, RpcError, TimeoutError } from '../../src/errors.ts'
import type { Answer } from '../../src/transport/transport.ts'

// The verdict on a probe, whatever the server makes of it. The specification's rules stand here in other words than in the source.

const version = fc.oneof(fc.constantFrom(...PROTOCOL_VERSIONS, '2099-01-01', '', 'latest'), fc.jsonValue({ maxDepth: 1 }))
const versions = fc.oneof(fc.array(version, { maxLength: 6 }), fc.jsonValue({ maxDepth: 1 }))
const status = fc.option(fc.constantFrom(200, 202, 301, 400, 401, 403, 404, 405, 406, 408, 415, 429, 500, 502, 503), { nil: undefined })
const code = fc.oneof(fc.constantFrom(-32601, -32602, -32600, -32000, -32020, -32021, -32022, -32042), fc.integer())
const PROBE = { jsonrpc: '2.0', id: 1 } as const

/** Parsed from a wire, so anything may stand in it. */
const answer = (value: object, http: number | undefined): ProbeOutcome => ({
  answer: { ...PROBE, ...value, ...(http !== undefined && { status: http }) } as Answer,
})
const result = fc
  .tuple(fc.record({ supportedVersions: versions, capabilities: fc.jsonValue({ maxDepth: 1 }) }, { requiredKeys: [] }), status)
  .map(([value, http]) => answer({ result: value }, http))
const refusal = fc
  .tuple(code, fc.option(fc.record({ supported: versions }, { requiredKeys: [] }), { nil: undefined }), status)
  .map(([number, data, http]) => answer({ error: { code: number, message: 'no', ...(data !== undefined && { data }) } }, http))
const failure = fc.oneof(
  fc
    .constantFrom('closed', 'exit', 'spawn', 'stream', 'session', 'network', 'timeout', 'limit')
    .map((kind) => new ConnectionError({ kind, message: 'broke' }, { outcome: 'unknown' })),
  fc.integer({ min: 200, max: 599 }).map((http) => new HttpError('http', { status: http, url: 'http://x' })),
  fc.constant(new TimeoutError('late', 1)),
  fc.constant(new ProtocolError('odd')),
  fc.constant(new Error('accident')),
)
const outcome = fc.oneof(
  result,
  refusal,
  failure.map((error): ProbeOutcome => ({ error })),
)
const allowed = fc.constantFrom('auto', 'legacy', 'modern', ...PROTOCOL_VERSIONS).map(allowedBy)

const oneOf = (known: Allowed, name: string | undefined): boolean => name !== undefined && [...known.modern, ...known.legacy].includes(name)

describe('the verdict on a probe', () => {
  it('never names a revision that is not allowed, and only one that the server named', () => {
    fc.assert(
      fc.property(outcome, allowed, (probed, known) => {
        const verdict = probeVerdict(probed, known)
        const named = 'version' in verdict ? verdict.version : undefined
        if (named === undefined) return
        expect(oneOf(known, named)).toBe(true)
        expect(JSON.stringify(probed)).toContain(named)
        expect(verdict.era === 'legacy' ? known.legacy : known.modern).toContain(named)
      }),
      { numRuns: 2_000 },
    )
  })

  it('takes the newest revision in common', () => {
    const listed = fc.uniqueArray(fc.constantFrom(...PROTOCOL_VERSIONS), { minLength: 1 })
    fc.assert(
      fc.property(listed, (supportedVersions) => {
        const verdict = probeVerdict(answer({ result: { supportedVersions } }, undefined), allowedBy('auto'))
        expect(verdict).toMatchObject({ version: PROTOCOL_VERSIONS.find((each) => supportedVersions.includes(each)) })
      }),
    )
  })

  it('sees an older server on evidence alone: never in a missing login, haste, a broken server or network, or silence', () => {
    fc.assert(
      fc.property(failure, (error) => {
        const { era } = probeVerdict({ error }, allowedBy('auto'))
        const died = error instanceof ConnectionError && error.reason.kind === 'exit'
        const refused = error instanceof HttpError && error.status < 500 && (error.status < 300 || error.status >= 400)
        const says = refused && ![401, 403, 408, 429].includes(error instanceof HttpError ? error.status : 0)
        expect(era).toBe(died || says ? 'legacy' : 'none')
      }),
      { numRuns: 1_000 },
    )
  })

  it('tells an error of the server as it came, when it is no evidence', () => {
    fc.assert(
      fc.property(refusal, (probed) => {
        const verdict = probeVerdict(probed, allowedBy('auto'))
        if (verdict.era !== 'none') return
        expect(verdict.error instanceof RpcError || verdict.error instanceof ProtocolError).toBe(true)
      }),
    )
  })
})

describe('the verdict on a transport', () => {
  it('is a refusal only with a status that says so, and never by a code that only newer servers have', () => {
    const rpc = fc.tuple(code, status).map(([number, http]) => new RpcError(number, 'no', undefined, { status: http }))
    fc.assert(
      fc.property(fc.oneof(failure, rpc), (error) => {
        if (!refusesTransport(error)) return
        const http = error instanceof HttpError || error instanceof RpcError ? error.status : undefined
        expect(http).toBeDefined()
        expect([401, 403, 408, 429]).not.toContain(http)
        expect(http).toBeLessThan(500)
        if (error instanceof RpcError) expect([-32020, -32021, -32022]).not.toContain(error.rpcCode)
      }),
      { numRuns: 1_000 },
    )
  })
})
