import { NotFoundError, RpcError, ToolError } from '../errors.ts'
import { isObject } from '../jsonrpc/codec.ts'
import { INVALID_PARAMS } from '../jsonrpc/error-code.ts'
import type { Limits } from '../limits.ts'
import { closest } from '../protocol/closest.ts'
import { TOOLS_CALL, TOOLS_LIST } from '../protocol/methods.ts'
import { peerText } from '../protocol/peer-text.ts'
import type { Tool } from '../protocol/types.ts'
import type { Logger } from '../session/logger.ts'
import { onAbort } from '../session/on-abort.ts'
import type { RequestOptions } from '../session/request-options.ts'
import type { Session } from '../session/session.ts'
import { all, type ListKind, type Page, type PagesOptions, pages } from './pagination.ts'
import { type ToolCaller, ToolHandle } from './tool-handle.ts'
import type { ToolCallOptions, ToolEvent, ToolQuery } from './tool-options.ts'
import { ToolResult } from './tool-result.ts'
import { ToolValidation, type ValidationSettings } from './tool-validation.ts'

export interface ToolSettings extends ValidationSettings {
  readonly limits: Limits
  readonly logger: Logger
  readonly throwOnToolError: boolean
  /** Calls that may run twice, by the annotations of a server that the caller trusts. */
  readonly resend: 'never' | 'read-only' | 'idempotent'
}

/** The tools of one server. */
export class Tools {
  readonly #session: Session
  readonly #settings: ToolSettings
  readonly #caller: ToolCaller
  readonly #validation: ToolValidation
  /** The newest complete list. */
  #known: ReadonlyMap<string, Tool> | undefined
  /** A list that was asked for to know a definition, once. */
  #looking: Promise<void> | undefined

  constructor(session: Session, caller: ToolCaller, settings: ToolSettings) {
    this.#session = session
    this.#caller = caller
    this.#settings = settings
    this.#validation = new ToolValidation(settings, session.name)
  }

  /** The list changed on the server, or may have. */
  forget(): void {
    this.#known = undefined
    this.#looking = undefined
  }

