import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, Parser, parseDocument } from 'yaml'
import { ConfigError } from '../../errors.ts'
import { isYamlTooDeep } from '../../yaml-depth.ts'
import type { ConfigDocument, ConfigPath, Position } from '../config-document.ts'
import { placed } from '../config-error.ts'
import { MAX_DEPTH } from './parse-json.ts'

/** The longest YAML that is read: the parser takes quadratic time over some that is broken. */
export const MAX_YAML_CHARS = 131_072
/** How often aliases may repeat what they stand for. */
export const MAX_ALIASES = 100

/**
 * Reads YAML 1.2.
 * @throws ConfigError with line and column for what is none.
 */
export function parseYaml(text: string, file: string): ConfigDocument {
  const lines = new LineCounter()
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  const fail = (message: string, position?: Position, cause?: unknown): ConfigError =>
    new ConfigError(`${placed(file, position)}${message}`, { file, ...position, cause })
  if (text.length > MAX_YAML_CHARS) throw fail(`the file has ${text.length} characters; the most YAML that is read is ${MAX_YAML_CHARS}`)
  if (isYamlTooDeep(new Parser().parse(text), MAX_DEPTH)) throw fail(`more than ${MAX_DEPTH} levels stand inside each other`)
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false, logLevel: 'error' })
    const [error] = document.errors
    if (error !== undefined) throw fail(`this is not YAML: ${error.message}`, at(error.pos[0]))
    if (document.contents === null) throw fail('the file is empty')
    return {
      value: document.toJS({ maxAliasCount: MAX_ALIASES }),
      file,
      repeated: repeatedIn(document, at),
      positionOf: (path) => {
        const offset = offsetOf(document.contents, path)
        return offset === undefined ? undefined : at(offset)
      },
    }
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause
    throw fail(`this YAML cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, undefined, cause)
  }
}

function offsetOf(node: unknown, path: ConfigPath): number | undefined {
  const [part, ...rest] = path
  if (part === undefined) return isNode(node) ? node.range?.[0] : undefined
  if (isSeq(node)) return offsetOf(node.items[Number(part)], rest)
  if (!isMap(node)) return undefined
  const pair = node.items.findLast(({ key }) => isScalar(key) && String(key.value) === part)
  return rest.length === 0 && isScalar(pair?.key) ? pair.key.range?.[0] : offsetOf(pair?.value, rest)
}

/** Keys that stand twice, in the two outer levels: where servers are. */
function repeatedIn(document: Document.Parsed, at: (offset: number) => Position): { path: ConfigPath; position: Position }[] {
  const found: { path: ConfigPath; position: Position }[] = []
  const look = (node: unknown, path: ConfigPath): void => {
    if (!isMap(node) || path.length > 1) return
    const before = new Map<string, number>()
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue
      const name = String(key.value)
      const offset = before.get(name)
      if (offset !== undefined) found.push({ path: [...path, name], position: at(offset) })
      before.set(name, key.range?.[0] ?? 0)
      look(value, [...path, name])
    }
  }
  look(document.contents, [])
  return found
}
