import type { CommandTarget, UrlTarget } from './config/target.ts'
import type { EraChoice } from './era/versions.ts'
import type { ElicitationHandler } from './features/elicitation.ts'
import type { Extension } from './features/extensions.ts'
import type { SamplingHandler } from './features/sampling.ts'
import type { Limits } from './limits.ts'
import type { Implementation, Root } from './protocol/types.ts'
import type { Interceptor, MessageListener } from './session/interceptor.ts'
import type { Logger } from './session/logger.ts'
import type { HttpOptions } from './transport/http/http-options.ts'
import { proxyProblem } from './transport/http/proxy-url.ts'
import { tlsProblem } from './transport/http/tls-options.ts'

/** Answers to the server's questions. What stands here is declared to the server, and nothing else. */
export interface Handlers {
  /**
   * Asks the host's model.
   * @deprecated in 2026-07-28: servers call the model of their choice themselves. It works until the protocol has no sampling.
   */
  sampling?: SamplingHandler | undefined
  /** Asks the person. */
  elicitation?: ElicitationHandler | undefined
}

/** Options of every kind of server. */
export interface CommonOptions {
  /** What errors call this server. Default: its host or command. */
  name?: string | undefined
  /** Who we are; `name` and `version` are required in it. Default: this package. */
  clientInfo?: Implementation | undefined
  /**
   * `'auto'` finds the transport; a name tries that one and nothing else. `'sse'` is HTTP+SSE of 2024-11-05, which is deprecated for Streamable HTTP; `'http'` plain JSON-RPC with a
   * POST per message. Default `'auto'`.
   */
  transport?: 'auto' | 'stdio' | 'streamable-http' | 'sse' | 'http' | 'streamable_http' | 'streamableHttp' | undefined
  /** `'auto'` finds the protocol era; `'legacy'`, `'modern'` or a revision date never falls back. Default `'auto'`. */
  era?: EraChoice | undefined
  /** How long one leg of a request may take, in ms; then it is cancelled and rejects with `TimeoutError`. Default 60,000. */
  timeoutMs?: number | undefined
  /** Progress starts that time again. Default false. */
  resetTimeoutOnProgress?: boolean | undefined
  /** How long all legs of a request together may take, in ms. Default: no limit. */
  maxTotalTimeoutMs?: number | undefined
  /** How long a handler may take to answer the server, in ms; then the question is answered with a cancel. Default 600,000. */
  handlerTimeoutMs?: number | undefined
  /** How long connecting may take in all, in ms. Default 60,000. */
  connectTimeoutMs?: number | undefined
  /** How long a silent server is asked only in the new way, in ms from the start of its process. Not over HTTP. Default 3,000. */
  probeTimeoutMs?: number | undefined
  /** How often a request is sent again that failed in passing and did not run, or changes nothing. Default 3 over HTTP, 0 elsewhere. */
  retries?: number | undefined
  /** The pause before that, in ms; doubled each time, with 25 % jitter, at most 30 s. `Retry-After` lengthens it. Default 500. */
  retryBackoffMs?: number | undefined
  /** Tool calls that may run twice, trusting this server's annotations. Default `'never'`. */
  resend?: 'never' | 'read-only' | 'idempotent' | undefined
  /**
   * How long a server may be quiet before it is asked whether it is there, in ms, where the revision has a ping. Three questions without an
   * answer start a recovery. Default 10,000 on HTTP+SSE, never elsewhere.
   */
  keepAliveMs?: number | undefined
  handlers?: Handlers | undefined
  /** The server is reached at first use, not by `connect`; a use that fails to reach it rejects, the next one tries again. Default false. */
  lazy?: boolean | undefined
  /** The end user on whose behalf this client works: a part of the key of everything that is kept. Default: none, one for all. */
  principal?: string | undefined
  /**
   * Folders the server may work in; given, even empty, it declares roots.
   * @deprecated in 2026-07-28: name folders in arguments of tools, URIs of resources or the server's configuration. They work until the protocol has none.
   */
  roots?: readonly Root[] | undefined
  /** Extensions of the protocol, by id or with settings; off unless they stand here. Official ones: `io.modelcontextprotocol/tasks`, `…/skills`, `…/ui`. */
  extensions?: readonly (string | Extension)[] | undefined
  /** See every request, the first outermost; those with `onMessage` see every message. */
  interceptors?: readonly (Interceptor | MessageListener)[] | undefined
  /** Ends the connecting, not the client. */
  signal?: AbortSignal | undefined
  /** Structured results against their schema: warn in the log, reject with `ValidationError`, or do not look. Default `'warn'`. */
  validate?: 'warn' | 'strict' | 'off' | undefined
  /** Arguments before they are sent: required ones are there, all fits the schema, or do not look. Default `'required'`. */
  validateArguments?: 'required' | 'full' | 'off' | undefined
  /** A tool that failed rejects with `ToolError`. Default false. */
  throwOnToolError?: boolean | undefined
  /** Where to report; `console` fits, `false` silences. Default: warnings and errors to stderr. */
  logger?: Logger | false | undefined
  limits?: Partial<Limits> | undefined
}

