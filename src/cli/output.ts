/** Writes the result to stdout and resolves when it is on its way. A reader that has left is no failure. */
export function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text.endsWith('\n') || text === '' ? text : `${text}\n`, () => resolve())
  })
}

/** A value as JSON: indented for a person at a terminal, one line for a program. */
export function jsonText(value: unknown, terminal: boolean): string {
  return terminal ? escaped(JSON.stringify(value, undefined, 2)) : JSON.stringify(value)
}

/** Control characters that JSON allows in strings; escaped they mean the same. */
function escaped(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
