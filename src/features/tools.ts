import { type McpErrorOptions, NotFoundError, RpcError, ToolError } from '../errors.ts'
import { isObject } from '../jsonrpc/codec.ts'
import { INVALID_PARAMS, METHOD_NOT_FOUND } from '../jsonrpc/error-code.ts'
import type { JSONRPCNotification, Params } from '../jsonrpc/message.ts'
import type { Limits } from '../limits.ts'
import { closest } from '../protocol/closest.ts'
import { PROGRESS, TOOLS_CALL } from '../protocol/methods.ts'
import { peerText } from '../protocol/peer-text.ts'
import type { Tool } from '../protocol/types.ts'
import type { CallContext } from '../session/interceptor.ts'
import type { RequestOptions } from '../session/request-options.ts'
import type { Session } from '../session/session.ts'
import { hoistedMeta } from './argument-meta.ts'
import type { KeptOptions, KeptRequests } from './kept-requests.ts'
import type { Page, PagesOptions } from './pagination.ts'
import type { ResultOptions } from './result-options.ts'
import { checkStandardSchema, parsed, type StandardSchema } from './standard-schema.ts'
import type { Task } from './tasks/task.ts'
import { type ReadyCall, type TaskCallOptions, type TaskCallSettings, TaskCalls } from './tasks/task-calls.ts'
import { type TaskHost, Tasks } from './tasks/tasks.ts'
import { type ToolCaller, ToolHandle } from './tool-handle.ts'
import { ToolList } from './tool-list.ts'
import type { ToolCallOptions, ToolEvent, ToolQuery } from './tool-options.ts'
import { ToolResult } from './tool-result.ts'
import { toolEvents } from './tool-stream.ts'
import { ToolValidation, type ValidationSettings } from './tool-validation.ts'

export interface ToolSettings extends ValidationSettings, TaskCallSettings {
  readonly limits: Limits
  readonly throwOnToolError: boolean
  /** Calls that may run twice, by the annotations of a server that the caller trusts. */
  readonly resend: 'never' | 'read-only' | 'idempotent'
}

/** The tools of one server. */
export class Tools implements ToolCaller {
  readonly #session: Session
  readonly #requests: KeptRequests
  readonly #settings: ToolSettings
  readonly #list: ToolList
  readonly #validation: ToolValidation
  readonly #host: Omit<TaskHost, 'settle'>
  #tasksUsed: TaskCalls | undefined

  constructor(requests: KeptRequests, settings: ToolSettings, host: Omit<TaskHost, 'settle'>) {
    const { session } = requests
    this.#session = session
    this.#requests = requests
    this.#settings = settings
    this.#list = new ToolList(requests, settings)
    this.#validation = new ToolValidation(settings, session.name)
    this.#host = host
  }

  get tasks(): Tasks {
    return this.#asTasks.tasks
  }

  /** A notification of the server, which may tell of a list, of a task, or of a task's progress. */
  notified(notification: JSONRPCNotification): void {
    const { method } = notification
    if (method === 'notifications/tools/list_changed') this.forget()
    else if (method.startsWith('notifications/tasks')) this.tasks.notified(notification)
    else if (method === PROGRESS) this.#tasksUsed?.progressed(notification)
  }

  /** The list changed on the server, or may have. */
  forget(): void {
    this.#list.forget()
  }

