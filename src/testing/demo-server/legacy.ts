import { RpcError } from '../../errors.ts'
import { isNotification, isObject, isRequest, isResponse } from '../../jsonrpc/codec.ts'
import { INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND } from '../../jsonrpc/error-code.ts'
import type { JSONRPCRequest, JSONRPCResponse, Params, RequestId } from '../../jsonrpc/message.ts'
import { SKILLS_EXTENSION } from '../../protocol/extension-ids.ts'
import { type Call, declares, extensionOf, hasExtension, type Question, ToolFailure } from './call.ts'
import { CATALOGUE, hasResource, RESOURCE_NOT_FOUND } from './catalogue.ts'
import type { Change } from './changes.ts'
import { type DemoCore, INSTRUCTIONS, SERVER_INFO } from './core.ts'
import { MAX_QUESTIONS } from './limits.ts'
import { type Features, featuresOf, fitDefinition } from './revision.ts'
import { type Channel, RunningRequests } from './running-requests.ts'
import type { Task } from './task.ts'
import { isTerminal, POLL_INTERVAL_MS } from './tasks.ts'
import { callTool, LOG_LEVELS, toolFor } from './tools.ts'

const RELATED_TASK_KEY = 'io.modelcontextprotocol/related-task'

/** What `initialize` agreed on. */
interface Terms {
  readonly version: string
  readonly features: Features
  readonly capabilities: Params
}

/** One conversation of the legacy era, from `initialize` to its end. */
export class LegacyConversation {
  readonly #core: DemoCore
  readonly #aside: Channel
  readonly #running = new RunningRequests()
  readonly #questions = new Map<RequestId, (answer: JSONRPCResponse) => void>()
  readonly #subscribed = new Set<string>()
  readonly #memory = new Set<string>()
  readonly #stopListening: () => void
  #terms: Terms | undefined
  #logLevel = 'info'
  #lastQuestion = 0

  /** `aside` takes what belongs to no request of the client. `version`: the handshake was made elsewhere, and only this is known of it. */
  constructor(core: DemoCore, aside: Channel, version?: string) {
    if (version !== undefined) this.#terms = { version, features: featuresOf(version), capabilities: {} }
    this.#core = core
    this.#aside = aside
    this.#stopListening = core.changes.listen((change) => this.#changed(change))
  }

  /** What the negotiated revision has, undefined before `initialize`. */
  get features(): Features | undefined {
    return this.#terms?.features
  }

