import { describe, expect, it } from 'vitest'
import { isErrorResponse, isNotification, isObject, isRequest, isResponse } from '../../../src/jsonrpc/codec.ts'
import type { JSONRPCResponse, Params } from '../../../src/jsonrpc/message.ts'

type Kind = 'response' | 'request' | 'notification' | 'none'

function kindOf(message: Params): Kind {
  const kinds = [isResponse(message) && 'response', isRequest(message) && 'request', isNotification(message) && 'notification']
  const found = kinds.filter((kind) => kind !== false)
  expect(found.length, 'a message is of one kind').toBeLessThanOrEqual(1)
  return (found[0] as Kind | undefined) ?? 'none'
}

const error = { code: -32000, message: 'm' }

describe('a JSON-RPC message', () => {
  it.each<[Params, Kind]>([
    [{ jsonrpc: '2.0', id: 1, result: {} }, 'response'],
    [{ id: 0, result: {} }, 'response'],
    [{ id: '', result: {} }, 'response'],
    [{ id: 1, result: null }, 'response'],
    [{ id: 1, result: [] }, 'response'],
    [{ id: 1, result: 0 }, 'response'],
    [{ id: 1, error }, 'response'],
    [{ id: null, error }, 'response'],
    [{ error }, 'response'],
    [{ id: 1, result: null, error }, 'response'],
    [{ id: 1, result: {}, error: null }, 'response'],
    [{ id: null, result: {} }, 'none'],
    [{ result: {} }, 'none'],
    [{ id: {}, result: {} }, 'none'],
    [{ id: 1, error: null }, 'none'],
    [{ id: 1, error: { code: 'x', message: 'm' } }, 'none'],
    [{ id: 1, error: { code: 1 } }, 'none'],
    [{ id: 1, error: [] }, 'none'],
    [{ id: 1 }, 'none'],
    [{}, 'none'],
    [{ id: 1, method: 'm' }, 'request'],
    [{ id: 'a', method: 'm', params: {} }, 'request'],
    [{ id: 1, method: 'm', params: null }, 'request'],
    [{ id: 1, method: 'm', params: 5 }, 'none'],
    [{ id: 1, method: 'm', params: [] }, 'request'],
    [{ id: 1, method: 'm', params: [1] }, 'none'],
    [{ method: 'm', params: [] }, 'notification'],
    [{ method: 'm' }, 'notification'],
    [{ method: 'm', id: null }, 'notification'],
    [{ method: 'm', params: { a: 1 } }, 'notification'],
    [{ method: 'm', id: true }, 'none'],
    [{ method: 5 }, 'none'],
  ])('is recognized: %j is %s', (message, kind) => {
    expect(kindOf(message)).toBe(kind)
  })

  it.each<[Params, boolean]>([
    [{ id: 1, error }, true],
    [{ id: 1, error, result: null }, true],
    [{ id: 1, result: {}, error: null }, false],
    [{ id: 1, result: {} }, false],
    [{ id: 1, result: null, error: {} }, false],
  ])('has failed or not: %j', (message, failed) => {
    expect(isErrorResponse(message as unknown as JSONRPCResponse)).toBe(failed)
  })

  it.each([
    [{}, true],
    [[], false],
    [null, false],
    ['x', false],
    [undefined, false],
    [Object.create(null), true],
  ])('is an object or not: %j', (value, expected) => {
    expect(isObject(value)).toBe(expected)
  })
})
