/** A regular expression as far as its shape matters: groups capture nothing here, and lazy loops are loops. */
export type Expression =
  | { kind: 'atom'; text: string }
  | { kind: 'edge'; text: string }
  | { kind: 'sequence' | 'choice'; items: Expression[] }
  | { kind: 'look'; text: string; item: Expression }
  | { kind: 'repeat'; item: Expression; min: number; max: number }

const ESCAPE = String.raw`\\(?:u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[pP]\{[^}]*\}|[^])`
const TOKEN = new RegExp(
  String.raw`${ESCAPE}|\[(?:${ESCAPE}|[^\]\\])*\]|\((?:\?(?:<?[=!]|:|<[^>]*>))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[^]`,
  'gu',
)
const EDGES: readonly string[] = ['^', '$', '\\b', '\\B']
const QUANTIFIER = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??$/
/** Escapes that nothing needs, which flag `u` refuses. */
const NEEDLESS = /\\([^A-Za-z0-9^$\\.*+?()[\]{}|/-])/gu

/** The source without needless escapes, so that flag `u` takes what is written for expressions without it. */
export function mended(source: string): string {
  return source.replace(TOKEN, (token) => (token === '\\-' ? '-' : token.replace(NEEDLESS, '$1')))
}

/** Reads an expression that `RegExp` has accepted. `undefined` for back references and for what nests too deep. */
export function parse(source: string): Expression | undefined {
  const tokens = source.match(TOKEN) ?? []
  let [at, depth, plain] = [0, 0, true]
  const choice = (): Expression => {
    plain &&= ++depth < 100
    const items: Expression[] = []
    do items.push(sequence())
    while (tokens[at] === '|' && ++at)
    depth--
    return items.length === 1 && items[0] ? items[0] : { kind: 'choice', items }
  }
  const sequence = (): Expression => {
    const items: Expression[] = []
    while (plain && at < tokens.length && tokens[at] !== '|' && tokens[at] !== ')') {
      let item = term(tokens[at++] ?? '')
      const [, sign, least, comma, most] = QUANTIFIER.exec(tokens[at] ?? '') ?? []
      if (sign !== undefined || least !== undefined) {
        at++
        const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0
        item = {
          kind: 'repeat',
          item,
          min,
          max: sign === '?' ? 1 : sign !== undefined || (comma && !most) ? Infinity : Number(most ?? min),
        }
      }
      items.push(item)
    }
    return { kind: 'sequence', items }
  }
  const term = (text: string): Expression => {
    if (text.startsWith('(')) {
      const item = choice()
      at++
      return text.endsWith('=') || text.endsWith('!') ? { kind: 'look', text, item } : item
    }
    if (EDGES.includes(text)) return { kind: 'edge', text }
    plain &&= text[0] !== '\\' || !'k123456789'.includes(text.charAt(1))
    return { kind: 'atom', text }
  }
  const whole = choice()
  return plain && at >= tokens.length ? whole : undefined
}

const SPACE = String.raw`\t-\r\x{20}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`

/** The same expression for RE2, whose classes and escapes differ; `undefined` with something that it does not have. */
export function forRe2(source: string): string | undefined {
  let known = true
  const one = (token: string, inClass: boolean): string => {
    const code = /^\\u\{?([\da-f]+)\}?$/iu.exec(token)?.[1] ?? (token === '\\0' ? '0' : undefined)
    known &&= !/^\\(?:u[dD][89a-fA-F]|c|k|[1-9])|^\(\?<?[=!]/u.test(token) && !(inClass && token === '\\S')
    if (code !== undefined) return `\\x{${code}}`
    if (token === '\\s' || token === '\\S') return inClass ? SPACE : `[${token === '\\S' ? '^' : ''}${SPACE}]`
    if (inClass) return token === '\\b' ? '\\x{8}' : token === '[' ? '\\[' : token
    if (token === '.') return '[^\\n\\r\\x{2028}\\x{2029}]'
    if (token.startsWith('(')) return '(?:'
    if (!token.startsWith('[')) return token
    const [, not, members = ''] = /^\[(\^?)(.*)\]$/su.exec(token) ?? []
    return members === ''
      ? `[${not ? '' : '^'}\\x{0}-\\x{10ffff}]`
      : `[${not}${members.replace(TOKEN_IN_CLASS, (each) => one(each, true))}]`
  }
  const translated = source.replace(TOKEN, (token) => one(token, false))
  return known ? translated : undefined
}

const TOKEN_IN_CLASS = new RegExp(`${ESCAPE}|[^]`, 'gu')
