import type {
  AudioContent,
  BlobResourceContents,
  ContentBlock,
  ImageContent,
  ResourceContents,
  TextContent,
  TextResourceContents,
} from './types.ts'

/** The block, or what a resource contains, is text. */
export function isText(contents: ResourceContents): contents is TextResourceContents
export function isText(block: ContentBlock): block is TextContent
export function isText(content: ContentBlock | ResourceContents): boolean {
  if (typeof content !== 'object' || content === null || !('text' in content) || typeof content.text !== 'string') return false
  return !('type' in content) || content.type === 'text'
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
