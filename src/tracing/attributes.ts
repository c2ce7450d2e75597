import type { Attributes } from '@opentelemetry/api'
import type { Link } from '../era/era.ts'
import type { RequestId } from '../jsonrpc/message.ts'
import { PROMPTS_GET, RESOURCES_READ, TOOLS_CALL } from '../protocol/methods.ts'
import { peerText } from '../protocol/peer-text.ts'
import type { Call } from '../session/interceptor.ts'

/** The parameter that says what a request is about, and the attribute that repeats it. */
const TARGETS: ReadonlyMap<string, { readonly param: string; readonly attribute: string }> = new Map([
  [TOOLS_CALL, { param: 'name', attribute: 'gen_ai.tool.name' }],
  [PROMPTS_GET, { param: 'name', attribute: 'gen_ai.prompt.name' }],
  [RESOURCES_READ, { param: 'uri', attribute: 'mcp.resource.uri' }],
  ['resources/subscribe', { param: 'uri', attribute: 'mcp.resource.uri' }],
  ['resources/unsubscribe', { param: 'uri', attribute: 'mcp.resource.uri' }],
])
/** Longer than any name that the specification allows. */
const MAX_CHARS = 256

/** A method and the name of its tool or prompt. URIs are too many to name spans by. */
export function spanName(call: Call): string {
  const target = TARGETS.get(call.method)
  const name = target?.param === 'name' ? call.params?.name : undefined
  return typeof name === 'string' ? `${call.method} ${peerText(name, MAX_CHARS)}` : call.method
}

/** What is known of a request before it goes out. */
export function callAttributes({ method, params }: Call): Attributes {
  const attributes: Attributes = { 'mcp.method.name': method }
  if (method === TOOLS_CALL) attributes['gen_ai.operation.name'] = 'execute_tool'
  const target = TARGETS.get(method)
  const value = target && params?.[target.param]
  if (target !== undefined && typeof value === 'string')
    attributes[target.attribute] = peerText(target.param === 'uri' ? withoutSecrets(value) : value, MAX_CHARS)
  return attributes
}

/** What is known of a leg: those of the newest leg stand on the span. The id of a session is a secret and is not among them. */
export function legAttributes(id: RequestId, { era, transport }: Link): Attributes {
  const attributes: Attributes = { 'jsonrpc.request.id': String(id), 'mcp.protocol.version': era.version }
  if (transport.kind === 'stdio') attributes['network.transport'] = 'pipe'
  const { origin } = transport
  if (origin === undefined || !URL.canParse(origin)) return attributes
  const { protocol, hostname, port } = new URL(origin)
  attributes['network.transport'] = 'tcp'
  attributes['network.protocol.name'] = 'http'
  attributes['server.address'] = hostname
  attributes['server.port'] = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
  return attributes
}

/** Without credentials, query and fragment. */
function withoutSecrets(uri: string): string {
  return uri.replace(/[?#].*$/s, '').replace(/^([a-z][a-z\d+.-]*:\/\/)[^/]*@/i, '$1')
}
