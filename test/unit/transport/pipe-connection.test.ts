import { describe, expect, it } from 'vitest'
import { type CloseReason, ConnectionError, ProtocolError } from '../../../src/errors.ts'
import type { JSONRPCMessage } from '../../../src/jsonrpc/message.ts'
import { DEFAULT_LIMITS } from '../../../src/limits.ts'
import { pipeConnection } from '../../../src/transport/pipe-connection.ts'
import { rejection } from '../../support/settled.ts'

function setUp(write: (message: JSONRPCMessage) => void | Promise<void> = () => {}) {
  const problems: string[] = []
  const inbound: unknown[] = []
  const end = pipeConnection({ write, close: async () => {} }, (message) => inbound.push(message), {
    limits: { ...DEFAULT_LIMITS, maxPeerTextChars: 200 },
    report: (problem) => problems.push(problem),
  })
  const ask = (id: string | number) => end.connection.exchange({ jsonrpc: '2.0', id, method: 'm' })
  return { ...end, ask, problems, inbound }
}

describe('a connection over a shared channel', () => {
  it('keeps the ids 1 and "1" apart', async () => {
    const { ask, receive } = setUp()
    const number = ask(1)
    const text = ask('1')
    receive({ jsonrpc: '2.0', id: '1', result: { of: 'text' } })
    receive({ jsonrpc: '2.0', id: 1, result: { of: 'number' } })
    expect(await number).toMatchObject({ id: 1, result: { of: 'number' } })
    expect(await text).toMatchObject({ id: '1', result: { of: 'text' } })
  })

  it('never matches an answer by guess: one with another id or type is dropped and named', async () => {
    const { ask, receive, problems } = setUp()
    let settled = false
    void ask(7).then(() => {
      settled = true
    })
    receive({ jsonrpc: '2.0', id: 0, result: {} })
    receive({ jsonrpc: '2.0', id: '7', result: {} })
    await Promise.resolve()
    expect(settled).toBe(false)
    expect(problems).toEqual([expect.stringContaining('id 0'), expect.stringContaining('id "7"')])
  })

  it('takes the first of two answers and drops the second', async () => {
    const { ask, receive, problems } = setUp()
    const call = ask(1)
    receive({ jsonrpc: '2.0', id: 1, result: { n: 1 } })
    receive({ jsonrpc: '2.0', id: 1, result: { n: 2 } })
    expect(await call).toMatchObject({ result: { n: 1 } })
    expect(problems).toHaveLength(1)
  })

  it.each([
    ['neither result nor error', {}],
    ['an error without a code', { error: { message: 'm' } }],
    ['an error without a message', { error: { code: -32000 } }],
    ['an error that is a text', { error: 'failed' }],
    ['null for both', { result: undefined, error: null }],
  ])('rejects a call at once that is answered with %s', async (_what, rest) => {
    const { ask, receive } = setUp()
    const call = rejection(ask(1))
    receive({ jsonrpc: '2.0', id: 1, ...rest })
    const error = await call
    expect(error).toBeInstanceOf(ProtocolError)
    expect(error).toMatchObject({ code: 'ERR_MCP_PROTOCOL', outcome: 'answered' })
  })

  it('hands a request of the server on even when its id is one of ours', async () => {
    const { ask, receive, inbound } = setUp()
    const call = ask(1)
    receive({ jsonrpc: '2.0', id: 1, method: 'ping' })
    receive({ jsonrpc: '2.0', id: 1, result: { ok: true } })
    expect(inbound).toEqual([{ jsonrpc: '2.0', id: 1, method: 'ping' }])
    expect(await call).toMatchObject({ result: { ok: true } })
  })

  it.each([
    ['params null', { method: 'n', params: null }],
    ['id null', { method: 'n', id: null }],
    ['no jsonrpc member', { method: 'n' }],
    ['unknown members', { jsonrpc: '2.0', method: 'n', extra: 1 }],
  ])('takes a notification with %s', (_what, message) => {
    const { receive, inbound } = setUp()
    receive(message)
    expect(inbound).toEqual([message])
  })

  it.each([
    ['a number', 5],
    ['a text', 'x'],
    ['null', null],
    ['an empty object', {}],
    ['a method that is no text', { method: 5 }],
    ['params that are a text', { method: 'm', params: 'x' }],
    ['an id that is an object', { method: 'm', id: {} }],
    ['a batch in a batch', [[{ method: 'm' }]]],
  ])('reports %s and hands nothing on', (_what, value) => {
    const { receive, inbound, problems } = setUp()
    receive(value)
    expect(inbound).toEqual([])
    expect(problems).toHaveLength(1)
  })

  it('quotes the peer escaped and bounded', () => {
    const { receive, problems } = setUp()
    receive({ bad: `\u202e\u001b[31m${'x'.repeat(10_000)}` })
    expect(problems[0]?.length).toBeLessThan(400)
    for (const unsafe of ['\u202e', '\u001b']) expect(problems[0]).not.toContain(unsafe)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('pipe is full')
      },
    ],
    ['rejects', () => Promise.reject(new Error('pipe is full'))],
  ])('says that a call did not run when writing %s', async (_how, write) => {
    const { ask } = setUp(write)
    const error = await rejection(ask(1))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ outcome: 'not-run' })
    expect((error as Error).message).toContain('pipe is full')
  })

  it('leaves running calls alone when it is lost, and refuses new ones', async () => {
    const { ask, receive, lose, connection } = setUp()
    const reason: CloseReason = { kind: 'session', message: 'forgotten' }
    const call = ask(1)
    lose(reason)
    expect(await rejection(ask(2))).toMatchObject({ outcome: 'not-run', reason })
    expect(await rejection(connection.post({ jsonrpc: '2.0', method: 'n' }))).toMatchObject({ outcome: 'not-run' })
    receive({ jsonrpc: '2.0', id: 1, result: {} })
    await call
    expect(await connection.lost).toBe(reason)
  })

  it('rejects every call when it fails; the first reason stays', async () => {
    const { ask, fail, connection } = setUp()
    const reason: CloseReason = { kind: 'exit', message: 'gone', exitCode: 1 }
    const calls = [rejection(ask(1)), rejection(ask('a'))]
    fail(reason)
    fail({ kind: 'closed', message: 'later' })
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ outcome: 'unknown', reason })
    expect(await connection.closed).toBe(reason)
    expect(await connection.lost).toBe(reason)
  })

  it('rejects an abandoned call with the reason that was given, and drops its late answer', async () => {
    const { ask, receive, connection, problems } = setUp()
    const reason = { mine: true }
    const call = rejection(ask(1))
    connection.abandon(1, reason)
    connection.abandon(1, 'again')
    expect(await call).toBe(reason)
    receive({ jsonrpc: '2.0', id: 1, result: {} })
    expect(problems).toHaveLength(1)
  })

  it('hands on what came before an answer before the answer resolves', async () => {
    const { ask, receive, inbound } = setUp()
    const call = ask(1).then(() => inbound.length)
    for (let i = 0; i < 5; i++) receive({ jsonrpc: '2.0', method: 'n', params: { i } })
    receive({ jsonrpc: '2.0', id: 1, result: {} })
    expect(await call).toBe(5)
    expect(inbound).toEqual(Array.from({ length: 5 }, (_, i) => ({ jsonrpc: '2.0', method: 'n', params: { i } })))
  })
})