/** Options of server processes. */
export interface StdioServerOptions {
  /** Variables over the inherited safe set; `undefined` removes one. */
  env?: Readonly<Record<string, string | undefined>> | undefined
  /** Inherit every variable. Default false. */
  inheritEnv?: boolean | undefined
  /** The folder the process starts in. */
  cwd?: string | undefined
  /** Gets each line that the process writes to stderr. */
  stderr?: ((line: string) => void) | undefined
  /** How long each step of the shutdown waits, in ms: stdin closed, SIGTERM, SIGKILL. Default 2,000. */
  shutdownGraceMs?: number | undefined
  /** Starts a process that died again, with the backoff of `retryBackoffMs`, at most `limits.maxReconnects` times in a row. Default false. */
  restart?: boolean | undefined
  /** Ends the server also when this process is killed, by a small process that watches. Not on Windows. Default false. */
  watchdog?: boolean | undefined
}

/** Everything that `connect` takes. An option that does not apply to the server's transport is a `TypeError`. */
export interface ConnectOptions extends CommonOptions, StdioServerOptions, HttpOptions {}

/** A server and its options in one object. */
export type ServerObject = (CommandTarget | UrlTarget) & ConnectOptions

type Check = (value: unknown) => string | undefined

const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && values.includes(value) ? undefined : `must be one of ${values.map((each) => `'${each}'`).join(', ')}`
const ofType =
  (type: 'string' | 'boolean' | 'function' | 'object'): Check =>
  (value) =>
    typeof value === type && value !== null ? undefined : `must be a ${type}`
const milliseconds: Check = (value) =>
  typeof value === 'number' && value > 0 ? undefined : 'must be a positive number of milliseconds (Infinity for no limit)'
const count: Check = (value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : 'must be a whole number, 0 or more')
const identity: Check = (value) =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  'version' in value &&
  typeof value.name === 'string' &&
  typeof value.version === 'string'
    ? undefined
    : 'must have name and version'
const either =
  (first: Check, second: Check): Check =>
  (value) =>
    first(value) === undefined ? undefined : second(value)
const handlerOf =
  (...methods: readonly string[]): Check =>
  (value) => {
    if (typeof value === 'function') return undefined
    const given: readonly (readonly [string, unknown])[] = typeof value === 'object' && value !== null ? Object.entries(value) : []
    const works = given.some(([name, each]) => methods.includes(name) && typeof each === 'function')
    return works ? undefined : `must be a function, or an object with a function ${methods.join(' or ')}`
  }
const signal: Check = (value) => (value instanceof AbortSignal ? undefined : 'must be an AbortSignal')
const list: Check = (value) => (Array.isArray(value) ? undefined : 'must be an array')
const interceptors: Check = (value) =>
  Array.isArray(value) && value.every((each) => typeof each === 'function' || typeof each?.onMessage === 'function')
    ? undefined
    : 'must be an array of functions, or of objects with a function onMessage'
const logger: Check = (value) => {
  if (value === false) return undefined
  const complete =
    typeof value === 'object' && value !== null && LOG_METHODS.every((name) => typeof Reflect.get(value, name) === 'function')
  return complete ? undefined : 'must have debug, info, warn and error, or be false'
}
const LOG_METHODS = ['debug', 'info', 'warn', 'error']

