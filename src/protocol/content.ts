import type { AudioContent, BlobResourceContents, ContentBlock, ImageContent, TextContent } from './types.ts'

/** The block is text. */
export function isText(block: ContentBlock): block is TextContent {
  return block?.type === 'text' && typeof block.text === 'string'
}

/** The bytes of an image, audio or blob. Throws a `TypeError` when they are no base64. */
export function bytesOf(block: ImageContent | AudioContent | BlobResourceContents): Uint8Array {
  const base64 = 'blob' in block ? block.blob : block.data
  let binary: string
  try {
    binary = atob(base64)
  } catch (cause) {
    throw new TypeError('the content is no base64', { cause })
  }
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}
