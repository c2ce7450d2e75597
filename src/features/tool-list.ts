import { isObject } from '../jsonrpc/codec.ts'
import { TOOLS_LIST } from '../protocol/methods.ts'
import { peerText } from '../protocol/peer-text.ts'
import type { Tool } from '../protocol/types.ts'
import type { CatalogueSettings } from './catalogue.ts'
import type { KeptOptions, KeptRequests } from './kept-requests.ts'
import { type ListKind, type Page, type PagesOptions, pages, whole } from './pagination.ts'

/** What a server lists as its tools, and the definitions of the newest complete list. */
export class ToolList {
  readonly #requests: KeptRequests
  readonly #settings: CatalogueSettings
  #known: ReadonlyMap<string, Tool> | undefined
  /** A list that was asked for to know a definition, once. */
  #looking: Promise<void> | undefined

  constructor(requests: KeptRequests, settings: CatalogueSettings) {
    this.#requests = requests
    this.#settings = settings
  }

  /** The newest definitions held, by name; undefined when there are none. */
  get known(): ReadonlyMap<string, Tool> | undefined {
    return this.#known
  }

  /** The same, when nothing says that they may be old. */
  get current(): ReadonlyMap<string, Tool> | undefined {
    const holds = this.#requests.session.current?.era.listsHold || this.#requests.hasList(TOOLS_LIST)
    return holds ? this.#known : undefined
  }

  /** The list changed on the server, or may have. */
  forget(): void {
    this.#known = undefined
    this.#looking = undefined
  }

  async all(options?: KeptOptions): Promise<Tool[]> {
    const { changes } = this.#requests
    const tools = await whole(this.#requests, TOOLS_LIST, (each) => this.pages(each), options)
    // A list that changed while it came is for who asked for it, and for nobody after.
    if (changes === this.#requests.changes) this.#known = byName(tools)
    return tools
  }

  async *pages(options?: PagesOptions): AsyncGenerator<Page<Tool>, void, void> {
    const { session } = this.#requests
    const link = await session.linked(TOOLS_LIST, options)
    if (link.discovered.capabilities.tools === undefined) return
    const { limits, logger } = this.#settings
    const warn = (problem: string): void => logger.warn(`${session.name}: ${problem}`)
    for await (const page of pages(this.#requests, TOOL_LIST, limits, warn, options)) {
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

/** The first of a name counts. */
function byName(tools: readonly Tool[]): Map<string, Tool> {
  const known = new Map<string, Tool>()
  for (const tool of tools) if (!known.has(tool.name)) known.set(tool.name, tool)
  return known
}

function isTool(entry: unknown): entry is Tool {
  return isObject(entry) && typeof entry.name === 'string' && entry.name !== '' && isObject(entry.inputSchema)
}
