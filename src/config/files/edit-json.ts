import { applyEdits, modify } from 'jsonc-parser'
import type { SetAt } from './set-at.ts'

/** Changes JSON with comments in the indentation and line ends that it has. */
export const setInJson: SetAt = (text, path, value) => {
  const [, indent = '  '] = /^[{[][^\n]*\n([ \t]+)/m.exec(text) ?? []
  const formattingOptions = { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol: text.includes('\r\n') ? '\r\n' : '\n' }
  const start = text.trim() === '' ? '{}\n' : text
  return applyEdits(start, modify(start, [...path], value, { formattingOptions }))
}
