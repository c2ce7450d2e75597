import type { ContentBlock, ResourceContents, ToolResult } from 'mcp-switchboard'

/** A result for a person: text as it is, a line for each thing that is no text, structured content where there is no text. */
export function resultText(result: ToolResult): string {
  const blocks = result.content.map((block) => (isObject(block) ? blockText(block) : note('unknown kind', String(block))))
  const hasText = result.content.some((block) => isObject(block) && block.type === 'text')
  if (!hasText && 'structuredContent' in result) blocks.push(JSON.stringify(result.structuredContent, undefined, 2))
  return blocks.join('\n')
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return String(block.text)
    case 'image':
    case 'audio':
      return note(block.type, block.mimeType, base64Size(block.data))
    case 'resource':
      return isObject(block.resource) ? resourceText(block.resource) : note('resource', 'no contents')
    case 'resource_link':
      return note('link', block.uri, block.title ?? block.name, block.mimeType, block.size === undefined ? undefined : bytes(block.size))
    default:
      return note('unknown kind', String(Reflect.get(block, 'type')))
  }
}

function resourceText(resource: ResourceContents): string {
  if ('text' in resource) return `${note('resource', resource.uri, resource.mimeType)}\n${resource.text}`
  return note('resource', resource.uri, resource.mimeType, base64Size(resource.blob))
}

/** The types say what a server should send; a block that it sends may be anything. */
function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function note(kind: string, ...parts: readonly (string | undefined)[]): string {
  return `[${kind}: ${parts.filter((part) => part !== undefined && part !== '').join(', ')}]`
}

function base64Size(base64: unknown): string {
  if (typeof base64 !== 'string') return 'no data'
  return bytes(Math.floor((base64.replace(/=+$/, '').length * 3) / 4))
}

function bytes(count: number): string {
  if (count < 1_000) return `${count} bytes`
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)} kB` : `${(count / 1_000_000).toFixed(1)} MB`
}
