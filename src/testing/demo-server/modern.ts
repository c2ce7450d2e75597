import { RpcError } from '../../errors.ts'
import { isNotification, isObject, isRequest } from '../../jsonrpc/codec.ts'
import { INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND } from '../../jsonrpc/error-code.ts'
import type { JSONRPCRequest, Params, RequestId } from '../../jsonrpc/message.ts'
import { SKILLS_EXTENSION, TASKS_EXTENSION } from '../../protocol/extension-ids.ts'
import { type Call, declares, extensionOf, hasExtension, type Question } from './call.ts'
import { CATALOGUE, hasResource, RESOURCE_NOT_FOUND } from './catalogue.ts'
import type { Change } from './changes.ts'
import { type DemoCore, INSTRUCTIONS, SERVER_INFO } from './core.ts'
import { featuresOf } from './revision.ts'
import { aborted, type Channel, RunningRequests } from './running-requests.ts'
import type { Task } from './task.ts'
import { POLL_INTERVAL_MS } from './tasks.ts'
import { callTool, LOG_LEVELS, toolFor } from './tools.ts'

export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'
const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel'
const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId'
const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo'
export const HEADER_MISMATCH = -32020
const MISSING_CAPABILITY = -32021
const UNSUPPORTED_VERSION = -32022

/** What one request says about its sender. */
interface Sender {
  readonly version: string
  readonly capabilities: Params
  readonly meta: Params
}

/** Thrown by a question that the client has not answered yet. */
class InputRequired extends Error {}

/** The modern era. Each request stands alone; this object only knows which are running on its channel, to cancel them. */
export class ModernRequests {
  readonly #core: DemoCore
  readonly #running = new RunningRequests()

  constructor(core: DemoCore) {
    this.#core = core
  }

  receive(message: Params, via: Channel): void {
    if (isRequest(message)) {
      void this.#running.run(message, via, (signal) => this.#answer(message, via, signal))
    } else if (isNotification(message)) {
      if (message.method === 'notifications/cancelled') this.#running.cancel(message.params?.requestId)
    } else {
      via.send({ jsonrpc: '2.0', error: { code: INVALID_REQUEST, message: 'only requests and notifications are taken' } }, 400)
    }
  }

  /** Ends what is running and resolves when nothing is; `graceful` answers what can be answered. */
  close(graceful: boolean): Promise<void> {
    return this.#running.close(graceful)
  }

