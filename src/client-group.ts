import type { Client, PageItems } from './client.ts'
import { type McpError, NotFoundError, UnsupportedError } from './errors.ts'
import type { CompleteRequest, Completion } from './features/completion.ts'
import type { KeptOptions } from './features/kept-requests.ts'
import type { ResourceUpdate, SubscribeOptions } from './features/live/subscriptions.ts'
import type { Page, PagesOptions } from './features/pagination.ts'
import type { ResourceAddress } from './features/resource-address.ts'
import { checkedRoots } from './features/roots.ts'
import type { LoadedSkill } from './features/skills/loaded-skill.ts'
import type { Skill } from './features/skills/skill.ts'
import type { LoadSkillOptions } from './features/skills/skills.ts'
import type { Task } from './features/tasks/task.ts'
import type { TaskCallOptions } from './features/tasks/task-calls.ts'
import { callAll, type ToolBatchCall, type ToolBatchOptions, type ToolBatchResults } from './features/tool-batch.ts'
import type { ToolCaller, ToolHandle } from './features/tool-handle.ts'
import type { ToolCallOptions, ToolEvent, ToolQuery } from './features/tool-options.ts'
import type { ToolResult } from './features/tool-result.ts'
import { matches } from './features/tools.ts'
import { type Asking, ask, type Gathered, gather, noneOf, reached } from './group/gather.ts'
import { type GroupEventName, type GroupEvents, GroupListeners } from './group/group-events.ts'
import { GroupToolHandle } from './group/group-tool.ts'
import { Member, type MemberSource } from './group/member.ts'
import type { Naming, RoutedKind } from './group/name-index.ts'
import { Router, type ServerRef, type WithServer } from './group/router.ts'
import type { ServerStatus } from './group/server-status.ts'
import { StartGate } from './group/start-gate.ts'
import { type Ready, startUp } from './group/startup.ts'
import type { Params } from './jsonrpc/message.ts'
import { closest } from './protocol/closest.ts'
import type { GetPromptResult, LoggingLevel, Prompt, Resource, ResourceContents, ResourceTemplate, Root, Tool } from './protocol/types.ts'
import type { Logger } from './session/logger.ts'
import type { RequestOptions } from './session/request-options.ts'

export interface GroupSettings {
  readonly naming: Naming
  /** How many servers start at once. */
  readonly concurrency: number
  readonly logger: Logger
  readonly roots: readonly Root[]
  /** Definitions that are not what they were, where they are pinned. */
  readonly changes: Changes | undefined
}

/** Tools whose definitions are not what they were when they were first seen. */
export interface Changes {
  of(server: string): Iterable<Tool>
  /** Takes them for what they should be; returns their names. */
  accept(server: string, tools: readonly string[] | undefined): Promise<readonly string[]>
}

/** The servers that did not answer what all were asked, with their errors. */
export interface Failures {
  readonly failures: ReadonlyMap<string, McpError>
}

/** Something of a server of a group. */
export type OfServer<Item> = Item & {
  /** The server's name in the group. */
  readonly server: string
}

/** What the pages of a list of a group hold. */
export type GroupPageItems = {
  [Name in keyof PageItems]: Name extends 'tools' ? GroupToolHandle : Name extends 'tasks' ? Task : OfServer<PageItems[Name]>
}

/**
 * Several servers as one: a view with routing. Each member is an ordinary client with its own revision, capabilities and handlers. What is asked
 * of all says which did not answer; what is asked of one finds it by name. Made by `connectGroup`.
 */
export class ClientGroup {
  /** Every server by its name, in the order of the configuration; each status tells the moment. */
  readonly servers: ReadonlyMap<string, ServerStatus>
  readonly #settings: GroupSettings
  readonly #members: ReadonlyMap<string, Member>
  readonly #router: Router
  readonly #listeners: GroupListeners
  #roots: readonly Root[] | undefined
  #logLevel: LoggingLevel | undefined
  #closing: Promise<void> | undefined

  constructor(sources: readonly MemberSource[], settings: GroupSettings) {
    this.#settings = settings
    this.#listeners = new GroupListeners(settings.logger)
    const host = {
      gate: new StartGate(settings.concurrency),
      opened: (member: Member, client: Client): void => this.#opened(member, client),
      changed: this.#listeners.changed.bind(this.#listeners),
    }
    const members = sources.map((source) => new Member(source, host))
    this.#members = new Map(members.map((member) => [member.name, member]))
    this.servers = new Map(members.map((member) => [member.name, member.status]))
    this.#router = new Router(this.#members, settings.naming)
  }

