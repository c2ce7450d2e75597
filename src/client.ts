import { type CloseReason, UnsupportedError } from './errors.ts'
import { type CatalogueItems, catalogue, cataloguePages, getPrompt, readResource } from './features/catalogue.ts'
import { type CompleteRequest, type Completion, complete } from './features/completion.ts'
import { deprecated } from './features/deprecated.ts'
import { type ClientEvents, type EventName, Events } from './features/events.ts'
import type { Extensions } from './features/extensions.ts'
import { type KeptOptions, KeptRequests } from './features/kept-requests.ts'
import { Hearing } from './features/live/hearing.ts'
import { isListEvent } from './features/live/list-changes.ts'
import type { ResourceUpdate, SubscribeOptions } from './features/live/subscriptions.ts'
import { restoreLogLevel, setLogLevel } from './features/logging.ts'
import { emitNotification } from './features/notifications.ts'
import type { PagesAsked } from './features/pages-asked.ts'
import type { Page, PagesOptions } from './features/pagination.ts'
import type { ResourceAddress } from './features/resource-address.ts'
import { checkedRoots, rootsHandler } from './features/roots.ts'
import type { LoadedSkill } from './features/skills/loaded-skill.ts'
import type { Skill } from './features/skills/skill.ts'
import type { LoadSkillOptions } from './features/skills/skills.ts'
import type { Task } from './features/tasks/task.ts'
import type { TaskCallOptions } from './features/tasks/task-calls.ts'
import { callAll, type ToolBatchCall, type ToolBatchOptions, type ToolBatchResults } from './features/tool-batch.ts'
import type { ToolHandle } from './features/tool-handle.ts'
import type { ToolCallOptions, ToolEvent, ToolQuery } from './features/tool-options.ts'
import type { ToolResult } from './features/tool-result.ts'
import { type ToolSettings, Tools } from './features/tools.ts'
import type { JSONRPCNotification, Params } from './jsonrpc/message.ts'
import { ROOTS_LIST, TOOLS_CALL } from './protocol/methods.ts'
import type {
  GetPromptResult,
  Implementation,
  LoggingLevel,
  Prompt,
  Resource,
  ResourceContents,
  ResourceTemplate,
  Root,
  ServerCapabilities,
} from './protocol/types.ts'
import type { SessionState } from './session/links.ts'
import type { RequestOptions } from './session/request-options.ts'
import type { Session } from './session/session.ts'

/** What the pages of a list hold. */
export interface PageItems extends CatalogueItems {
  tools: ToolHandle
  tasks: Task
}

export interface ClientSettings extends ToolSettings {
  /** On whose behalf: a part of the key of every answer that is kept. */
  readonly principal?: string | undefined
  /** Given, even empty, it declares roots. */
  readonly roots?: readonly Root[] | undefined
  readonly extensions: Extensions
  readonly pages: PagesAsked
}

const NO_ROOTS: readonly Root[] = Object.freeze([])

/** One server: its tools, prompts and resources, and what it says of itself. Made by `connect`. */
export class Client {
  readonly #session: Session
  readonly #settings: ClientSettings
  readonly #events: Events
  readonly #requests: KeptRequests
  readonly #tools: Tools
  #hearing: Hearing | undefined
  #roots = NO_ROOTS
  #closing: Promise<void> | undefined