  receive(message: Params, via: Channel): void {
    if (isResponse(message)) {
      if (message.id !== undefined && message.id !== null) this.#questions.get(message.id)?.(message)
    } else if (isRequest(message)) {
      const after: (() => void)[] = []
      void this.#running
        .run(message, via, (signal) => this.#answer(message, via, signal, after))
        .then(() => {
          for (const tell of after) tell()
        })
    } else if (isNotification(message)) {
      if (message.method === 'notifications/cancelled') this.#running.cancel(message.params?.requestId)
    } else {
      via.send({ jsonrpc: '2.0', error: { code: INVALID_REQUEST, message: 'no JSON-RPC 2.0 message' } }, 400)
    }
  }

  /** Ends what is running and resolves when nothing is; `graceful` answers what can be answered. */
  close(graceful: boolean): Promise<void> {
    this.#stopListening()
    return this.#running.close(graceful)
  }

  async #answer(request: JSONRPCRequest, via: Channel, signal: AbortSignal, after: (() => void)[]): Promise<Params> {
    const { method, params = {} } = request
    if (method === 'initialize') return this.#initialize(params)
    if (method === 'ping') return {}
    const terms = this.#terms
    const extension = extensionOf(method)
    const known = extension === undefined || hasExtension(terms?.capabilities ?? {}, extension)
    const handle = known && Object.hasOwn(CATALOGUE, method) ? CATALOGUE[method] : undefined
    if (terms === undefined) {
      if (handle === undefined) throw new RpcError(METHOD_NOT_FOUND, `unknown method ${method}`)
      throw new RpcError(INVALID_REQUEST, 'initialize comes first')
    }
    if (handle !== undefined) return handle(params, { core: this.#core, ...terms })
    switch (method) {
      case 'logging/setLevel':
        if (!LOG_LEVELS.includes(String(params.level))) throw new RpcError(INVALID_PARAMS, 'unknown level')
        this.#logLevel = String(params.level)
        return {}
      case 'resources/subscribe':
        if (!hasResource(params.uri)) throw new RpcError(RESOURCE_NOT_FOUND, 'there is no such resource', { uri: params.uri })
        this.#subscribed.add(params.uri)
        return {}
      case 'resources/unsubscribe':
        this.#subscribed.delete(String(params.uri))
        return {}
      case 'tools/call':
        return this.#call(params, terms, via, signal, after)
    }
    if (terms.features.coreTasks && method.startsWith('tasks/')) return this.#taskMethod(method, params, via, signal)
    throw new RpcError(METHOD_NOT_FOUND, `unknown method ${method}`)
  }

  #initialize(params: Params): Params {
    if (this.#terms !== undefined) throw new RpcError(INVALID_REQUEST, 'already initialized')
    const { protocolVersion: requested, capabilities } = params
    const { legacy } = this.#core
    if (typeof requested !== 'string') throw new RpcError(INVALID_PARAMS, 'protocolVersion is required')
    const version = legacy.includes(requested) ? requested : (legacy[0] ?? '')
    const features = featuresOf(version)
    const declared = isObject(capabilities) ? capabilities : {}
    this.#terms = { version, features, capabilities: declared }
    return {
      protocolVersion: version,
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        logging: {},
        ...(features.completions && { completions: {} }),
        ...(hasExtension(declared, SKILLS_EXTENSION) && { extensions: { [SKILLS_EXTENSION]: {} } }),
        ...(features.coreTasks && { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }),
      },
      serverInfo: fitDefinition(SERVER_INFO, version),
      instructions: INSTRUCTIONS,
    }
  }

  async #call(params: Params, terms: Terms, via: Channel, signal: AbortSignal, after: (() => void)[]): Promise<Params> {
    const { features } = terms
    const { progressToken } = isObject(params._meta) ? params._meta : {}
    const call: Call = {
      features,
      signal,
      memory: this.#memory,
      progress(progress, total, message) {
        if (progressToken === undefined) return
        const told = { progressToken, progress, total, ...(features.progressMessage && { message }) }
        via.send({ jsonrpc: '2.0', method: 'notifications/progress', params: told })
      },
      log: (level, data) => {
        if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(this.#logLevel)) return
        via.send({ jsonrpc: '2.0', method: 'notifications/message', params: { level, logger: 'demo', data } })
      },
      ask: async (_key, question) => {
        needs(terms, question)
        return this.#ask(question, via, signal)
      },
      elicitationDone: (elicitationId) => {
        after.push(() => this.#aside.send({ jsonrpc: '2.0', method: 'notifications/elicitation/complete', params: { elicitationId } }))
      },
    }
    const wish = params.task
    if (!features.coreTasks || !isObject(wish)) return callTool(params, call)
    if (!toolFor(params).task) throw new RpcError(METHOD_NOT_FOUND, 'this tool does not run as a task')
    const task = this.#core.tasks.begin(this, wish.ttl, (taskSignal, ask) => {
      const asked: Call['ask'] = async (key, question) => {
        needs(terms, question)
        return ask(key, question)
      }
      return callTool(params, { ...call, signal: taskSignal, ask: asked, progress: () => {}, log: () => {} })
    })
    return { task: taskFields(task) }
  }

