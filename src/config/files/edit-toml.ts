import { stringify } from 'smol-toml'
import { isObject } from '../../jsonrpc/codec.ts'
import type { ConfigPath } from '../config-document.ts'
import { tableHeaders } from './parse-toml.ts'
import type { SetAt } from './set-at.ts'

/** Changes TOML by whole lines: a table at the end, the lines of a table, or one line in it. What is written inline is left alone. */
export const setInToml: SetAt = (text, path, value) => {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const without = isObject(value) || value === undefined ? withoutTable(text, path) : text
  if (value === undefined) return without
  if (isObject(value)) {
    const table = stringify(path.reduceRight<Record<string, unknown>>((inner, part) => ({ [part]: inner }), { ...value }))
    // Tables that are only on the way need no header of their own.
    const lines = table.split('\n').filter((line, index, all) => !(line.startsWith('[') && all[index + 1]?.startsWith('[')))
    const gap = without.trim() === '' ? '' : without.endsWith('\n') ? eol : eol + eol
    return without + gap + lines.join(eol).trimStart().trimEnd() + eol
  }
  const key = String(path.at(-1))
  const header = tableHeaders(text).find((each) => same(each.path, path.slice(0, -1)))
  if (header === undefined) return text
  const start = text.indexOf('\n', header.offset) + 1
  const end = tableHeaders(text).find(({ offset }) => offset > header.offset)?.offset ?? text.length
  const body = start === 0 ? '' : text.slice(start, end)
  const line = new RegExp(`^([ \\t]*${key}[ \\t]*=[ \\t]*)(?:true|false)`, 'm')
  if (line.test(body)) return text.slice(0, start) + body.replace(line, `$1${String(value)}`) + text.slice(end)
  return start === 0
    ? `${text}${eol}${key} = ${String(value)}${eol}`
    : `${text.slice(0, start)}${key} = ${String(value)}${eol}${text.slice(start)}`
}

/** Without the lines of a table and those below it. Comments and blank lines before the next one belong to that. */
function withoutTable(text: string, path: ConfigPath): string {
  const headers = tableHeaders(text).map(({ offset, path: each }) => ({ offset, ours: same(each.slice(0, path.length), path) }))
  let left = ''
  let from = 0
  for (const [index, { offset, ours }] of headers.entries()) {
    if (!ours || headers[index - 1]?.ours === true) continue
    const end = headers.slice(index).find((next) => !next.ours)?.offset ?? text.length
    const lines = text.slice(offset, end).split('\n')
    while (lines.length > 1 && /^\s*(?:#.*)?$/.test(lines.at(-1) ?? '')) lines.pop()
    left += text.slice(from, offset)
    from = Math.min(end, offset + lines.join('\n').length + 1)
  }
  return left + text.slice(from)
}

function same(a: ConfigPath, b: ConfigPath): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index])
}