  constructor(session: Session, settings: ClientSettings) {
    this.#session = session
    this.#settings = settings
    this.#events = new Events(settings.logger)
    this.#requests = new KeptRequests(session, settings)
    this.#tools = new Tools(this.#requests, settings, {
      changed: (task) => this.#events.emit('taskStatus', task),
      wish: (filter) => {
        const wish = this.#hears().link.want(filter)
        return () => void wish.release()
      },
    })
    session.onNotification((notification, during) => {
      this.#hearing?.link.notified(notification, during)
      this.#outdated(notification)
      emitNotification(this.#events, notification, settings.pages)
    })
    session.onState((state, reason, nextAttemptMs) => {
      this.#hearing?.link.stateChanged(state, reason)
      this.#events.emit('state', {
        state,
        ...(reason && { reason: reason.message }),
        ...(nextAttemptMs !== undefined && { nextAttemptMs }),
      })
    })
    session.onLink((link) => {
      if (link.transport.kind === 'sse') deprecated('HTTP+SSE', settings.logger)
      this.clearCache()
      restoreLogLevel(session, link)
      this.#hearing?.link.relinked()
    })
    if (settings.roots !== undefined) {
      deprecated('roots', settings.logger)
      this.#roots = checkedRoots(settings.roots)
      session.inbound.register(rootsHandler(() => this.#roots))
    }
  }

  /** What errors and groups call this server. */
  get name(): string {
    return this.#session.name
  }

  /** How the server is reached: `stdio`, `streamable-http`, `memory`, … */
  get transport(): string {
    return this.#session.link.transport.kind
  }

  /** The protocol revision of the current link. */
  get protocolVersion(): string {
    return this.#session.link.era.version
  }

  /** What the server declares that it can do. */
  get capabilities(): ServerCapabilities {
    return this.#session.link.discovered.capabilities
  }

  /** The server's own name and version: for display, not to be relied on. */
  get serverInfo(): Implementation | undefined {
    return this.#session.link.discovered.serverInfo
  }

  /** How the server wants to be used: an untrusted hint for a model. */
  get instructions(): string | undefined {
    return this.#session.link.discovered.instructions
  }

  get state(): SessionState {
    return this.#session.state
  }

  /** Why the client is closed: by `close()`, or since the server is gone for good. */
  get closeReason(): CloseReason | undefined {
    return this.#session.ended
  }

  /** Every tool, all pages. A server without tools has an empty list. @see spec server/tools */
  listTools(options?: KeptOptions): Promise<ToolHandle[]> {
    return this.#tools.list(options)
  }

  /** The tool of this exact name, or the first that fits. Throws `NotFoundError` with the closest names. */
  findTool(query: ToolQuery, options?: KeptOptions): Promise<ToolHandle> {
    return this.#tools.find(query, options)
  }

  /** The tools that fit; none is an empty list. */
  findTools(query: ToolQuery, options?: KeptOptions): Promise<ToolHandle[]> {
    return this.#tools.findAll(query, options)
  }

  /** Runs a tool. A tool that failed is a result with `isError`, unless `throwOnToolError`. @see spec server/tools */
  callTool<Data = unknown>(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: ToolCallOptions<Data>,
  ): Promise<ToolResult<Data>> {
    return this.#tools.callTool(name, args, options)
  }

  /** Runs several tools, 8 at once by default, and tells what became of each, in their order. */
  callTools<const Calls extends readonly ToolBatchCall[]>(calls: Calls, options?: ToolBatchOptions): Promise<ToolBatchResults<Calls>> {
    return callAll(this, calls, options)
  }

  /**
   * Runs a tool and yields what happens as it happens; the last event is the result. Leaving the loop cancels the call. A reader who is more
   * than 10,000 events behind loses the oldest.
   */
  callToolStream<Data = unknown>(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: ToolCallOptions<Data>,
  ): AsyncGenerator<ToolEvent<Data>, void, void> {
    return this.#tools.stream(name, args, options)
  }

  /**
   * Begins a tool that runs as a task and resolves with its handle. In 2026-07-28 the server decides; an answer given at once is a finished task
   * without an id. Throws `UnsupportedError` where there are no tasks. @see spec tasks
   */
  callToolAsTask<Data = unknown>(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: TaskCallOptions<Data>,
  ): Promise<Task<Data>> {
    return this.#tools.callAsTask(name, args, options)
  }

  /** A task that was begun before, here or in another process. With its tool named, the result is checked by the tool's definition. */
  task(id: string, options?: { readonly tool?: string | undefined }): Task {
    return this.#tools.tasks.byId(id, options)
  }

  /** The tasks of this conversation, all pages. Throws `UnsupportedError` where the revision or the server has no list. */
  listTasks(options?: KeptOptions): Promise<Task[]> {
    return this.#tools.tasks.list(options)
  }

  listPrompts(options?: KeptOptions): Promise<Prompt[]> {
    return catalogue(this.#requests, 'prompts', this.#settings, options)
  }

  /** @see spec server/prompts */
  getPrompt(name: string, args?: Readonly<Record<string, string>>, options?: RequestOptions): Promise<GetPromptResult> {
    return getPrompt(this.#session, name, args, options)
  }

  listResources(options?: KeptOptions): Promise<Resource[]> {
    return catalogue(this.#requests, 'resources', this.#settings, options)
  }

  listResourceTemplates(options?: KeptOptions): Promise<ResourceTemplate[]> {
    return catalogue(this.#requests, 'resourceTemplates', this.#settings, options)
  }

  /** The contents of any URI, listed or not, or of a template with its variables, as they came. @see spec server/resources */
  readResource(address: ResourceAddress, options?: KeptOptions): Promise<ResourceContents[]> {
    return readResource(this.#requests, address, options)
  }

  /** What an argument of a prompt or a variable of a template may be. Throws `UnsupportedError` when the server does not complete. */
  complete(request: CompleteRequest, options?: RequestOptions): Promise<Completion> {
    return complete(this.#session, request, options)
  }

  /** Forgets every answer and every list that is held: the next is the server's. */
  clearCache(): void {
    this.#requests.clear()
    this.#tools.forget()
  }

  /** The skills that the server lists; it may have more. Needs the extension `io.modelcontextprotocol/skills`. Reads no file. @see spec Skills extension */
  async listSkills(options?: KeptOptions): Promise<Skill[]> {
    return (await import('./features/skills/skills.ts')).listSkills(this.#requests, this.#settings, options)
  }

  /** What the server says of one skill, listed or not, by the URI of its SKILL.md. */
  async getSkill(uri: string, options?: RequestOptions): Promise<Skill> {
    return (await import('./features/skills/skills.ts')).getSkill(this.#session, this.#settings, uri, options)
  }

  /** Reads the SKILL.md of a skill. Throws `ValidationError` when its size, digest or frontmatter is not that of its entry. */
  async loadSkill(skill: Skill | string, options?: LoadSkillOptions): Promise<LoadedSkill> {
    return (await import('./features/skills/skills.ts')).loadSkill(this.#session, this.#settings, skill, options)
  }

  /**
   * Wants to hear of updates of a resource, which come as `resourceUpdated`, until `unsubscribe`, also over recoveries. Resolves when the
   * server tells of them; throws `UnsupportedError` when it does not. @see spec server/resources#subscriptions
   */
  subscribe(uri: string, options?: SubscribeOptions): Promise<void> {
    return this.#hears().subscriptions.subscribe(uri, options)
  }

  /** Ends what `subscribe` began. Loops of `watch` go on. */
  async unsubscribe(uri: string): Promise<void> {
    // Who never heard of anything has nothing to end.
    await this.#hearing?.subscriptions.unsubscribe(uri)
  }

  /**
   * Updates of a resource and of what is below it, as a loop: one that takes its time gets several changes as one update. After a recovery
   * there is an update too, as something may have been missed. Leaving the loop unsubscribes; `signal` ends it with its reason, `close`
   * without an error.
   */
  watch(uri: string, options?: SubscribeOptions): AsyncGenerator<ResourceUpdate, void, void> {
    return this.#hears().subscriptions.watch(uri, options)
  }

  /** A list page by page, from the beginning or from a cursor. */
  pages<Name extends keyof PageItems>(name: Name, options?: PagesOptions): AsyncGenerator<Page<PageItems[Name]>, void, void>
  pages(name: keyof PageItems, options?: PagesOptions): AsyncGenerator<Page<PageItems[keyof PageItems]>, void, void> {
    if (name === 'tasks') return this.#tools.tasks.pages(options)
    return name === 'tools' ? this.#tools.pages(options) : cataloguePages(this.#requests, name, this.#settings, options)
  }

  /** Asks whether the server is there. */
  async ping(options?: RequestOptions): Promise<void> {
    const { era } = await this.#session.linked('ping', options)
    await this.#session.request(era.ping, undefined, options)
  }

  /**
   * The least severe log messages that the server may send; they come as `log` events. Throws `UnsupportedError` without the capability.
   * @deprecated in 2026-07-28: servers log to stderr or to OpenTelemetry. It works until the protocol has no logging.
   */
  setLogLevel(level: LoggingLevel, options?: RequestOptions): Promise<void> {
    return setLogLevel(this.#session, level, options)
  }

  /** Any request, also of methods that this package does not know. The result of a `tools/call` is checked like that of `callTool`. */
  request(method: string, params?: Params, options?: RequestOptions): Promise<Params> {
    return method === TOOLS_CALL ? this.#tools.request(params, options) : this.#session.request(method, params, options)
  }

  /** Any notification. */
  notify(method: string, params?: Params): Promise<void> {
    return this.#session.notify(method, params)
  }

  /**
   * Listens until the returned function is called or the signal aborts. Where changes of lists must be asked for (2026-07-28), that is done in
   * the background; when it fails, `error` tells.
   */
  on<Name extends EventName>(event: Name, listener: (payload: ClientEvents[Name]) => void, options?: { signal?: AbortSignal }): () => void {
    if (event !== 'state' && event !== 'error') this.#session.listen()
    if (options?.signal?.aborted) return () => {}
    return this.#events.on(event, listener, options, isListEvent(event) ? this.#hears().lists.hold(event) : undefined)
  }

  /**
   * The folders that the server may work in. Setting them tells the server where its revision has a notification for it.
   * @deprecated in 2026-07-28: name folders in arguments of tools, URIs of resources or the server's configuration. They work until the protocol has none.
   */
  get roots(): readonly Root[] {
    return this.#roots
  }

  set roots(roots: readonly Root[]) {
    if (!this.#session.inbound.has(ROOTS_LIST)) {
      throw new UnsupportedError('roots were not declared when this client connected; give the option roots, even if empty', {
        server: this.name,
      })
    }
    this.#roots = checkedRoots(roots)
    if (!this.#session.current?.era.takesRequests) return
    this.#session
      .notify('notifications/roots/list_changed')
      .catch(() => this.#settings.logger.debug(`${this.name} could not be told of new roots`))
  }

  /** Ends the connection and what belongs to it. Calls in flight reject. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#session.close()
    return this.#closing
  }

  #hears(): Hearing {
    this.#hearing ??= new Hearing(this.#session, this.#events, (notification) => this.#outdated(notification))
    return this.#hearing
  }

  /** What the server says has changed is held no longer. */
  #outdated(notification: JSONRPCNotification): void {
    this.#requests.changed(notification)
    this.#tools.notified(notification)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
