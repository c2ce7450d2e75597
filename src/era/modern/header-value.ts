/**
 * A string as the value of `Mcp-Name` or `Mcp-Param-*`: as it is when every character is safe there, else its UTF-8 bytes in base64 between
 * `=?base64?` and `?=`. Leading and trailing blanks, and what looks like that form itself, are not safe.
 * @see spec basic/transports/streamable-http, encoding of header values
 */
export function headerValue(text: string): string {
  if (SAFE.test(text) && !LOOKS_ENCODED.test(text)) return text
  const bytes = new TextEncoder().encode(text)
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return `=?base64?${btoa(binary)}?=`
}

const SAFE = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/
const LOOKS_ENCODED = /^=\?base64\?.*\?=$/
