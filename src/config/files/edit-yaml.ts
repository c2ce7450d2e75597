import { isMap, isScalar, type Pair, parseDocument, stringify, type YAMLMap } from 'yaml'
import type { SetAt } from './set-at.ts'

/** Changes YAML by whole lines of block maps. What is written in braces is left alone. */
export const setInYaml: SetAt = (text, path, value) => {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const [name, parents] = [String(path.at(-1)), path.slice(0, -1)]
  const document = parseDocument(text)
  const map = parents.length === 0 ? document.contents : document.getIn(parents, true)
  if (!isMap(map)) {
    const nested = parents.reduceRight<Record<string, unknown>>((inner, part) => ({ [part]: inner }), { [name]: value })
    return document.getIn(parents.slice(0, 1)) === undefined
      ? `${text}${text === '' || text.endsWith('\n') ? '' : eol}${stringify(nested)}`
      : text
  }
  if (map.flow === true) return text
  const pair = pairOf(map, name)
  const without = pair === undefined ? text : withoutLines(text, map, pair)
  if (value === undefined) return without
  const column = columnOf(text, map)
  const lines = stringify({ [name]: value })
    .trimEnd()
    .split('\n')
    .map((line) => ' '.repeat(column) + line)
  const at = pair === undefined ? endOf(text, map) : lineStart(text, startOf(pair))
  const before = without.slice(0, at)
  return `${before}${before === '' || before.endsWith('\n') ? '' : eol}${lines.join(eol)}${eol}${without.slice(at)}`
}

function pairOf(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find(({ key }) => isScalar(key) && String(key.value) === name)
}

function startOf({ key }: Pair): number {
  return isScalar(key) ? (key.range?.[0] ?? 0) : 0
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

function columnOf(text: string, map: YAMLMap): number {
  const [first] = map.items
  return first === undefined ? 0 : startOf(first) - lineStart(text, startOf(first))
}

/** Where the lines of an entry end. Blank lines and comments before what comes next belong to that. */
function linesEnd(text: string, from: number, column: number): number {
  let end = lineEnd(text, from)
  for (let at = end; at < text.length; at = lineEnd(text, at)) {
    const line = text.slice(at, lineEnd(text, at))
    const indent = line.search(/\S/)
    if (indent === -1 || (line[indent] === '#' && indent <= column)) continue
    // The items of a list may stand as far left as its key.
    if (indent < column || (indent === column && line[indent] !== '-')) break
    end = lineEnd(text, at)
  }
  return end
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end + 1
}

function withoutLines(text: string, map: YAMLMap, pair: Pair): string {
  const start = lineStart(text, startOf(pair))
  return text.slice(0, start) + text.slice(linesEnd(text, start, columnOf(text, map)))
}

function endOf(text: string, map: YAMLMap): number {
  const last = map.items.at(-1)
  return last === undefined ? text.length : linesEnd(text, lineStart(text, startOf(last)), columnOf(text, map))
}
