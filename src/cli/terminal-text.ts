/** Text of a peer as it may stand in a terminal: no escape sequences, no control characters but line breaks and tabs, no direction marks. */
export function printable(text: string): string {
  return text.replace(SEQUENCES, '').replace(/\r\n?/g, '\n').replace(CONTROLS, '')
}

/** The same, on one line. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim()
}

// CSI; the string sequences OSC, DCS, SOS, PM, APC up to their end; other escapes.
const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g
const CONTROLS = /(?![\n\t])\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** The columns that a text takes in a terminal. */
export function widthOf(text: string): number {
  let width = 0
  for (const char of text) width += MARK.test(char) ? 0 : WIDE.test(char) ? 2 : 1
  return width
}

const MARK = /^[\p{Mn}\p{Me}\p{Cf}]$/u
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u

/** Cuts a text to so many columns; an ellipsis stands for the rest. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let kept = ''
  let width = 1
  for (const char of text) {
    width += widthOf(char)
    if (width > columns) break
    kept += char
  }
  return `${kept.trimEnd()}…`
}

/** Breaks a text between words into lines of so many columns; a longer word is cut. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && widthOf(longer) > columns) {
      lines.push(line)
      line = word
    } else {
      line = longer
    }
  }
  return [...lines, line].map((each) => cut(each, columns))
}