  /** Sends a question on `via` and waits for the answer. */
  async #ask({ method, params }: Question, via: Channel, signal: AbortSignal, meta?: Params): Promise<Params> {
    if (this.#questions.size >= MAX_QUESTIONS) throw new ToolFailure('too many questions wait for an answer')
    const id = ++this.#lastQuestion
    const asked = meta === undefined ? params : { ...params, _meta: meta }
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#questions.delete(id)
        via.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason: 'the call was cancelled' } })
        reject(signal.reason)
      }
      signal.addEventListener('abort', stop, { once: true })
      this.#questions.set(id, (answer) => {
        this.#questions.delete(id)
        signal.removeEventListener('abort', stop)
        if ('error' in answer) reject(new ToolFailure(`the client refused: ${answer.error.message}`))
        else resolve(isObject(answer.result) ? answer.result : {})
      })
      via.send({ jsonrpc: '2.0', id, method, ...(asked !== undefined && { params: asked }) })
    })
  }

  async #taskMethod(method: string, params: Params, via: Channel, signal: AbortSignal): Promise<Params> {
    const { tasks } = this.#core
    switch (method) {
      case 'tasks/list':
        return { tasks: tasks.ownedBy(this).map(taskFields) }
      case 'tasks/get':
        return taskFields(tasks.get(params.taskId))
      case 'tasks/cancel': {
        const task = tasks.get(params.taskId)
        if (isTerminal(task)) throw new RpcError(INVALID_PARAMS, `the task is ${task.status} already`)
        task.abort.abort()
        return taskFields(task)
      }
      case 'tasks/result':
        return this.#taskResult(tasks.get(params.taskId), via, signal)
    }
    throw new RpcError(METHOD_NOT_FOUND, `unknown method ${method}`)
  }

  /** Waits for the end of the task; its questions travel with this request. */
  async #taskResult(task: Task, via: Channel, signal: AbortSignal): Promise<Params> {
    const _meta = { [RELATED_TASK_KEY]: { taskId: task.id } }
    const asked = new Set<string>()
    const over = new AbortController()
    const askAll = (): void => {
      for (const [key, { question, answer, refuse }] of task.questions) {
        if (asked.has(key)) continue
        asked.add(key)
        this.#ask(question, via, AbortSignal.any([over.signal, task.abort.signal]), _meta).then(answer, (error) => {
          if (!over.signal.aborted) refuse(error)
        })
      }
    }
    const stop = this.#core.changes.listen((change) => {
      if ('task' in change && change.task === task) askAll()
    })
    askAll()
    await Promise.race([task.ended, new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))])
    stop()
    over.abort()
    const { outcome } = task
    if (outcome === undefined) throw new RpcError(INVALID_PARAMS, 'the task was cancelled')
    if ('error' in outcome) throw outcome.error
    return { ...outcome.result, _meta: { ...(isObject(outcome.result._meta) && outcome.result._meta), ..._meta } }
  }

  #changed(change: Change): void {
    if (this.#terms === undefined) return
    const tell = (name: string, params?: Params): void =>
      this.#aside.send({ jsonrpc: '2.0', method: `notifications/${name}`, ...(params !== undefined && { params }) })
    if ('list' in change) tell(`${change.list}/list_changed`)
    else if ('uri' in change) {
      if (this.#subscribed.has(change.uri)) tell('resources/updated', { uri: change.uri })
    } else if (change.task.owner === this) tell('tasks/status', taskFields(change.task))
  }
}

function needs(terms: Terms, question: Question): void {
  if (declares(terms.capabilities, question.needs)) return
  const [name = '', mode] = Object.entries(question.needs).flatMap(([key, value]) => [key, ...Object.keys(isObject(value) ? value : {})])
  throw new ToolFailure(`the client did not declare the capability ${mode === undefined ? name : `${name}.${mode}`}`)
}

function taskFields(task: Task): Params {
  const { id, createdAt, lastUpdatedAt, ttlMs, outcome } = task
  const failed = outcome !== undefined && 'result' in outcome && outcome.result.isError === true
  return { taskId: id, status: failed ? 'failed' : task.status, createdAt, lastUpdatedAt, ttl: ttlMs, pollInterval: POLL_INTERVAL_MS }
}
