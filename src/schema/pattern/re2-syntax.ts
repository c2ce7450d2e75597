/** What RE2 reads otherwise: halves of surrogate pairs, `\S` in most classes. */
const UNLIKE = /\\u[dD][89a-fA-F]|\[(?!\\s\\S\])[^\]]*\\S/
const SPACE = String.raw`\t-\r\p{Z}\x{feff}`

/** An expression with flag `u` with the classes spelled out that RE2 takes for smaller or larger ones; `undefined` when it is not for RE2. */
export function forRe2(source: string): string | undefined {
  let inClass = false
  const spelled = source.replace(/\\.|[[\].]/gsu, (token) => {
    if (token === '[' || token === ']') inClass = token === '['
    if (token === '\\s') return inClass ? SPACE : `[${SPACE}]`
    if (inClass) return token
    return token === '\\S' ? `[^${SPACE}]` : token === '.' ? '[^\\n\\r\\x{2028}\\x{2029}]' : token
  })
  return UNLIKE.test(source) ? undefined : spelled
}
