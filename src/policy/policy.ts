import { PolicyError, type PolicyReason } from '../errors.ts'
import { isObject } from '../jsonrpc/codec.ts'
import type { Params } from '../jsonrpc/message.ts'
import { PROMPTS_GET, RESOURCES_READ, TOOLS_CALL, TOOLS_LIST } from '../protocol/methods.ts'
import { peerText } from '../protocol/peer-text.ts'
import type { Tool } from '../protocol/types.ts'
import type { Call, CallHandler, Interceptor } from '../session/interceptor.ts'
import type { Logger } from '../session/logger.ts'
import { type Approve, annotationsOf, isApproved } from './approval.ts'
import type { Pins } from './pins.ts'
import type { Subject, Test } from './rules.ts'

export interface PolicySettings {
  readonly server: string
  readonly logger: Logger
  /** What is let through, by every rule that there is. */
  readonly rules: readonly Test[]
  readonly approve: Approve | undefined
  readonly pins: { readonly mode: 'warn' | 'block'; readonly pinned: Pins } | undefined
}

/** The most pages that are read to know the definition of a tool that is called. */
const MAX_PAGES = 1_000

/**
 * What may be seen and used of one server. It stands before the wire, so it holds however a call comes about: by name, as a stream, as a task,
 * through a handle, through the client of a group, or as a bare request.
 */
export function policy(settings: PolicySettings): Interceptor {
  return (next) => {
    const guard = new Guard(settings, next)
    return (call) => guard.handle(call)
  }
}

class Guard {
  readonly #settings: PolicySettings
  readonly #next: CallHandler
  readonly #known = new Map<string, Tool>()

  constructor(settings: PolicySettings, next: CallHandler) {
    this.#settings = settings
    this.#next = next
  }

  async handle(call: Call): Promise<Params> {
    const { method, params = {} } = call
    switch (method) {
      case TOOLS_LIST:
        return this.#tools(call)
      case 'prompts/list':
        return this.#listed(call, 'prompts', 'prompt', 'name')
      case 'resources/list':
        return this.#listed(call, 'resources', 'resource', 'uri')
      case 'resources/templates/list':
        return this.#listed(call, 'resourceTemplates', 'resource', 'uriTemplate')
      case TOOLS_CALL:
        await this.#checkCall(call)
        break
      case PROMPTS_GET:
        this.#check('prompt', params.name)
        break
      case RESOURCES_READ:
      case 'resources/subscribe':
        this.#check('resource', params.uri)
        break
      case 'completion/complete':
        if (isObject(params.ref)) this.#check(params.ref.type === 'ref/prompt' ? 'prompt' : 'resource', params.ref.name ?? params.ref.uri)
    }
    return this.#next(call)
  }

  #allows(subject: Omit<Subject, 'server'>): boolean {
    const { rules, server } = this.#settings
    return rules.every((rule) => rule({ ...subject, server }))
  }

  #check(kind: Subject['kind'], name: unknown, definition?: Tool): void {
    if (typeof name === 'string' && !this.#allows({ kind, name, definition })) throw this.#refusal('denied', kind, name)
  }

  async #checkCall(call: Call): Promise<void> {
    const { params, options, context } = call
    const name = params?.name
    if (typeof name !== 'string') return
    const { approve, pins, rules, server } = this.#settings
    // A rule may look at the definition.
    const definition =
      context.definition ?? this.#known.get(name) ?? (rules.length > 0 || approve || pins ? await this.#find(call, name) : undefined)
    this.#check('tool', name, definition)
    if (pins?.mode === 'block' && (definition === undefined || pins.pinned.changed.has(name))) throw this.#refusal('changed', 'tool', name)
    if (approve === undefined) return
    const args = isObject(params?.arguments) ? params.arguments : {}
    const request = { server, tool: name, arguments: args, annotations: annotationsOf(definition), definition }
    if (!(await isApproved(approve, request, options.signal))) throw this.#refusal('not-approved', 'tool', name)
  }

  async #listed(call: Call, key: string, kind: Subject['kind'], nameKey: string): Promise<Params> {
    const result = await this.#next(call)
    const entries = result[key]
    if (!Array.isArray(entries) || this.#settings.rules.length === 0) return result
    const kept = entries.filter((entry: unknown) => {
      const name = isObject(entry) ? entry[nameKey] : undefined
      // What is malformed is told by who reads it.
      return typeof name !== 'string' || this.#allows({ kind, name, definition: kind === 'tool' && isTool(entry) ? entry : undefined })
    })
    return { ...result, [key]: kept }
  }

  async #tools(call: Call): Promise<Params> {
    const result = await this.#listed(call, 'tools', 'tool', 'name')
    const { tools } = result
    if (!Array.isArray(tools)) return result
    const usable = tools.filter(isTool)
    for (const tool of usable) this.#known.set(tool.name, tool)
    const { pins } = this.#settings
    if (pins === undefined) return result
    const before = new Set(pins.pinned.changed.keys())
    await pins.pinned.check(usable)
    const { changed } = pins.pinned
    for (const { name } of usable) if (changed.has(name) && !before.has(name)) this.#tell(name, pins.mode)
    return pins.mode === 'warn' ? result : { ...result, tools: tools.filter((tool) => !isTool(tool) || !changed.has(tool.name)) }
  }

  #tell(name: string, mode: 'warn' | 'block'): void {
    const effect = mode === 'block' ? '; it is kept back until acceptChanges' : ''
    this.#settings.logger.warn(
      `${this.#settings.server}: the definition of the tool "${peerText(name, 128)}" is not what it was when it was first listed${effect}`,
    )
  }

  /** The definition of a tool that nobody listed yet. */
  async #find(call: Call, name: string): Promise<Tool | undefined> {
    let cursor: unknown
    for (let page = 0; page < MAX_PAGES; page++) {
      const params = cursor === undefined ? undefined : { cursor }
      const { signal, timeoutMs } = call.options
      const result = await this.#tools({ ...call, method: TOOLS_LIST, params, options: { signal, timeoutMs }, context: {} })
      const found = this.#known.get(name)
      cursor = result.nextCursor
      if (found !== undefined || typeof cursor !== 'string') return found
    }
    return undefined
  }

  #refusal(reason: PolicyReason, kind: Subject['kind'], name: string): PolicyError {
    return new PolicyError(reason, kind, name, { server: this.#settings.server })
  }
}

function isTool(entry: unknown): entry is Tool {
  return isObject(entry) && typeof entry.name === 'string'
}
