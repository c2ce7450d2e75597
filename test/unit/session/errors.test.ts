import { describe, expect, it } from 'vitest'
import * as root from '../../../src/index.ts'

const { McpError, TransportError, AuthorizationError } = root
const reason = { kind: 'exit', message: 'm', exitCode: 1 } as const

describe('the errors', () => {
  it.each([
    ['McpError', new McpError('m'), 'ERR_MCP', McpError],
    ['RpcError', new root.RpcError(-1, 'm', { a: 1 }), 'ERR_MCP_RPC', McpError],
    ['ToolError', new root.ToolError('m', {}), 'ERR_MCP_TOOL', McpError],
    ['ProtocolError', new root.ProtocolError('m'), 'ERR_MCP_PROTOCOL', McpError],
    ['ConnectionError', new root.ConnectionError(reason), 'ERR_MCP_CONNECTION', TransportError],
    ['HttpError', new root.HttpError('m', { status: 500, url: 'http://h/' }), 'ERR_MCP_HTTP', TransportError],
    ['TimeoutError', new root.TimeoutError('m', 5), 'ERR_MCP_TIMEOUT', TransportError],
    ['ResponseTooLargeError', new root.ResponseTooLargeError('maxMessageBytes', 5), 'ERR_MCP_TOO_LARGE', TransportError],
    ['UnsupportedError', new root.UnsupportedError('m'), 'ERR_MCP_UNSUPPORTED', McpError],
    ['AuthorizationError', new AuthorizationError('m'), 'ERR_MCP_AUTHORIZATION', McpError],
    ['InsufficientScopeError', new root.InsufficientScopeError('m', {}), 'ERR_MCP_INSUFFICIENT_SCOPE', AuthorizationError],
    ['ValidationError', new root.ValidationError('m', { reason: 'mismatch' }), 'ERR_MCP_VALIDATION', McpError],
    ['NotFoundError', new root.NotFoundError('tool', 'x'), 'ERR_MCP_NOT_FOUND', McpError],
    ['PolicyError', new root.PolicyError('denied', 'tool', 'x'), 'ERR_MCP_POLICY', McpError],
    ['AmbiguousNameError', new root.AmbiguousNameError('tool', 'x', ['a', 'b']), 'ERR_MCP_AMBIGUOUS', McpError],
    ['TaskError', new root.TaskError('m', 'failed'), 'ERR_MCP_TASK', McpError],
    ['ConfigError', new root.ConfigError('m'), 'ERR_MCP_CONFIG', McpError],
    ['HandlerError', new root.HandlerError('m'), 'ERR_MCP_HANDLER', McpError],
  ])('have a name, a code and a parent that stay: %s', (name, error, code, parent) => {
    expect(error).toMatchObject({ name, code, retryable: false })
    expect(error).toBeInstanceOf(parent)
    expect(error).toBeInstanceOf(McpError)
    expect(error).toBeInstanceOf(Error)
    expect(error.message).not.toBe('')
    expect(String(error)).toContain(name)
  })

  it('keep what they are given', () => {
    const cause = new Error('c')
    expect(
      new root.RpcError(-5, 'm', null, { server: 's', method: 'x', outcome: 'answered', retryable: true, cause, status: 400 }),
    ).toMatchObject({
      rpcCode: -5,
      data: null,
      server: 's',
      method: 'x',
      outcome: 'answered',
      retryable: true,
      cause,
      status: 400,
    })
    expect(new root.ConnectionError(reason)).toMatchObject({ reason, message: 'm' })
    expect(new root.TimeoutError('m', 7)).toMatchObject({ timeoutMs: 7 })
    expect(new root.ResponseTooLargeError('maxMessageBytes', 9)).toMatchObject({ limit: 'maxMessageBytes', max: 9, outcome: 'unknown' })
    expect('cause' in new McpError('m')).toBe(false)
  })
})

describe('the root', () => {
  it('exports what a program needs, and the revisions newest first', () => {
    expect(Object.keys(root)).toEqual(
      expect.arrayContaining(['connect', 'Client', 'accept', 'decline', 'cancel', 'isText', 'bytesOf', 'VERSION', 'PROTOCOL_VERSIONS']),
    )
    expect(root.VERSION).toMatch(/^\d+\.\d+\.\d+/)
    expect(root.PROTOCOL_VERSIONS).toEqual(['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])
  })
})
