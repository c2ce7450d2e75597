import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { ConfigError } from '../../errors.ts'
import type { ConfigDocument, ConfigPath, Position } from '../config-document.ts'
import { placed } from '../config-error.ts'
import { LineStarts } from './line-starts.ts'

/** How deep values may be nested in any format. */
export const MAX_DEPTH = 100

/**
 * Reads JSON with comments and trailing commas.
 * @throws ConfigError with line and column for what is none.
 */
export function parseJson(text: string, file: string): ConfigDocument {
  const lines = new LineStarts(text)
  const fail = (offset: number, message: string): ConfigError => {
    const at = lines.positionAt(offset)
    return new ConfigError(`${placed(file, at)}${message}`, { file, ...at })
  }
  const tooDeep = depthExceededAt(text)
  if (tooDeep !== undefined) throw fail(tooDeep, `more than ${MAX_DEPTH} levels stand inside each other here`)
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  if (tree === undefined) throw fail(0, 'the file is empty: a configuration is { "mcpServers": { … } }')
  const [error] = errors
  if (error !== undefined) throw fail(error.offset, `this is not JSON: ${wordsOf(printParseErrorCode(error.error))}`)
  const repeated: { path: ConfigPath; position: Position }[] = []
  const value = plain(tree, [], (path, offset) => repeated.push({ path, position: lines.positionAt(offset) }))
  return {
    value,
    file,
    repeated,
    positionOf: (path) => {
      const node = nodeAt(tree, path)
      return node === undefined ? undefined : lines.positionAt((node.parent?.type === 'property' ? node.parent : node).offset)
    },
  }
}

/** The parser calls itself for each level, so the depth is looked at first. */
function depthExceededAt(text: string): number | undefined {
  const scanner = createScanner(text, true)
  let depth = 0
  scanner.scan()
  for (; scanner.getTokenLength() > 0; scanner.scan()) {
    const char = text.charAt(scanner.getTokenOffset())
    if (char === '{' || char === '[') depth++
    if (char === '}' || char === ']') depth--
    if (depth > MAX_DEPTH) return scanner.getTokenOffset()
  }
  return undefined
}

/** `PropertyNameExpected` becomes `property name expected`. */
function wordsOf(code: string): string {
  return code.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim()
}

/** As `JSON.parse` gives it, a member called `__proto__` included. The last of several members of one name counts. */
function plain(node: Node, path: ConfigPath, repeated: (path: ConfigPath, offset: number) => void): unknown {
  const { type, children = [] } = node
  if (type === 'array') return children.map((child, index) => plain(child, [...path, index], repeated))
  if (type !== 'object') return node.value
  const object: Record<string, unknown> = {}
  const offsets = new Map<string, number>()
  for (const property of children) {
    const [key, child] = property.children ?? []
    if (key === undefined || child === undefined) continue
    const name = String(key.value)
    const before = offsets.get(name)
    if (before !== undefined) repeated([...path, name], before)
    offsets.set(name, property.offset)
    const value = plain(child, [...path, name], repeated)
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return object
}

function nodeAt(tree: Node, path: ConfigPath): Node | undefined {
  let node: Node | undefined = tree
  for (const part of path) {
    const children: readonly Node[] = node?.children ?? []
    node =
      typeof part === 'number' ? children[part] : children.findLast((property) => property.children?.[0]?.value === part)?.children?.[1]
  }
  return node
}
