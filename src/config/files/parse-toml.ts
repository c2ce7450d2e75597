import { parse, TomlError } from 'smol-toml'
import { ConfigError } from '../../errors.ts'
import type { ConfigDocument, ConfigPath, Position } from '../config-document.ts'
import { placed } from '../config-error.ts'
import { MAX_DEPTH } from './parse-json.ts'

/**
 * Reads TOML. Tables are found by their headers, so that a server written inline has no place of its own.
 * @throws ConfigError with line and column for what is none.
 */
export function parseToml(text: string, file: string): ConfigDocument {
  let value: unknown
  try {
    value = parse(text, { maxDepth: MAX_DEPTH })
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause
    const at = { line: cause.line, column: cause.column }
    const [message = ''] = cause.message.replace(/^Invalid TOML document: /, '').split('\n')
    throw new ConfigError(`${placed(file, at)}this is not TOML: ${message}`, { file, ...at })
  }
  const headers = tableHeaders(text)
  return { value, file, repeated: [], positionOf: (path) => headers.find((header) => starts(header.path, path))?.position }
}

export interface TableHeader {
  readonly path: ConfigPath
  readonly position: Position
  /** Of the first character of its line. */
  readonly offset: number
}

/** The headers `[a.b]` of a document that parses, in their order. */
export function tableHeaders(text: string): TableHeader[] {
  const headers: TableHeader[] = []
  let offset = 0
  let inside: string | undefined
  for (const [index, line] of text.split('\n').entries()) {
    if (inside === undefined && /^\s*\[/.test(line)) {
      const path = headerPath(line)
      if (path !== undefined) headers.push({ path, position: { line: index + 1, column: line.search(/\S/) + 1 }, offset })
    }
    inside = multiline(line, inside)
    offset += line.length + 1
  }
  return headers
}

/** Which quotes of a text of several lines are open at the end of a line. */
function multiline(line: string, inside: string | undefined): string | undefined {
  let open = inside
  for (const [quotes] of line.matchAll(/"""|'''|#.*/g)) {
    if (open === undefined && quotes.startsWith('#')) break
    if (open === undefined) open = quotes
    else if (open === quotes) open = undefined
  }
  return open
}

function headerPath(line: string): ConfigPath | undefined {
  try {
    const path: string[] = []
    let table: unknown = parse(line.trim())
    while (typeof table === 'object' && table !== null && !Array.isArray(table)) {
      const [key] = Object.keys(table)
      if (key === undefined) break
      path.push(key)
      table = Reflect.get(table, key)
    }
    return path
  } catch {
    return undefined
  }
}

function starts(path: ConfigPath, prefix: ConfigPath): boolean {
  return prefix.length <= path.length && prefix.every((part, index) => path[index] === part)
}
