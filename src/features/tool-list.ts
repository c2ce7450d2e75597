import { isObject } from '../jsonrpc/codec.ts'
import type { Limits } from '../limits.ts'
import { TOOLS_LIST } from '../protocol/methods.ts'
import { peerText } from '../protocol/peer-text.ts'
import type { Tool } from '../protocol/types.ts'
import type { Logger } from '../session/logger.ts'
import type { RequestOptions } from '../session/request-options.ts'
import type { Session } from '../session/session.ts'
import { all, type ListKind, type Page, type PagesOptions, pages } from './pagination.ts'

export interface ToolListSettings {
  readonly limits: Limits
  readonly logger: Logger
}

/** What a server lists as its tools, and the definitions of the newest complete list. */
export class ToolList {
  readonly #session: Session
  readonly #settings: ToolListSettings
  /** The newest complete list. */
  #known: ReadonlyMap<string, Tool> | undefined
  /** A list that was asked for to know a definition, once. */
  #looking: Promise<void> | undefined

  constructor(session: Session, settings: ToolListSettings) {
    this.#session = session
    this.#settings = settings
  }

  /** The definitions held, by name; undefined when no list is. */
  get known(): ReadonlyMap<string, Tool> | undefined {
    return this.#known
  }

  /** The list changed on the server, or may have. */
  forget(): void {
    this.#known = undefined
    this.#looking = undefined
  }

  async all(options?: RequestOptions): Promise<Tool[]> {
    const tools = await all(this.pages(options))
    const known = new Map<string, Tool>()
    for (const tool of tools) if (!known.has(tool.name)) known.set(tool.name, tool)
    this.#known = known
    return tools
  }

  async *pages(options?: PagesOptions): AsyncGenerator<Page<Tool>, void, void> {
    const link = await this.#session.linked(TOOLS_LIST, options)
    if (link.discovered.capabilities.tools === undefined) return
    const { limits, logger } = this.#settings
    const warn = (problem: string): void => logger.warn(`${this.#session.name}: ${problem}`)
    for await (const page of pages(this.#session, TOOL_LIST, limits, warn, options)) {
      const items = page.items.filter((tool) => {
        const fault = link.era.unusable(tool, link.connection.ownReplyStream)
        if (fault !== undefined) warn(`left out the tool "${peerText(tool.name, 128)}": ${fault}`)
        return fault === undefined
      })
      yield { items, nextCursor: page.nextCursor }
    }
  }

  /** Lists the tools unless that was tried since the list was last forgotten. A failure is no failure of the call that needs it. */
  look(): Promise<void> {
    this.#looking ??= this.all().then(
      () => {},
      () => {},
    )
    return this.#looking
  }
}

const TOOL_LIST: ListKind<Tool> = { method: TOOLS_LIST, key: 'tools', accepts: isTool }

function isTool(entry: unknown): entry is Tool {
  return isObject(entry) && typeof entry.name === 'string' && entry.name !== '' && isObject(entry.inputSchema)
}
