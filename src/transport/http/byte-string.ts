/** Text as a header value: the bytes of its UTF-8, one character for each. */
export function byteString(text: string): string {
  let value = ''
  for (const byte of new TextEncoder().encode(text)) value += String.fromCharCode(byte)
  return value
}
