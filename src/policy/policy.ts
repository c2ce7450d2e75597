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
        if (isObject(params.ref)) {
          if (params.ref.type === 'ref/prompt') this.#check('prompt', params.ref.name)
          else this.#check('resource', params.ref.uri)
        }
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
    // A rule may look at the definition, and an old one is none to judge by.
    const definition = context.definition ?? (rules.length > 0 || approve || pins ? await this.#find(call, name) : undefined)
    this.#check('tool', name, definition)
    if (pins?.mode === 'block' && (definition === undefined || pins.pinned.changed.has(name))) throw this.#refusal('changed', 'tool', name)
    if (approve === undefined) return
    const args = isObject(params?.arguments) ? params.arguments : {}
    const request = { server, tool: name, arguments: args, annotations: annotationsOf(definition), definition }
    if (!(await isApproved(approve, request, options.signal))) throw this.#refusal('not-approved', 'tool', name)
  }

  async #listed(call: Call, key: string, kind: Subject['kind'], nameKey: string): Promise<Params> {
    return this.#filtered(await this.#next(call), key, kind, nameKey)
  }

  #filtered(result: Params, key: string, kind: Subject['kind'], nameKey: string): Params {
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
    const result = await this.#next(call)
    const pins = await this.#pinned(result)
    const allowed = this.#filtered(result, 'tools', 'tool', 'name')
    const { tools } = allowed
    if (pins?.mode !== 'block' || !Array.isArray(tools)) return allowed
    return { ...allowed, tools: tools.filter((tool) => !isTool(tool) || !pins.pinned.changed.has(tool.name)) }
  }

  /** Compares a page of definitions, whatever the rules hide of it, with what was seen first. */
  async #pinned({ tools }: Params): Promise<PolicySettings['pins']> {
    const { pins } = this.#settings
    if (pins === undefined || !Array.isArray(tools)) return pins
    const usable = tools.filter(isTool)
    const { pinned, mode } = pins
    const before = new Set(pinned.changed.keys())
    await pinned.check(usable)
    for (const { name } of usable) if (pinned.changed.has(name) && !before.has(name)) this.#tell(name, mode)
    return pins
  }

  #tell(name: string, mode: 'warn' | 'block'): void {
    const effect = mode === 'block' ? '; it is kept back until acceptChanges' : ''
    this.#settings.logger.warn(
      `${this.#settings.server}: the definition of the tool "${peerText(name, 128)}" is not what it was when it was first listed${effect}`,
    )
  }

  /** The definition, as the server lists it now, of a tool of which none is held; hidden ones are found too. */
  async #find(call: Call, name: string): Promise<Tool | undefined> {
    const { signal, timeoutMs } = call.options
    const seen = new Set<unknown>()
    let cursor: unknown
    do {
      seen.add(cursor)
      const params = cursor === undefined ? undefined : { cursor }
      const result = await this.#next({ ...call, method: TOOLS_LIST, params, options: { signal, timeoutMs }, context: {} })
      await this.#pinned(result)
      const { tools, nextCursor } = result
      const found = Array.isArray(tools) ? tools.filter(isTool).find((tool) => tool.name === name) : undefined
      if (found !== undefined) return found
      cursor = nextCursor
    } while (typeof cursor === 'string' && !seen.has(cursor) && seen.size < MAX_PAGES)
    return undefined
  }

  #refusal(reason: PolicyReason, kind: Subject['kind'], name: string): PolicyError {
    return new PolicyError(reason, kind, name, { server: this.#settings.server })
  }
}

function isTool(entry: unknown): entry is Tool {
  return isObject(entry) && typeof entry.name === 'string'
}
