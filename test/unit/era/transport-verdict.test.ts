import { describe, expect, it } from 'vitest'
import { endOfTrying, refusesTransport, unreachable } from '../../../src/era/transport-verdict.ts'
import { ConnectionError, HttpError, ProtocolError, RpcError, TimeoutError } from '../../../src/errors.ts'
import type { Transport } from '../../../src/transport/transport.ts'

const http = (status: number): HttpError => new HttpError(`answered ${status}`, { status, url: 'http://h/x' })
const rpc = (code: number, status?: number, data?: unknown): RpcError => new RpcError(code, 'no', data, { status })
const transport = (kind: string): Transport => ({ kind, label: 'h', open: () => Promise.reject(new Error('not opened')) })

describe('evidence that a server does not speak a transport', () => {
  it.each([400, 404, 405, 406, 410, 415, 422, 200, 202, 204])('is %i without an answer', (status) => {
    expect(refusesTransport(http(status))).toBe(true)
  })

  it.each([400, 404, 405, 406])('is a JSON-RPC error that came with %i', (status) => {
    for (const code of [-32601, -32600, -32000, -32700]) expect(refusesTransport(rpc(code, status))).toBe(true)
  })

  it.each([0, 301, 302, 307, 401, 403, 408, 429, 500, 502, 503, 504])('is not %i', (status) => {
    expect(refusesTransport(http(status))).toBe(false)
    expect(refusesTransport(rpc(-32601, status))).toBe(false)
  })

  it.each<[string, unknown]>([
    ['a JSON-RPC error that answers', rpc(-32601)],
    ['a refused version', rpc(-32022, 400, { supported: ['2026-07-28'] })],
    ['refused headers', rpc(-32020, 400)],
    ['a missing capability', rpc(-32021, 400)],
    ['an error that names a modern revision', rpc(-32602, 400, { supported: ['2026-07-28'] })],
    ['a broken network', new ConnectionError({ kind: 'network', message: 'x' })],
    ['a broken stream', new ConnectionError({ kind: 'stream', message: 'x' })],
    ['silence', new TimeoutError('x', 1)],
    ['an unknown revision', new ProtocolError('x')],
    ['a mistake of the caller', new TypeError('x')],
    ['anything else', 'x'],
  ])('is not %s', (_, error) => {
    expect(refusesTransport(error)).toBe(false)
  })
})

describe('the error when nothing reaches the server', () => {
  it('is the only attempt, when there was one', () => {
    const error = http(404)
    expect(unreachable([{ transport: transport('sse'), error }])).toBe(error)
  })

  it('names each attempt with its reason, and the status when all agree', () => {
    const attempts = ['a', 'b'].map((kind) => ({ transport: transport(kind), error: http(404) }))
    const error = unreachable(attempts)
    expect(error).toMatchObject({
      message: 'h refuses every transport: by a, answered 404; by b, answered 404',
      outcome: 'not-run',
      retryable: false,
      reason: { kind: 'network', status: 404 },
      cause: { errors: attempts.map((each) => each.error) },
    })
    const mixed = unreachable([...attempts, { transport: transport('c'), error: rpc(-32601, 400) }])
    expect((mixed as ConnectionError).reason).not.toHaveProperty('status')
  })

  it('keeps what was tried before an error that ends the trying, as its cause', () => {
    const before = [{ transport: transport('a'), error: http(404) }]
    expect(endOfTrying(http(500), before)).toMatchObject({ status: 500, cause: { errors: [{ status: 404 }] } })
    expect((endOfTrying(http(500), []) as Error).cause).toBeUndefined()
    const own = new ProtocolError('x', { cause: 'own' })
    expect(endOfTrying(own, before)).toBe(own)
    expect(own.cause).toBe('own')
    expect(endOfTrying('x', before)).toBe('x')
  })
})
