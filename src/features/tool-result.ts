import { isObject } from '../jsonrpc/codec.ts'
import type { Params } from '../jsonrpc/message.ts'
import { isText } from '../protocol/content.ts'
import type { CallToolResult, ContentBlock, Meta } from '../protocol/types.ts'

/** What a tool answered. A tool that failed is a result too: look at `isError`. */
export class ToolResult<Data = unknown> {
  /** The whole result as it was parsed. */
  readonly raw: CallToolResult
  /** Text, image, audio, embedded resource, resource link; an unknown kind comes as it is. */
  readonly content: ContentBlock[]
  /** The tool ran and failed; `text` says why. */
  readonly isError: boolean
  /** Exactly as it came; the key is absent when the server sent none. */
  declare readonly structuredContent?: unknown

  /** What the caller's schema made of the data. */
  readonly #parsed: { readonly data: unknown } | undefined

  constructor(raw: Params, parsed?: { readonly data: unknown }) {
    this.#parsed = parsed
    const result = unwrapped(raw)
    this.raw = raw as CallToolResult
    this.content = Array.isArray(result.content) ? result.content : []
    this.isError = result.isError === true
    if ('structuredContent' in result) this.structuredContent = result.structuredContent
  }

  /** All text blocks, joined by a line break. */
  get text(): string {
    return this.content
      .filter(isText)
      .map((block) => block.text)
      .join('\n')
  }

  /**
   * The structured content when the server sent any (`null`, `0` and `false` too); else the value of a single text block that is a JSON
   * object or array; else undefined. With the option `output`, what that schema made of it.
   */
  get data(): Data {
    const value: unknown = this.#parsed ? this.#parsed.data : 'structuredContent' in this ? this.structuredContent : jsonOf(this.content)
    return value as Data
  }

  /** `_meta` of the result. */
  get meta(): Meta | undefined {
    return isObject(this.raw._meta) ? this.raw._meta : undefined
  }
}

/** Servers of the first days wrapped the result in `toolResult`. */
function unwrapped(raw: Params): Params {
  return raw.content === undefined && isObject(raw.toolResult) ? raw.toolResult : raw
}

function jsonOf(content: readonly ContentBlock[]): unknown {
  const [block] = content
  if (content.length !== 1 || block === undefined || !isText(block) || !/^\s*[[{]/.test(block.text)) return undefined
  try {
    return JSON.parse(block.text)
  } catch {
    return undefined
  }
}
