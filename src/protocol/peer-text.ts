/**
 * Text of a peer, made safe to stand in a log line or an error: control characters, line separators and direction marks are escaped, and
 * what is longer than `maxChars` is cut with a note.
 */
export function peerText(text: string, maxChars: number): string {
  const cut = text.length > maxChars ? text.slice(0, maxChars) : text
  const safe = cut.replace(UNSAFE, (char) => ESCAPES[char] ?? `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
  return cut === text ? safe : `${safe}… (${text.length - maxChars} more characters)`
}

// C0 and C1 controls, line and paragraph separators, direction marks and overrides, the byte order mark, lone surrogates.
const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]/gu
const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