  async #answer(request: JSONRPCRequest, via: Channel, signal: AbortSignal): Promise<Params> {
    const params = request.params ?? {}
    const sender = this.#senderOf(request.method, params)
    try {
      return await this.#handle(request, params, sender, via, signal)
    } catch (error) {
      if (!(error instanceof RpcError) || error.rpcCode !== RESOURCE_NOT_FOUND) throw error
      throw new RpcError(INVALID_PARAMS, error.message, error.data)
    }
  }

  #senderOf(method: string, params: Params): Sender {
    const supported = [...this.#core.modern, ...this.#core.legacy]
    const refuse = (requested: unknown): never => {
      throw new RpcError(UNSUPPORTED_VERSION, `supported are ${supported.join(', ')}`, { supported, requested }, { status: 400 })
    }
    if (method === 'initialize') return refuse(params.protocolVersion ?? 'none')
    const meta = isObject(params._meta) ? params._meta : {}
    const { [VERSION_KEY]: version, [CAPABILITIES_KEY]: capabilities } = meta
    if (typeof version !== 'string') throw new RpcError(INVALID_PARAMS, `_meta["${VERSION_KEY}"] is required`, undefined, { status: 400 })
    if (!this.#core.modern.includes(version)) return refuse(version)
    if (!isObject(capabilities)) throw new RpcError(INVALID_PARAMS, `_meta["${CAPABILITIES_KEY}"] is required`, undefined, { status: 400 })
    return { version, capabilities, meta }
  }

  async #handle(request: JSONRPCRequest, params: Params, sender: Sender, via: Channel, signal: AbortSignal): Promise<Params> {
    const core = this.#core
    const { method } = request
    switch (method) {
      case 'server/discover':
        return complete(
          { supportedVersions: [...core.modern, ...core.legacy], capabilities: CAPABILITIES, instructions: INSTRUCTIONS },
          core.ttlMs,
        )
      case 'subscriptions/listen':
        return this.#listen(request.id, params, sender, via, signal)
      case 'tools/call':
        return this.#call(params, sender, via, signal)
      case 'tasks/get':
        return complete(detailedTask(this.#task(params, sender)))
      case 'tasks/update': {
        const { questions } = this.#task(params, sender)
        const answers = isObject(params.inputResponses) ? params.inputResponses : {}
        for (const [key, answer] of Object.entries(answers)) if (isObject(answer)) questions.get(key)?.answer(answer)
        return complete({})
      }
      case 'tasks/cancel':
        this.#task(params, sender).abort.abort()
        return complete({})
    }
    const extension = extensionOf(method)
    if (extension !== undefined) requireExtension(sender, extension)
    const handle = Object.hasOwn(CATALOGUE, method) ? CATALOGUE[method] : undefined
    if (handle === undefined) throw new RpcError(METHOD_NOT_FOUND, `unknown method ${method}`, undefined, { status: 404 })
    const result = handle(params, { core, version: sender.version, features: featuresOf(sender.version) })
    const cacheable = method.endsWith('/list') || method === 'resources/read'
    return complete(result, cacheable ? (params.uri === 'demo://clock' ? 0 : core.ttlMs) : undefined)
  }

  async #call(params: Params, sender: Sender, via: Channel, signal: AbortSignal): Promise<Params> {
    const core = this.#core
    const need = ({ needs }: Question): void => {
      if (declares(sender.capabilities, needs)) return
      throw new RpcError(MISSING_CAPABILITY, 'the client lacks a capability', { requiredCapabilities: needs }, { status: 400 })
    }
    const call = (own: Pick<Call, 'signal' | 'ask'>): Call => ({
      ...this.#tellers(sender, via),
      features: featuresOf(sender.version),
      ...own,
    })

    if (toolFor(params).task && hasTasks(sender)) {
      const task = core.tasks.begin(this, undefined, async (taskSignal, ask) => {
        const silent = { progress: () => {}, log: () => {} }
        const asked = async (key: string, question: Question): Promise<Params> => {
          need(question)
          return ask(key, question)
        }
        return complete(await callTool(params, { ...call({ signal: taskSignal, ask: asked }), ...silent }))
      })
      return { ...complete(taskFields(task)), resultType: 'task' }
    }

    const { requestState, inputResponses } = params
    const identity = JSON.stringify([params.name, params.arguments])
    if (requestState === undefined && inputResponses !== undefined) throw new RpcError(INVALID_PARAMS, 'inputResponses need a requestState')
    const earlier = requestState === undefined ? {} : core.answersOf(requestState, identity)
    const answers: Params = { ...earlier, ...(isObject(inputResponses) && inputResponses) }
    const inputRequests: Record<string, unknown> = {}
    const ask = async (key: string, question: Question): Promise<Params> => {
      need(question)
      const answer = answers[key]
      if (isObject(answer)) return answer
      const { method, params: asked } = question
      inputRequests[key] = { method, ...(asked !== undefined && { params: asked }) }
      throw new InputRequired()
    }
    try {
      return complete(await callTool(params, call({ signal, ask })))
    } catch (error) {
      if (!(error instanceof InputRequired)) throw error
      return { ...complete({ inputRequests, requestState: core.keepRound(identity, answers) }), resultType: 'input_required' }
    }
  }

  #tellers({ meta }: Sender, via: Channel): Omit<Call, 'signal' | 'ask' | 'features'> {
    const { progressToken, [LOG_LEVEL_KEY]: wanted } = meta
    return {
      memory: new Set(),
      progress(progress, total, message) {
        if (progressToken === undefined) return
        via.send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress, total, message } })
      },
      log(level, data) {
        if (typeof wanted !== 'string' || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(wanted)) return
        via.send({ jsonrpc: '2.0', method: 'notifications/message', params: { level, logger: 'demo', data } })
      },
      elicitationDone() {},
    }
  }

  /** The task that the request names. */
  #task(params: Params, sender: Sender): Task {
    requireExtension(sender, TASKS_EXTENSION)
    return this.#core.tasks.get(params.taskId)
  }

  async #listen(id: RequestId, params: Params, sender: Sender, via: Channel, signal: AbortSignal): Promise<Params> {
    if (!isObject(params.notifications)) throw new RpcError(INVALID_PARAMS, 'notifications must be an object')
    const { resourceSubscriptions, taskIds, ...lists } = params.notifications
    const uris = strings(resourceSubscriptions).filter(hasResource)
    const tasks = hasTasks(sender) ? strings(taskIds).filter((taskId) => this.#core.tasks.find(taskId)) : []
    const honoured = {
      ...Object.fromEntries(Object.keys(LIST_FILTERS).flatMap((filter) => (lists[filter] === true ? [[filter, true]] : []))),
      ...(resourceSubscriptions !== undefined && { resourceSubscriptions: uris }),
      ...(taskIds !== undefined && hasTasks(sender) && { taskIds: tasks }),
    }
    const _meta = { [SUBSCRIPTION_KEY]: id }
    const tell = (name: string, about: Params = {}): void =>
      via.send({ jsonrpc: '2.0', method: `notifications/${name}`, params: { ...about, _meta } })
    const changed = (change: Change): void => {
      if ('list' in change && lists[`${change.list}ListChanged`] === true) tell(`${change.list}/list_changed`)
      else if ('uri' in change && uris.includes(change.uri)) tell('resources/updated', { uri: change.uri })
      else if ('task' in change && tasks.includes(change.task.id)) tell('tasks', detailedTask(change.task))
    }
    tell('subscriptions/acknowledged', { notifications: honoured })
    const stop = this.#core.changes.listen(changed)
    await aborted(signal)
    stop()
    return complete({ _meta })
  }
}