  async *pages(options?: PagesOptions): AsyncGenerator<Page<ToolHandle>, void, void> {
    for await (const { items, nextCursor } of this.#pages(options))
      yield { items: items.map((tool) => new ToolHandle(tool, this.#caller)), nextCursor }
  }

  async list(options?: RequestOptions): Promise<ToolHandle[]> {
    const tools = await this.#list(options)
    return tools.map((tool) => new ToolHandle(tool, this.#caller))
  }

  async findAll(query: ToolQuery, options?: RequestOptions): Promise<ToolHandle[]> {
    const tools = await this.list(options)
    return tools.filter(matches(query))
  }

  async find(query: ToolQuery, options?: RequestOptions): Promise<ToolHandle> {
    const tools = await this.list(options)
    const found = tools.find(matches(query))
    if (found !== undefined) return found
    const names = tools.map((tool) => tool.name)
    const candidates = typeof query === 'string' ? closest(query, names) : []
    throw new NotFoundError('tool', String(query), candidates, { server: this.#session.name })
  }

  async call(name: string, args: Readonly<Record<string, unknown>> = {}, options: ToolCallOptions = {}): Promise<ToolResult> {
    if (typeof name !== 'string' || name === '') throw new TypeError('callTool: the name of the tool must be a string that is not empty')
    if (!isObject(args)) throw new TypeError('callTool: the arguments must be an object')
    // Strict promises a check of every result, so the definition must be known before the tool runs.
    if (this.#known === undefined && this.#settings.validate === 'strict') await this.#look()
    const definition = this.#known?.get(name)
    const { ofArguments } = this.#validation
    if (definition !== undefined && ofArguments !== 'off') {
      this.#validation.checkRequired(definition, args)
      if (ofArguments === 'full') await this.#validation.checkArguments(definition, args)
    }
    const refreshDefinition = async (): Promise<Tool | undefined> => {
      await this.#list({ signal: options.signal })
      return this.#known?.get(name)
    }
    const repeatable = mayRepeat(options.resend ?? this.#settings.resend, definition)
    let result: ToolResult
    try {
      result = new ToolResult(
        await this.#session.request(TOOLS_CALL, { name, arguments: args }, options, { definition, refreshDefinition, repeatable }),
      )
    } catch (error) {
      throw this.#explained(error, name)
    }
    if (!result.isError) {
      if (this.#validation.ofResults && ('structuredContent' in result || definition?.outputSchema !== undefined))
        await this.#validate(name, result)
    } else if (options.throwOnToolError ?? this.#settings.throwOnToolError) {
      throw this.#toolError(name, result)
    }
    return result
  }

  /** What happens while the tool runs, as it happens. Leaving the loop cancels the call. */
  async *stream(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options: ToolCallOptions = {},
  ): AsyncGenerator<ToolEvent, void, void> {
    const events: ToolEvent[] = []
    let wake = (): void => {}
    const push = (event: ToolEvent): void => {
      events.push(event)
      wake()
    }
    const left = new AbortController()
    const unwatch = options.signal === undefined ? undefined : onAbort(options.signal, (reason) => left.abort(reason))
    if (options.signal?.aborted) left.abort(options.signal.reason)
    let failure: { error: unknown } | undefined
    const onProgress: NonNullable<ToolCallOptions['onProgress']> = (progress) => {
      push({ type: 'progress', ...progress })
      options.onProgress?.(progress)
    }
    this.call(name, args, { ...options, signal: left.signal, onProgress }).then(
      (result) => push({ type: 'result', result }),
      (error: unknown) => {
        failure = { error }
        wake()
      },
    )
    try {
      for (;;) {
        const event = events.shift()
        if (event !== undefined) {
          yield event
          if (event.type === 'result') return
        } else if (failure !== undefined) {
          throw failure.error
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      }
    } finally {
      unwatch?.()
      left.abort(new DOMException('the stream of events was left', 'AbortError'))
    }
  }

  async #list(options?: RequestOptions): Promise<Tool[]> {
    const tools = await all(this.#pages(options))
    const known = new Map<string, Tool>()
    for (const tool of tools) if (!known.has(tool.name)) known.set(tool.name, tool)
    this.#known = known
    return tools
  }

  async *#pages(options?: PagesOptions): AsyncGenerator<Page<Tool>, void, void> {
    const { link } = this.#session
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

  /** The answer to a name that a complete list lacks is not a matter of parameters. */
  #explained(error: unknown, name: string): unknown {
    if (error instanceof RpcError && error.rpcCode === INVALID_PARAMS && this.#known !== undefined && !this.#known.has(name)) {
      throw new NotFoundError('tool', name, closest(name, this.#known.keys()), {
        server: this.#session.name,
        method: TOOLS_CALL,
        cause: error,
      })
    }
    return error
  }

  /** Against the newest definition held. One that is not held is listed behind the result, which waits for nothing. */
  async #validate(name: string, result: ToolResult): Promise<void> {
    const check = async (): Promise<void> => {
      const definition = this.#known?.get(name)
      if (definition !== undefined) await this.#validation.checkResult(definition, result)
    }
    if (this.#known !== undefined || this.#settings.validate === 'strict') await check()
    else void this.#look().then(check)
  }

  /** Lists the tools unless that was tried since the list was last forgotten. A failure is no failure of the call that needs it. */
  #look(): Promise<void> {
    this.#looking ??= this.#list().then(
      () => {},
      () => {},
    )
    return this.#looking
  }

  #toolError(name: string, result: ToolResult): ToolError<ToolResult> {
    const said = peerText(result.text, this.#settings.limits.maxPeerTextChars)
    return new ToolError(`the tool "${name}" failed${said === '' ? '' : `: ${said}`}`, result, {
      server: this.#session.name,
      method: TOOLS_CALL,
    })
  }
}

/** A tool that only reads may also run twice; an unknown one is neither. */
function mayRepeat(resend: NonNullable<ToolCallOptions['resend']>, definition: Tool | undefined): boolean {
  if (resend === 'never' || resend === 'always') return resend === 'always'
  const { readOnlyHint, idempotentHint } = definition?.annotations ?? {}
  return readOnlyHint === true || (resend === 'idempotent' && idempotentHint === true)
}

const TOOL_LIST: ListKind<Tool> = { method: TOOLS_LIST, key: 'tools', accepts: isTool }

function isTool(entry: unknown): entry is Tool {
  return isObject(entry) && typeof entry.name === 'string' && entry.name !== '' && isObject(entry.inputSchema)
}

function matches(query: ToolQuery): (tool: ToolHandle) => boolean {
  if (typeof query === 'string') return (tool) => tool.name === query
  if (query instanceof RegExp) {
    const pattern = new RegExp(query.source, query.flags.replace(/[gy]/g, ''))
    return (tool) => pattern.test(tool.name)
  }
  return query
}
