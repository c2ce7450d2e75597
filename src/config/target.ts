import { isObject } from '../jsonrpc/codec.ts'
import {
  type ForeignTransport,
  foreignTransport,
  isForeignTransport,
  isTransportSource,
  type TransportSource,
} from '../transport/foreign.ts'
import type { InProcessServer } from '../transport/memory.ts'
import type { Transport } from '../transport/transport.ts'
import { candidatesOf, candidatesOfType, type HttpCandidates } from './http-candidates.ts'
import { shellWords } from './shell-words.ts'

/** A server process. `type` is the key of configuration files, `transport` is ours. */
export interface CommandTarget {
  command: string
  args?: readonly string[]
  type?: 'stdio'
}

/** A server behind a URL. */
export interface UrlTarget {
  url: string | URL
  /** As configuration files have it: `http` is Streamable HTTP, then plain JSON-RPC. The option `transport` wins over it. */
  type?: 'http' | 'sse' | 'streamable-http' | 'streamable_http' | 'streamableHttp'
}

/**
 * What names one server: a URL, a command line, an argument vector, an explicit server, a transport (ours, or an object shaped like the
 * official SDK's, or a function that makes one), or a server in this process.
 */
export type Target =
  | string
  | URL
  | readonly string[]
  | CommandTarget
  | UrlTarget
  | Transport
  | ForeignTransport
  | TransportSource
  | InProcessServer

/** A target read: what to reach, and the options that an explicit server brought along. */
export type ReadTarget =
  | {
      readonly kind: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly options: Readonly<Record<string, unknown>>
    }
  | {
      readonly kind: 'http'
      readonly url: string
      /** What `auto` tries, in this order. */
      readonly candidates: HttpCandidates
      readonly options: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'transport'; readonly transport: Transport; readonly options: Readonly<Record<string, unknown>> }
  | { readonly kind: 'memory'; readonly server: InProcessServer; readonly options: Readonly<Record<string, unknown>> }

/** The first words that make a string a command line. */
const COMMAND_WORDS: ReadonlySet<string> = new Set('npx node python python3 uv uvx docker deno bun bunx ruby php java cargo'.split(' '))
const NONE = Object.freeze({})

/** Reads a target. What is none is a `TypeError` that says what to write instead. */
export function readTarget(target: unknown): ReadTarget {
  if (typeof target === 'string') return readString(target)
  if (target instanceof URL) return httpTarget(target.href)
  if (Array.isArray(target)) return readArgv(target)
  if (isTransport(target)) return { kind: 'transport', transport: target, options: NONE }
  if (isTransportSource(target) || isForeignTransport(target)) {
    return { kind: 'transport', transport: foreignTransport(target), options: NONE }
  }
  if (isInProcess(target)) return { kind: 'memory', server: target, options: NONE }
  if (isObject(target)) return readObject(target)
  throw new TypeError(
    `a target must be a URL, a command line, an array of words, a server object or a transport, not ${target === null ? 'null' : typeof target}`,
  )
}

function readString(text: string): ReadTarget {
  const line = text.trim()
  if (/^https?:/i.test(line)) return httpTarget(line)
  if (/^stdio:\/\//i.test(line)) return commandTarget(shellWords(line.slice('stdio://'.length)), text)
  const words = commandLine(line)
  if (words !== undefined) return commandTarget(words, text)
  if (/\.(jsonc?|toml|ya?ml)$/i.test(line))
    throw new TypeError(`"${text}" looks like a configuration file, which may name several servers: connectGroup takes it`)
  const asArray = line === '' ? "['./server', '--flag']" : JSON.stringify(line.split(/\s+/)).replaceAll('"', "'")
  throw new TypeError(
    `"${text}" is neither a URL nor a known command: to start a program write ${asArray} or 'stdio://${line || './server --flag'}'`,
  )
}

/** The words of a command line that starts with a program which everybody knows as one; undefined for any other text. */
export function commandLine(text: string): string[] | undefined {
  const line = text.trim()
  const [first = '', second] = line.split(/\s+/, 2)
  return COMMAND_WORDS.has(first) || (first === 'go' && second === 'run') ? shellWords(line) : undefined
}

function httpTarget(text: string): ReadTarget & { kind: 'http' } {
  if (!URL.canParse(text)) throw new TypeError(`"${text}" is not a valid URL`)
  const { protocol } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`"${text}" is no http(s) URL, but ${protocol}`)
  return { kind: 'http', url: text, candidates: candidatesOf(text), options: NONE }
}

function commandTarget(words: readonly string[], text: string): ReadTarget {
  const [command, ...args] = words
  if (command === undefined) throw new TypeError(`"${text}" names no command`)
  return { kind: 'stdio', command, args, options: NONE }
}

function readArgv(words: readonly unknown[]): ReadTarget {
  const strings = words.filter((word): word is string => typeof word === 'string')
  const [first] = strings
  if (strings.length !== words.length || first === undefined) {
    throw new TypeError('an array target is one command, split into words; for several servers there is connectGroup')
  }
  if (/^https?:/i.test(first)) throw new TypeError('an array of URLs names several servers: connectGroup takes it')
  return commandTarget(strings, first)
}

function readObject(target: Readonly<Record<string, unknown>>): ReadTarget {
  if ('mcpServers' in target || 'servers' in target) throw new TypeError('a configuration with several servers is for connectGroup')
  const { command, args, url, type, ...options } = target
  if (typeof command === 'string' && url === undefined) {
    if (args !== undefined && !(Array.isArray(args) && args.every((arg) => typeof arg === 'string'))) {
      throw new TypeError('args must be an array of strings')
    }
    if (type !== undefined && type !== 'stdio') throw new TypeError(wrongType(type, "'stdio'"))
    return { kind: 'stdio', command, args: args ?? [], options }
  }
  if ((typeof url === 'string' || url instanceof URL) && command === undefined) {
    const read = httpTarget(String(url))
    if (type === undefined) return { ...read, options }
    const candidates = typeof type === 'string' ? candidatesOfType(type) : undefined
    if (candidates === undefined) throw new TypeError(wrongType(type, "'http', 'sse' or 'streamable-http'"))
    return { ...read, candidates, options }
  }
  throw new TypeError('a server object needs either a string `command` or a `url`')
}

function wrongType(type: unknown, fitting: string): string {
  return `the type ${JSON.stringify(type)?.slice(0, 100)} does not fit this server object, which may have ${fitting}`
}

function isTransport(target: unknown): target is Transport {
  return typeof target === 'object' && target !== null && 'open' in target && typeof target.open === 'function' && 'kind' in target
}

function isInProcess(target: unknown): target is InProcessServer {
  return typeof target === 'object' && target !== null && 'connect' in target && typeof target.connect === 'function' && 'name' in target
}
