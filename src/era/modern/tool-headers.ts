import { isObject } from '../../jsonrpc/codec.ts'
import type { JSONSchema, Tool } from '../../protocol/types.ts'
import { headerValue } from './header-value.ts'

/** One argument that is repeated in a header. */
interface Mirrored {
  readonly header: string
  readonly path: readonly string[]
}

interface Annotated {
  readonly mirrored: readonly Mirrored[]
  /** Why the tool must not be offered over HTTP. */
  readonly fault?: string
}

/** Nesting of an input schema that is searched for annotations. */
const MAX_DEPTH = 64
const NONE: Annotated = { mirrored: [] }
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])

const known = new WeakMap<JSONSchema, Annotated>()

/** Why the `x-mcp-header` annotations of a tool forbid it over HTTP, or undefined. @see spec basic/transports/streamable-http */
export function headerFault(tool: Tool): string | undefined {
  return annotated(tool).fault
}

/**
 * The `Mcp-Param-*` headers of a call. A null or absent argument has none.
 * @throws TypeError when an integer cannot be carried exactly.
 */
export function mirroredArguments(tool: Tool, args: unknown): Record<string, string> | undefined {
  const { mirrored, fault } = annotated(tool)
  if (mirrored.length === 0 || fault !== undefined) return undefined
  const result: Record<string, string> = {}
  for (const { header, path } of mirrored) {
    let value = args
    for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
    if (typeof value === 'string') result[header] = headerValue(value)
    else if (typeof value === 'boolean') result[header] = String(value)
    else if (typeof value === 'number') result[header] = decimal(value, path)
  }
  return result
}

function decimal(value: number, path: readonly string[]): string {
  if (!Number.isSafeInteger(value))
    throw new TypeError(`the argument "${path.join('.')}" is sent in a header too and must be an integer within ±(2^53 − 1)`)
  return String(value === 0 ? 0 : value)
}

function annotated(tool: Tool): Annotated {
  const schema = tool.inputSchema
  if (!isObject(schema)) return NONE
  let found = known.get(schema)
  if (found === undefined) {
    found = search(schema)
    known.set(schema, found)
  }
  return found
}

/** Walks `properties` for annotations, and everything else for ones in a place where they are forbidden. */
function search(schema: JSONSchema): Annotated {
  const mirrored: Mirrored[] = []
  const headers = new Set<string>()

  const visit = (node: unknown, path: readonly string[] | undefined, depth: number): string | undefined => {
    if (depth > MAX_DEPTH) return undefined
    if (Array.isArray(node)) return first(node, (item) => visit(item, undefined, depth + 1))
    if (!isObject(node)) return undefined
    if (Object.hasOwn(node, 'x-mcp-header')) {
      const fault = annotation(node, path)
      if (fault !== undefined) return fault
    }
    return first(Object.entries(node), ([keyword, value]) => {
      if (keyword === 'x-mcp-header' || DATA_KEYWORDS.has(keyword)) return undefined
      if (keyword === 'properties' && isObject(value)) {
        return first(Object.entries(value), ([name, property]) => visit(property, path && [...path, name], depth + 1))
      }
      if (MAPS.has(keyword) && isObject(value)) return first(Object.values(value), (item) => visit(item, undefined, depth + 1))
      return visit(value, undefined, depth + 1)
    })
  }

  const annotation = (node: JSONSchema, path: readonly string[] | undefined): string | undefined => {
    const name = node['x-mcp-header']
    if (typeof name !== 'string' || !TOKEN.test(name)) return 'x-mcp-header is not a header token'
    if (path === undefined || path.length === 0) return `x-mcp-header "${name}" is not on a property reached by "properties" alone`
    if (!TYPES.has(node.type)) return `x-mcp-header "${name}" is on a property that is no string, integer or boolean`
    const header = `mcp-param-${name.toLowerCase()}`
    if (headers.has(header)) return `x-mcp-header "${name}" stands twice`
    headers.add(header)
    mirrored.push({ header, path })
    return undefined
  }

  const fault = visit(schema, [], 0)
  return fault === undefined ? { mirrored } : { mirrored: [], fault }
}

/** Keywords whose value is data, in which an annotation means nothing. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples'])
/** Keywords whose value maps names to schemas. */
const MAPS: ReadonlySet<string> = new Set(['patternProperties', '$defs', 'definitions', 'dependentSchemas'])

function first<T>(items: Iterable<T>, find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
