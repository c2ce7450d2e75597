import type { IncomingHttpHeaders } from 'node:http'
import { isObject } from '../../jsonrpc/codec.ts'
import type { Params } from '../../jsonrpc/message.ts'
import { VERSION_KEY } from './modern.ts'
import type { Replies } from './post-reply.ts'
import { headersOf } from './tools.ts'

const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']

export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(host) || host === '::1'
}

/** Whether Host and Origin name this machine: a page of another site that resolves to it must not get in. */
export function comesFromHere({ host, origin }: IncomingHttpHeaders): boolean {
  return isHere(`http://${host}`) && (origin === undefined || isHere(origin))
}

function isHere(url: string): boolean {
  return URL.canParse(url) && LOOPBACK.includes(new URL(url).hostname)
}

/** Whether the client takes what it may be answered. */
export function accepts(accept: string | undefined, replies: Replies): boolean {
  const types = (accept ?? '*/*').split(',').map((type) => type.split(';')[0]?.trim().toLowerCase())
  const has = (type: string): boolean => types.some((one) => one === '*/*' || one === type || one === type.replace(/\/.*/, '/*'))
  return (replies === 'sse' || has('application/json')) && (replies === 'json' || has('text/event-stream'))
}

const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

/** Why the headers of a modern request do not fit its body; undefined when they do. A body without `_meta` is not judged here. */
export function headerMismatch(headers: IncomingHttpHeaders, { method, params }: Params): string | undefined {
  if (!isObject(params) || !isObject(params._meta) || params._meta[VERSION_KEY] === undefined) return undefined
  const expected: [string, unknown][] = [
    ['mcp-protocol-version', params._meta[VERSION_KEY]],
    ['mcp-method', method],
  ]
  const named = typeof method === 'string' ? NAMED_BY[method] : undefined
  if (named !== undefined) expected.push(['mcp-name', params[named]])
  if (method === 'tools/call' && isObject(params.arguments)) {
    for (const [argument, header] of Object.entries(headersOf(params.name))) {
      expected.push([`mcp-param-${header.toLowerCase()}`, params.arguments[argument] ?? undefined])
    }
  }
  for (const [header, value] of expected) {
    const sent = headers[header]
    const text = typeof sent === 'string' ? plain(sent) : undefined
    if (text !== (value === undefined ? undefined : String(value))) return `the header ${header} does not fit the body`
  }
  return undefined
}

/** A header value, taken out of its base64 wrapping. */
function plain(value: string): string {
  const [, wrapped] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value) ?? []
  return wrapped === undefined ? value : Buffer.from(wrapped, 'base64').toString('utf8')
}