const LIST_FILTERS: Params = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }

// Without the icons, because it stands in every result.
const IDENTITY: Params = { name: SERVER_INFO.name, version: SERVER_INFO.version, title: SERVER_INFO.title }

const CAPABILITIES: Params = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
  logging: {},
  extensions: { [TASKS_EXTENSION]: {}, [SKILLS_EXTENSION]: {} },
}

function complete(result: Params, ttlMs?: number): Params {
  const meta = isObject(result._meta) ? result._meta : {}
  return {
    resultType: 'complete',
    ...result,
    ...(ttlMs !== undefined && { ttlMs, cacheScope: 'public' }),
    _meta: { ...meta, [SERVER_INFO_KEY]: IDENTITY },
  }
}

function hasTasks({ capabilities }: Sender): boolean {
  return hasExtension(capabilities, TASKS_EXTENSION)
}

function requireExtension({ capabilities }: Sender, id: string): void {
  if (hasExtension(capabilities, id)) return
  const requiredCapabilities = { extensions: { [id]: {} } }
  throw new RpcError(MISSING_CAPABILITY, `the client lacks the extension ${id}`, { requiredCapabilities }, { status: 400 })
}

function taskFields({ id, status, createdAt, lastUpdatedAt, ttlMs }: Task): Params {
  return { taskId: id, status, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs: POLL_INTERVAL_MS }
}

function detailedTask(task: Task): Params {
  const asked = [...task.questions].map(([key, { question }]) => [key, { method: question.method, params: question.params }])
  const { outcome } = task
  return {
    ...taskFields(task),
    ...(task.status === 'input_required' && { inputRequests: Object.fromEntries(asked) }),
    ...(outcome !== undefined &&
      ('result' in outcome ? outcome : { error: { code: outcome.error.rpcCode, message: outcome.error.message } })),
  }
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
