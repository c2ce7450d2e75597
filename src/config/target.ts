import { isObject } from '../jsonrpc/codec.ts'
import type { InProcessServer } from '../transport/memory.ts'
import type { Transport } from '../transport/transport.ts'
import { shellWords } from './shell-words.ts'

/** A server process. `type` is the key of configuration files, `transport` is ours. */
export interface CommandTarget {
  command: string
  args?: readonly string[]
}

/** A server behind a URL. */
export interface UrlTarget {
  url: string | URL
}

/** What names one server: a URL, a command line, an argument vector, an explicit server, a transport, or a server in this process. */
export type Target = string | URL | readonly string[] | CommandTarget | UrlTarget | Transport | InProcessServer

/** A target read: what to reach, and the options that an explicit server brought along. */
export type ReadTarget =
  | {
      readonly kind: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly options: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'http'; readonly url: string; readonly options: Readonly<Record<string, unknown>> }
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
  const [first = '', second] = line.split(/\s+/, 2)
  if (COMMAND_WORDS.has(first) || (first === 'go' && second === 'run')) return commandTarget(shellWords(line), text)
  if (/\.(jsonc?|toml|ya?ml)$/i.test(line))
    throw new TypeError(`"${text}" looks like a configuration file, which may name several servers: connectGroup takes it`)
  const words = line === '' ? "['./server', '--flag']" : JSON.stringify(line.split(/\s+/)).replaceAll('"', "'")
  throw new TypeError(
    `"${text}" is neither a URL nor a known command: to start a program write ${words} or 'stdio://${line || './server --flag'}'`,
  )
}

function httpTarget(text: string): ReadTarget {
  if (!URL.canParse(text)) throw new TypeError(`"${text}" is not a valid URL`)
  const { protocol } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`"${text}" is no http(s) URL, but ${protocol}`)
  return { kind: 'http', url: text, options: NONE }
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
  const { command, args, url, type: _type, ...options } = target
  if (typeof command === 'string' && url === undefined) {
    if (args !== undefined && !(Array.isArray(args) && args.every((arg) => typeof arg === 'string'))) {
      throw new TypeError('args must be an array of strings')
    }
    return { kind: 'stdio', command, args: args ?? [], options }
  }
  if ((typeof url === 'string' || url instanceof URL) && command === undefined) {
    const { url: text } = httpTarget(String(url)) as { url: string }
    return { kind: 'http', url: text, options }
  }
  throw new TypeError('a server object needs either a string `command` or a `url`')
}

function isTransport(target: unknown): target is Transport {
  return typeof target === 'object' && target !== null && 'open' in target && typeof target.open === 'function' && 'kind' in target
}

function isInProcess(target: unknown): target is InProcessServer {
  return typeof target === 'object' && target !== null && 'connect' in target && typeof target.connect === 'function' && 'name' in target
}