  async *pages(options?: PagesOptions): AsyncGenerator<Page<ToolHandle>, void, void> {
    for await (const { items, nextCursor } of this.#list.pages(options))
      yield { items: items.map((tool) => new ToolHandle(tool, this)), nextCursor }
  }

  async list(options?: KeptOptions): Promise<ToolHandle[]> {
    const tools = await this.#list.all(options)
    return tools.map((tool) => new ToolHandle(tool, this))
  }

  async findAll(query: ToolQuery, options?: KeptOptions): Promise<ToolHandle[]> {
    const tools = await this.list(options)
    return tools.filter(matches(query))
  }

  /** Among the definitions that are held, while nothing says that they may be old; a server is asked anew before a name is said to be wrong. */
  async find(query: ToolQuery, options: KeptOptions = {}): Promise<ToolHandle> {
    const fits = matches(query)
    const held = options.cache === 'refresh' ? undefined : this.#list.current
    for (const tool of held?.values() ?? []) {
      const handle = new ToolHandle(tool, this)
      if (fits(handle)) return handle
    }
    const tools = await this.list(held === undefined ? options : { ...options, cache: 'refresh' })
    const found = tools.find(fits)
    if (found !== undefined) return found
    const names = tools.map((tool) => tool.name)
    const candidates = typeof query === 'string' ? closest(query, names) : []
    throw new NotFoundError('tool', String(query), candidates, { server: this.#session.name })
  }

  async callTool<Data = unknown>(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    given?: ToolCallOptions<Data>,
    held?: Tool,
  ): Promise<ToolResult<Data>> {
    const { options, ...call } = await this.#ready('callTool', name, args, given, held)
    const { definition } = call.context
    const since = performance.now()
    let raw: Params
    try {
      if (needsTask(definition) && (await this.#asTasks.mayWish(options))) return await this.#finish(call, options, since)
      raw = await this.#session.request(TOOLS_CALL, call.params, options, call.context)
    } catch (error) {
      if (await this.#turnedOutToBeTask(error, call, options)) return this.#finish(call, options, since)
      throw this.#explained(error, name)
    }
    if (raw.resultType === 'task') return this.#asTasks.drive(name, raw, options, since)
    return this.settle(name, raw, options, definition)
  }

  /** Calls a tool so that it runs as a task. */
  async callAsTask<Data = unknown>(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    given?: TaskCallOptions<Data>,
  ): Promise<Task<Data>> {
    const { options, ...call } = await this.#ready('callToolAsTask', name, args, given)
    try {
      return await this.#asTasks.begin(call, { ...options, ttlMs: given?.ttlMs })
    } catch (error) {
      throw this.#explained(error, name)
    }
  }

  /** A call as it goes out, after everything that is checked before. */
  async #ready<Data>(
    method: string,
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    options: ToolCallOptions<Data> = {},
    held?: Tool,
  ): Promise<ReadyCall & { readonly options: ToolCallOptions<Data> }> {
    if (typeof name !== 'string' || name === '') throw new TypeError(`${method}: the name of the tool must be a string that is not empty`)
    if (!isObject(args)) throw new TypeError(`${method}: the arguments must be an object`)
    if (options.output !== undefined) checkStandardSchema(options.output)
    if (this.#mustLook) await this.#list.look()
    const definition = this.#list.known?.get(name) ?? held
    const hoisted = '_meta' in args ? hoistedMeta(args, options, definition?.inputSchema) : undefined
    if (hoisted !== undefined) ({ args, options } = hoisted)
    const { ofArguments } = this.#validation
    if (definition !== undefined && ofArguments !== 'off') {
      this.#validation.checkRequired(definition, args)
      if (ofArguments === 'full') await this.#validation.checkArguments(definition, args)
    }
    return {
      tool: name,
      params: { name, arguments: args },
      context: this.#context(name, definition, options),
      options,
      lookUp: () => this.#lookUp(name),
    }
  }

  /** A `tools/call` as the caller wrote it: nothing is added, and its result is checked like that of any call. */
  async request(params: Params | undefined, options?: RequestOptions): Promise<Params> {
    const name = params?.name
    if (typeof name !== 'string') return this.#session.request(TOOLS_CALL, params, options)
    if (this.#mustLook) await this.#list.look()
    const definition = this.#list.known?.get(name)
    const raw = await this.#session.request(TOOLS_CALL, params, options, this.#context(name, definition, {}))
    // The answer to a call that runs as a task is no result of the tool yet.
    if (params?.task === undefined && raw.resultType !== 'task') await this.settle(name, raw, { throwOnToolError: false }, definition)
    return raw
  }

  /**
   * A result of a tool, however it came: checked against the newest definition held, its failure told as the caller wants it, its data
   * parsed. A promise only where there is something to check.
   * @param before The definition held when the call began, in case the list was forgotten meanwhile.
   */
  settle<Data = unknown>(
    name: string,
    raw: Params,
    options: ResultOptions<Data>,
    before?: Tool,
  ): ToolResult<Data> | Promise<ToolResult<Data>> {
    const result = new ToolResult<Data>(raw)
    const { output } = options
    if (result.isError) {
      if (options.throwOnToolError ?? this.#settings.throwOnToolError) throw this.#toolError(name, result)
      // Nothing that the schema did not make comes under its type.
      return output === undefined ? result : new ToolResult<Data>(raw, { data: undefined })
    }
    const handedOut = (): ToolResult<Data> | Promise<ToolResult<Data>> =>
      output === undefined ? result : this.#parsed(name, result, output)
    const definition = this.#list.known?.get(name) ?? before
    const promised = 'structuredContent' in result || definition?.outputSchema !== undefined
    return promised && this.#validation.ofResults ? this.#fits(name, result, definition).then(handedOut) : handedOut()
  }

  /** What happens while the tool runs, as it happens. Leaving the loop cancels the call. */
  stream<Data = unknown>(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options: ToolCallOptions<Data> = {},
  ): AsyncGenerator<ToolEvent<Data>, void, void> {
    return toolEvents((streamed) => this.callTool(name, args, streamed), options)
  }

  /** Most clients run no tasks. */
  get #asTasks(): TaskCalls {
    if (this.#tasksUsed === undefined) {
      const settle: TaskHost['settle'] = (name, raw, options) => this.settle(name, raw, options)
      const tasks = new Tasks(this.#requests, this.#settings, { ...this.#host, settle })
      this.#tasksUsed = new TaskCalls(tasks, this.#settings)
    }
    return this.#tasksUsed
  }

  /** Strict promises a check of every result, so the definition must be known before the tool runs. */
  get #mustLook(): boolean {
    return this.#list.known === undefined && this.#settings.validate === 'strict'
  }

  /** The definition held; the list is read for one that is not, once. */
  async #lookUp(name: string): Promise<Tool | undefined> {
    if (this.#list.known === undefined) await this.#list.look()
    return this.#list.known?.get(name)
  }

  /** The server refused a call that is not known here to need a task, by the one code which proves that nothing has run. */
  async #turnedOutToBeTask(error: unknown, { context, lookUp }: ReadyCall, options: RequestOptions): Promise<boolean> {
    if (context.definition !== undefined || !(error instanceof RpcError) || error.rpcCode !== METHOD_NOT_FOUND) return false
    return (await this.#asTasks.mayWish(options)) && needsTask(await lookUp())
  }

  async #finish<Data>(call: ReadyCall, options: ToolCallOptions<Data>, since: number): Promise<ToolResult<Data>> {
    return this.#asTasks.finish(await this.#asTasks.begin(call, options), options, since)
  }

  #context(name: string, definition: Tool | undefined, options: Pick<ToolCallOptions, 'resend' | 'signal'>): CallContext {
    return {
      definition,
      repeatable: mayRepeat(options.resend ?? this.#settings.resend, definition),
      refreshDefinition: async () => {
        const tools = await this.#list.all({ signal: options.signal, cache: 'refresh' })
        return tools.find((tool) => tool.name === name)
      },
    }
  }

  /** The answer to a name that a complete list lacks is not a matter of parameters. */
  #explained(error: unknown, name: string): unknown {
    const { known } = this.#list
    if (!(error instanceof RpcError) || error.rpcCode !== INVALID_PARAMS || known === undefined || known.has(name)) return error
    return new NotFoundError('tool', name, closest(name, known.keys()), { ...this.#about, cause: error })
  }

  /** A definition that is not held is listed behind the result, which waits for it only where that was promised. */
  async #fits(name: string, result: ToolResult, definition: Tool | undefined): Promise<void> {
    if (definition !== undefined) return this.#validation.checkResult(definition, result)
    if (this.#list.known !== undefined) return
    const looked = this.#list.look().then(() => {
      const found = this.#list.known?.get(name)
      return found === undefined ? undefined : this.#validation.checkResult(found, result)
    })
    if (this.#settings.validate === 'strict') await looked
  }

  async #parsed<Data>(name: string, result: ToolResult, output: StandardSchema<Data>): Promise<ToolResult<Data>> {
    const what = `the data of "${peerText(name, 128)}"`
    return new ToolResult<Data>(result.raw, {
      data: await parsed(output, result.data, what, result, { ...this.#about, outcome: 'answered' }),
    })
  }

  #toolError(name: string, result: ToolResult): ToolError<ToolResult> {
    const said = peerText(result.text, this.#settings.limits.maxPeerTextChars)
    return new ToolError(`the tool "${name}" failed${said === '' ? '' : `: ${said}`}`, result, this.#about)
  }

  get #about(): McpErrorOptions {
    return { server: this.#session.name, method: TOOLS_CALL }
  }
}

/** A tool that only runs as a task; on a server that has none it is called as any other. */
function needsTask(definition: Tool | undefined): boolean {
  return definition?.execution?.taskSupport === 'required'
}

/** A tool that only reads may also run twice; an unknown one is neither. */
function mayRepeat(resend: NonNullable<ToolCallOptions['resend']>, definition: Tool | undefined): boolean {
  if (resend === 'never' || resend === 'always') return resend === 'always'
  const { readOnlyHint, idempotentHint } = definition?.annotations ?? {}
  return readOnlyHint === true || (resend === 'idempotent' && idempotentHint === true)
}

/** What a query finds. */
export function matches(query: ToolQuery): (tool: ToolHandle) => boolean {
  if (typeof query === 'string') return (tool) => tool.name === query
  if (query instanceof RegExp) {
    const pattern = new RegExp(query.source, query.flags.replace(/[gy]/g, ''))
    return (tool) => pattern.test(tool.name)
  }
  return query
}