const COMMON: Readonly<Record<keyof CommonOptions, Check>> = {
  name: ofType('string'),
  clientInfo: identity,
  transport: oneOf('auto', 'stdio', 'streamable-http', 'sse', 'http', 'streamable_http', 'streamableHttp'),
  era: ofType('string'),
  timeoutMs: milliseconds,
  resetTimeoutOnProgress: ofType('boolean'),
  maxTotalTimeoutMs: milliseconds,
  handlerTimeoutMs: milliseconds,
  connectTimeoutMs: milliseconds,
  probeTimeoutMs: milliseconds,
  retries: count,
  retryBackoffMs: milliseconds,
  keepAliveMs: milliseconds,
  resend: oneOf('never', 'read-only', 'idempotent'),
  handlers: ofType('object'),
  lazy: ofType('boolean'),
  principal: ofType('string'),
  roots: ofType('object'),
  extensions: list,
  interceptors,
  signal,
  validate: oneOf('warn', 'strict', 'off'),
  validateArguments: oneOf('required', 'full', 'off'),
  throwOnToolError: ofType('boolean'),
  logger,
  limits: ofType('object'),
}

const STDIO: Readonly<Record<keyof StdioServerOptions, Check>> = {
  env: ofType('object'),
  inheritEnv: ofType('boolean'),
  cwd: ofType('string'),
  stderr: ofType('function'),
  shutdownGraceMs: milliseconds,
  restart: ofType('boolean'),
  watchdog: ofType('boolean'),
}

const HTTP: Readonly<Record<keyof HttpOptions, Check>> = {
  headers: either(ofType('object'), ofType('function')),
  fetch: ofType('function'),
  signer: ofType('object'),
  endpoint: ofType('string'),
  tls: tlsProblem,
  proxy: proxyProblem,
  compression: ofType('boolean'),
}

const TABLES: Readonly<Record<string, Readonly<Record<string, Check>>>> = { stdio: STDIO, http: HTTP, transport: {}, memory: {} }
const HANDLERS: Readonly<Record<keyof Handlers, Check>> = { sampling: handlerOf('createMessage'), elicitation: handlerOf('form', 'url') }

/** An unknown option, one that does not apply to this kind of server, or one with a wrong value is a `TypeError` that names it. */
export function checkOptions(options: Readonly<Record<string, unknown>>, kind: string): void {
  const own = TABLES[kind] ?? {}
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    const check = Object.hasOwn(COMMON, name) ? COMMON[name as keyof CommonOptions] : Object.hasOwn(own, name) ? own[name] : undefined
    if (check === undefined) throw new TypeError(whyNot(name, kind))
    const problem = check(value)
    if (problem !== undefined) throw new TypeError(`the option ${name} ${problem}`)
  }
  const { handlers } = options
  for (const [name, handler] of Object.entries(handlers ?? {})) {
    const problem = Object.hasOwn(HANDLERS, name) && handler !== undefined ? HANDLERS[name as keyof Handlers](handler) : undefined
    if (problem !== undefined) throw new TypeError(`handlers.${name} ${problem}`)
    if (!Object.hasOwn(HANDLERS, name))
      throw new TypeError(`handlers.${name} is not a handler; there are ${Object.keys(HANDLERS).join(', ')}`)
  }
}

/** Options that are defaults for several servers: each must be one of some kind of server, and have a value that it can have. */
export function checkDefaults(options: Readonly<Record<string, unknown>>): void {
  for (const kind of Object.keys(TABLES)) checkOptions(defaultsFor(options, kind), kind)
  const unknown = Object.keys(options).find((name) => !Object.values(TABLES).some((table) => Object.hasOwn({ ...COMMON, ...table }, name)))
  if (unknown !== undefined) throw new TypeError(`there is no option ${unknown}`)
}

/** Those of the options that apply to one kind of server. */
export function defaultsFor(options: Readonly<Record<string, unknown>>, kind: string): Readonly<Record<string, unknown>> {
  const own = TABLES[kind] ?? {}
  return Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(COMMON, name) || Object.hasOwn(own, name)))
}

function whyNot(name: string, kind: string): string {
  const owner = Object.entries(TABLES).find(([, table]) => Object.hasOwn(table, name))?.[0]
  return owner === undefined
    ? `there is no option ${name}`
    : `the option ${name} is for ${owner} servers and does not apply to ${kind} here`
}
