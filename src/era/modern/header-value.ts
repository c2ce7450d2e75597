/**
 * A string as the value of `Mcp-Name` or `Mcp-Param-*`: as it is when every character is safe there, else its UTF-8 bytes in base64 between
 * `=?base64?` and `?=`. Leading and trailing blanks, and what looks like that form itself, are not safe.
 * @see spec basic/transports/streamable-http, encoding of header values
 */
export function headerValue(text: string): string {
  if (SAFE.test(text) && !LOOKS_ENCODED.test(text)) return text
  const bytes = new TextEncoder().encode(text)
  let binary = ''
  // By pieces: a text that grew by single characters is walked again at each collection, which is quadratic in the end.
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) binary += String.fromCharCode(...bytes.subarray(at, at + PIECE_BYTES))
  return `=?base64?${btoa(binary)}?=`
}

/** Few enough to be arguments of one call. */
const PIECE_BYTES = 4_096
const SAFE = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/
const LOOKS_ENCODED = /^=\?base64\?.*\?=$/
