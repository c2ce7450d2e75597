import type { Params } from '../../jsonrpc/message.ts'
import { PROMPTS_GET, RESOURCES_READ, TOOLS_CALL } from '../../protocol/methods.ts'
import type { Tool } from '../../protocol/types.ts'
import type { Extended } from '../era.ts'
import { headerValue } from './header-value.ts'
import { mirroredArguments } from './tool-headers.ts'

/** The parameter that `Mcp-Name` repeats. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  [TOOLS_CALL, 'name'],
  [PROMPTS_GET, 'name'],
  [RESOURCES_READ, 'uri'],
])

/** `Mcp-Method`, `Mcp-Name` and, for a tool whose definition is known, `Mcp-Param-*`. @see spec basic/transports/streamable-http */
export function headers(
  method: string,
  params: Params | undefined,
  definition: Tool | undefined,
  extended: Extended,
): Record<string, string> {
  const result: Record<string, string> = { 'mcp-method': method }
  const key = NAMED_BY.get(method) ?? extended.names.get(method)
  const name = key === undefined ? undefined : params?.[key]
  if (typeof name === 'string') result['mcp-name'] = headerValue(name)
  if (definition !== undefined && method === TOOLS_CALL) Object.assign(result, mirroredArguments(definition, params?.arguments))
  return result
}