  /**
   * Starts the servers that are not there, but for lazy and disabled ones, and resolves when all are settled, the first can be used, or so many
   * ms have passed. A server that fails is a status.
   */
  ready(when: Ready = 'all', { signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    return startUp([...this.#members.values()], when, signal)
  }

  /** The client of one server; starts it if need be. @throws the server's error; NotFoundError with the closest names. */
  async client(server: ServerRef, options: RequestOptions = {}): Promise<Client> {
    const member = this.#router.select(server)
    return reached(member, member.start(), options)
  }

  /** Every tool of every server. @throws only when no server answered. */
  async listTools(options: WithServer<KeptOptions> = {}): Promise<{ tools: GroupToolHandle[] } & Failures> {
    const own = ofClient(options)
    const { items, failures } = await this.#listed(options, async (client, member) =>
      this.#handles(member, client, await client.listTools(own)),
    )
    return { tools: items, failures }
  }

  /** The tool of this name, or the first that fits. @throws NotFoundError with the closest names, AmbiguousNameError with the servers. */
  async findTool(query: ToolQuery, options: WithServer<KeptOptions> = {}): Promise<GroupToolHandle> {
    if (typeof query === 'string') {
      const { member, name } = await this.#router.route('tool', query, options)
      const client = await reached(member, member.start(), options)
      const tools = this.#handles(member, client, await client.listTools(ofClient(options)))
      const found = tools.find((tool) => tool.definition.name === name)
      if (found !== undefined) return found
      const names = tools.map((tool) => tool.name)
      throw new NotFoundError('tool', query, closest(query, names), { server: member.name })
    }
    const { tools, failures } = await this.#matching(query, options)
    const [first] = tools
    if (first !== undefined) return first
    throw new NotFoundError('tool', String(query), [], { unasked: [...failures.keys()] })
  }

  /** The tools that fit, of every server that answers; none is an empty list. */
  async findTools(query: ToolQuery, options: WithServer<KeptOptions> = {}): Promise<GroupToolHandle[]> {
    return (await this.#matching(query, options)).tools
  }

  /** Runs a tool on the server that has it. */
  callTool<Data = unknown>(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: WithServer<ToolCallOptions<Data>>,
  ): Promise<ToolResult<Data>> {
    return this.#routed('tool', name, options, (client, called) => client.callTool(called, args, ofClient(options)))
  }

  /** Runs several tools, each on the server that has it, 8 at once by default, and tells what became of each, in their order. */
  callTools<const Calls extends readonly WithServer<ToolBatchCall>[]>(
    calls: Calls,
    options?: WithServer<ToolBatchOptions>,
  ): Promise<ToolBatchResults<Calls>> {
    return callAll(this, calls, options)
  }

  /** Runs a tool on the server that has it, and yields what happens as it happens. Leaving the loop cancels the call. */
  async *callToolStream<Data = unknown>(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: WithServer<ToolCallOptions<Data>>,
  ): AsyncGenerator<ToolEvent<Data>, void, void> {
    const { member, name: own } = await this.#router.route('tool', name, options)
    const client = await reached(member, member.start(), options ?? {})
    yield* client.callToolStream(own, args, ofClient(options))
  }

  /** Begins a tool that runs as a task, on the server that has it; the handle knows its server. */
  callToolAsTask<Data = unknown>(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: WithServer<TaskCallOptions<Data>>,
  ): Promise<Task<Data>> {
    return this.#routed('tool', name, options, (client, called) => client.callToolAsTask(called, args, ofClient(options)))
  }

  /** A task that was begun before, here or in another process. With several servers, its server must be named. */
  async task(id: string, options: WithServer<{ readonly tool?: string | undefined }> = {}): Promise<Task> {
    const member = this.#router.sole(options.server, id)
    const tool = options.tool === undefined ? undefined : (this.#router.index('tool').own(member, options.tool) ?? options.tool)
    return (await member.start()).task(id, { tool })
  }

  /** The tasks of the servers that have a list of them. @throws only when none has. */
  async listTasks(options: WithServer<KeptOptions> = {}): Promise<{ tasks: Task[] } & Failures> {
    const own = ofClient(options)
    const { answers, failures } = await this.#ofThoseThatCan(options, (client) => client.listTasks(own))
    return { tasks: answers.flatMap(({ value }) => value), failures }
  }

  async listPrompts(options: WithServer<KeptOptions> = {}): Promise<{ prompts: OfServer<Prompt>[] } & Failures> {
    const own = ofClient(options)
    const { items, failures } = await this.#listed(options, async (client, member) =>
      this.#prompts(member, client, await client.listPrompts(own)),
    )
    return { prompts: items, failures }
  }

  getPrompt(name: string, args?: Readonly<Record<string, string>>, options?: WithServer<RequestOptions>): Promise<GetPromptResult> {
    return this.#routed('prompt', name, options, (client, called) => client.getPrompt(called, args, ofClient(options)))
  }

  async listResources(options: WithServer<KeptOptions> = {}): Promise<{ resources: OfServer<Resource>[] } & Failures> {
    const own = ofClient(options)
    const { items, failures } = await this.#listed(options, async (client, { name }) => ofServer(name, await client.listResources(own)))
    return { resources: items, failures }
  }

  async listResourceTemplates(
    options: WithServer<KeptOptions> = {},
  ): Promise<{ resourceTemplates: OfServer<ResourceTemplate>[] } & Failures> {
    const own = ofClient(options)
    const { items, failures } = await this.#listed(options, async (client, { name }) =>
      ofServer(name, await client.listResourceTemplates(own)),
    )
    return { resourceTemplates: items, failures }
  }

  /** The contents of a resource, of the server that lists it or its template, or has a template for it. */
  readResource(address: ResourceAddress, options?: WithServer<KeptOptions>): Promise<ResourceContents[]> {
    const name = typeof address === 'string' ? address : address.template
    return this.#routed('resource', name, options, (client) => client.readResource(address, ofClient(options)))
  }

  /** What an argument may be, asked of the server that has the prompt or the template. */
  complete(request: CompleteRequest, options?: WithServer<RequestOptions>): Promise<Completion> {
    const own = ofClient(options)
    return request.prompt === undefined
      ? this.#routed('resource', request.template, options, (client) => client.complete(request, own))
      : this.#routed('prompt', request.prompt, options, (client, prompt) => client.complete({ ...request, prompt }, own))
  }

  /** Wants to hear of updates of a resource, from the server that has it; they come as `resourceUpdated`, until `unsubscribe`. */
  subscribe(uri: string, options?: WithServer<SubscribeOptions>): Promise<void> {
    return this.#routed('resource', uri, options, (client) => client.subscribe(uri, ofClient(options)))
  }

  /** Ends what `subscribe` began, on whichever server that was. */
  async unsubscribe(uri: string, { server }: WithServer<object> = {}): Promise<void> {
    await Promise.all(this.#router.chosen(server).map(({ client }) => client?.unsubscribe(uri)))
  }

  /** Updates of a resource as a loop, from the server that has it. Leaving the loop unsubscribes. */
  async *watch(uri: string, options: WithServer<SubscribeOptions> = {}): AsyncGenerator<ResourceUpdate, void, void> {
    const { member } = await this.#router.route('resource', uri, options)
    const client = await reached(member, member.start(), options)
    yield* client.watch(uri, ofClient(options))
  }

  /** Forgets what is held of every server, or of one: the next answers are theirs. */
  clearCache({ server }: WithServer<object> = {}): void {
    for (const { client } of this.#router.chosen(server)) client?.clearCache()
  }

  /** The skills that the servers list. Servers without the extension are passed over. @throws only when no server has it. */
  async listSkills(options: WithServer<KeptOptions> = {}): Promise<{ skills: Skill[] } & Failures> {
    const own = ofClient(options)
    const { answers, failures } = await this.#ofThoseThatCan(options, (client) => client.listSkills(own))
    return { skills: answers.flatMap(({ value }) => value), failures }
  }

  /** What a server says of one skill. With several servers, the server must be named. */
  async getSkill(uri: string, options: WithServer<RequestOptions> = {}): Promise<Skill> {
    return (await this.#soleClient(options, uri)).getSkill(uri, ofClient(options))
  }

  /** Reads the SKILL.md of a skill, from the server that listed it. A bare URI needs the name of the server where there are several. */
  async loadSkill(skill: Skill | string, options: WithServer<LoadSkillOptions> = {}): Promise<LoadedSkill> {
    const { server = typeof skill === 'string' ? undefined : skill.server } = options
    const client = await this.#soleClient({ ...options, server }, typeof skill === 'string' ? skill : skill.uri)
    return client.loadSkill(skill, ofClient(options))
  }

  /** A list of one server page by page: cursors belong to a server, so with several the server must be named. */
  pages<Name extends keyof GroupPageItems>(
    name: Name,
    options?: WithServer<PagesOptions>,
  ): AsyncGenerator<Page<GroupPageItems[Name]>, void, void>
  async *pages(
    name: keyof GroupPageItems,
    options: WithServer<PagesOptions> = {},
  ): AsyncGenerator<Page<GroupPageItems[keyof GroupPageItems]>, void, void> {
    const member = this.#router.sole(options.server, name)
    const client = await reached(member, member.start(), options)
    const own = ofClient(options)
    if (name === 'tools') {
      for await (const page of client.pages(name, own)) yield { ...page, items: page.items.map((tool) => this.#handle(member, tool)) }
    } else if (name === 'tasks') yield* client.pages(name, own)
    else for await (const page of client.pages(name, own)) yield { ...page, items: ofServer(member.name, page.items) }
  }

  /** Asks whether the servers are there. @throws only when none is. */
  async ping(options: WithServer<RequestOptions> = {}): Promise<Failures> {
    const { failures } = await this.#gather(options, (client) => client.ping(ofClient(options)))
    return { failures }
  }

  /**
   * The least severe log messages that the servers may send, also those that are reached later. Servers without the capability are passed over.
   * @throws only when no server took it.
   * @deprecated in 2026-07-28: servers log to stderr or to OpenTelemetry. It works until the protocol has no logging.
   */
  async setLogLevel(level: LoggingLevel, options: WithServer<RequestOptions> = {}): Promise<Failures> {
    const { failures } = await this.#ofThoseThatCan(options, (client) => client.setLogLevel(level, ofClient(options)))
    if (options.server === undefined) this.#logLevel = level
    return { failures }
  }

  /** Any request. With several servers, the server must be named. */
  async request(method: string, params?: Params, options: WithServer<RequestOptions> = {}): Promise<Params> {
    return (await this.#soleClient(options, method)).request(method, params, ofClient(options))
  }

  /** Any notification. With several servers, the server must be named. */
  async notify(method: string, params?: Params, options: WithServer<RequestOptions> = {}): Promise<void> {
    return (await this.#soleClient(options, method)).notify(method, params)
  }

  /** Listens to every server, also to those that are reached later, until the returned function is called or the signal aborts. */
  on<Name extends GroupEventName>(
    event: Name,
    listener: (payload: GroupEvents[Name], server: string) => void,
    options: WithServer<{ signal?: AbortSignal | undefined }> = {},
  ): () => void {
    const { server, signal } = options
    const only = server === undefined ? undefined : this.#router.select(server)
    return this.#listeners.add(this.#members.values(), { event, only, listener }, signal)
  }

  /**
   * The folders that the servers may work in. Setting them tells every server that was connected with roots, also those reached later.
   * @deprecated in 2026-07-28: name folders in arguments of tools, URIs of resources or the server's configuration. They work until the protocol has none.
   */
  get roots(): readonly Root[] {
    return this.#roots ?? this.#settings.roots
  }

  set roots(roots: readonly Root[]) {
    this.#roots = checkedRoots(roots)
    for (const { client } of this.#members.values()) if (client !== undefined) giveRoots(client, this.#roots)
  }

  /** Tools that servers have changed since they were first seen; empty without `pins`. */
  get changedTools(): OfServer<Tool>[] {
    const { changes } = this.#settings
    return [...this.#members.keys()].flatMap((server) => ofServer(server, [...(changes?.of(server) ?? [])]))
  }

  /** Takes the changed definitions of a server's tools, or of some of them, for what they should be. Returns their names. */
  async acceptChanges(server: ServerRef, tools?: readonly string[]): Promise<readonly string[]> {
    const member = this.#router.select(server)
    const accepted = await this.#settings.changes?.accept(member.name, tools)
    this.#router.index('tool').forget(member)
    // What it holds of lists was cut by what has been accepted now.
    member.client?.clearCache()
    return accepted ?? []
  }

  /** Ends every client. Idempotent. @throws an AggregateError, after all have ended, with the errors of those that ended badly. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    const ended = await Promise.allSettled([...this.#members.values()].map((member) => member.close()))
    const errors = ended.flatMap((each): unknown[] => (each.status === 'rejected' ? [each.reason] : []))
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${ended.length} servers ended badly`)
  }

  /** A server that comes later is brought to where the others are. */
  #opened(member: Member, client: Client): void {
    this.#listeners.opened(member, client)
    if (this.#roots !== undefined) giveRoots(client, this.#roots)
    // One that has no log, or cannot be told, says so when it is asked for itself.
    if (this.#logLevel !== undefined) client.setLogLevel(this.#logLevel).catch(() => {})
  }

  #gather<T>(options: WithServer<RequestOptions>, question: (client: Client, member: Member) => Promise<T>): ReturnType<typeof gather<T>> {
    return gather(this.#router.chosen(options.server), question, asking(options))
  }

  /** The same, of the servers that have the capability for it. */
  async #ofThoseThatCan<T>(options: WithServer<RequestOptions>, question: (client: Client) => Promise<T>): Promise<Gathered<T>> {
    const { answers, failures } = await ask(this.#router.chosen(options.server), question, asking(options))
    const failed = new Map([...failures].filter(([, error]) => !(error instanceof UnsupportedError)))
    if (answers.length === 0 && failed.size > 0) throw noneOf(failed)
    if (answers.length === 0 && failures.size > 0) {
      const none = noneOf(failures)
      throw none instanceof UnsupportedError ? none : new UnsupportedError(none.message, { cause: none })
    }
    return { answers, failures: failed }
  }

  /** The client for what cannot be looked up. */
  async #soleClient(options: WithServer<RequestOptions>, what: string): Promise<Client> {
    const member = this.#router.sole(options.server, what)
    return reached(member, member.start(), options)
  }

  async #listed<Item>(
    options: WithServer<RequestOptions>,
    question: (client: Client, member: Member) => Promise<readonly Item[]>,
  ): Promise<{ items: Item[] } & Failures> {
    const { answers, failures } = await this.#gather(options, question)
    return { items: answers.flatMap(({ value }) => value), failures }
  }

  async #matching(query: ToolQuery, options: WithServer<KeptOptions>): Promise<{ tools: GroupToolHandle[] } & Failures> {
    const { tools, failures } = await this.listTools(options)
    return { tools: tools.filter(matches(query)), failures }
  }

  /** Something that one server has. A server that does not know it after all is asked anew for what it has, next time. */
  async #routed<T>(
    kind: RoutedKind,
    wanted: string,
    options: WithServer<RequestOptions> = {},
    use: (client: Client, own: string) => Promise<T>,
  ): Promise<T> {
    const { member, name } = await this.#router.route(kind, wanted, options)
    const client = member.client ?? (await reached(member, member.start(), options))
    try {
      return await use(client, name)
    } catch (error) {
      if (error instanceof NotFoundError) this.#router.index(kind).forget(member)
      throw error
    }
  }

  #handles(member: Member, client: Client, tools: readonly ToolHandle[]): GroupToolHandle[] {
    this.#router.index('tool').note(member, client, namesOf(tools))
    return tools.map((tool) => this.#handle(member, tool))
  }

  #handle(member: Member, { name, definition }: ToolHandle): GroupToolHandle {
    const caller: ToolCaller = { callTool: (called, args, options) => this.callTool(called, args, { ...options, server: member.name }) }
    return new GroupToolHandle(definition, caller, member.name, this.#router.called('tool', member, name))
  }

  #prompts(member: Member, client: Client, prompts: readonly Prompt[]): OfServer<Prompt>[] {
    this.#router.index('prompt').note(member, client, namesOf(prompts))
    return prompts.map((prompt) => ({ ...prompt, name: this.#router.called('prompt', member, prompt.name), server: member.name }))
  }
}

function ofServer<Item>(server: string, items: readonly Item[]): OfServer<Item>[] {
  return items.map((item) => ({ ...item, server }))
}

function namesOf(items: readonly { readonly name: string }[]): string[] {
  return items.map(({ name }) => name)
}

/** The options without the server, which means nothing to one of them. */
function ofClient<Options extends { readonly server?: ServerRef | undefined }>(
  options: Options | undefined,
): Omit<Options, 'server'> | undefined {
  if (options === undefined) return undefined
  const { server: _, ...own } = options
  return own
}

/** A server that is named is waited for, whatever the group did without it. */
function asking({ server, signal, timeoutMs }: WithServer<RequestOptions>): Asking {
  return { signal, timeoutMs, patient: server !== undefined }
}

function giveRoots(client: Client, roots: readonly Root[]): void {
  try {
    client.roots = roots
  } catch (error) {
    // A server that was connected without roots has none.
    if (!(error instanceof UnsupportedError)) throw error
  }
}
