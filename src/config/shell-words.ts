/**
 * Splits a command line into words the way a shell does, without being one: quotes group, nothing is expanded, and `&&`, `|`, `>` and `*`
 * are words like others. A backslash escapes a blank, a quote or a backslash, and stands for itself elsewhere, so that Windows paths survive.
 * @throws TypeError when a quote is not closed.
 */
export function shellWords(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i)
    const next = line.charAt(i + 1)
    if (quote === "'" ? false : char === '\\' && next !== '' && (quote === '"' ? '"\\' : ' \t\n"\'\\').includes(next)) {
      word = (word ?? '') + next
      i++
    } else if (quote !== '') {
      if (char === quote) quote = ''
      else word += char
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      word = (word ?? '') + char
    }
  }
  if (quote !== '') throw new TypeError(`the quote ${quote} is not closed in: ${line}`)
  if (word !== undefined) words.push(word)
  return words
}
