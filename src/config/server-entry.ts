import { isObject } from '../jsonrpc/codec.ts'
import { peerText } from '../protocol/peer-text.ts'
import type { Dialect, Meaning } from './hosts/dialect.ts'
import { MEANINGS } from './members.ts'
import { commandLine } from './target.ts'

/** A server as it is written, in one shape for all dialects; nothing is filled in yet. */
export interface ServerEntry {
  name?: string
  command?: string
  args: string[]
  env: Map<string, string | undefined>
  envNames: string[]
  secretNames: string[]
  envFile?: string
  cwd?: string
  url?: string
  type?: 'http' | 'sse' | 'streamable-http'
  headers: Map<string, string>
  headersFromEnv: Map<string, string>
  bearerFromEnv?: string
  disabled: boolean
  allow?: string[]
  deny?: string[]
  /** Options of `connect`. */
  options: Record<string, unknown>
  /** Members that mean nothing here. */
  unknown: Record<string, unknown>
  /** How the file spells a member that other dialects call otherwise. */
  spelling: Map<string, string>
}

/** What is wrong with a member, or with the whole server where no member is to blame. */
export interface EntryProblem {
  readonly member: string | undefined
  /** Goes on after the name of the server. */
  readonly message: string
}

/** A server that was read: as far as it goes, what makes it unusable, and what was forgiven. */
export interface EntryReading {
  readonly entry: ServerEntry
  readonly problem: EntryProblem | undefined
  readonly notes: readonly string[]
}

/** Who wrote a server: a file, code in the shape of a file, or code that names a target, whose members are all ours to know. */
export type Author = 'file' | 'code' | 'target'

/** Reads one server. */
export function readEntry(server: Readonly<Record<string, unknown>>, dialect: Dialect, author: Author): EntryReading {
  const reader = new EntryReader(dialect, author)
  for (const [member, value] of Object.entries(server)) if (value !== undefined) reader.read(member, value)
  reader.settle()
  return reader
}

type Kind = 'stdio' | 'http' | 'sse' | 'streamable-http' | 'any'

/** Without case, hyphens and underscores. */
const TYPES: ReadonlyMap<string, Kind> = new Map([
  ['stdio', 'stdio'],
  ['local', 'stdio'],
  ['http', 'http'],
  ['sse', 'sse'],
  ['streamablehttp', 'streamable-http'],
  ['httpstream', 'streamable-http'],
  ['streamable', 'streamable-http'],
  ['remote', 'any'],
  ['auto', 'any'],
])

const READERS: Readonly<Record<Meaning, (this: EntryReader, value: unknown, member: string) => void>> = {
  command(value, member) {
    this.command(value, member)
  },
  args(value, member) {
    this.entry.args.push(...this.strings(value, member))
  },
  env(value, member) {
    for (const [name, each] of this.members(value, member)) {
      this.entry.env.set(name, each === null || each === undefined ? undefined : this.string(each, `${member}.${name}`))
    }
  },
  envNames(value, member) {
    this.entry.envNames.push(...this.names(value, member))
  },
  secretNames(value, member) {
    this.entry.secretNames.push(...this.names(value, member))
  },
  envFile(value, member) {
    this.entry.envFile = this.string(value, member)
  },
  cwd(value, member) {
    this.entry.cwd = this.string(value, member)
  },
  url(value, member) {
    this.entry.url ??= this.string(value, member)
  },
  httpUrl(value, member) {
    this.entry.url = this.string(value, member)
    this.impliedType = 'http'
  },
  headers(value, member) {
    if (typeof value === 'function') this.entry.options.headers = value
    else for (const [name, each] of this.members(value, member)) this.entry.headers.set(name, this.string(each, `${member}.${name}`))
  },
  headersFromEnv(value, member) {
    for (const [name, each] of this.members(value, member)) this.entry.headersFromEnv.set(name, this.string(each, `${member}.${name}`))
  },
  bearerFromEnv(value, member) {
    this.entry.bearerFromEnv = this.string(value, member)
  },
  type(value, member) {
    const kind = typeof value === 'string' ? TYPES.get(value.toLowerCase().replace(/[-_ ]/g, '')) : undefined
    if (kind === undefined)
      this.fail(member, `has the type ${quoted(value)}, which is not known: write stdio, http, streamable-http or sse`)
    else this.type = kind
  },
  name(value, member) {
    this.entry.name = this.string(value, member)
  },
  timeout(value, member) {
    this.milliseconds('timeoutMs', value, member, this.dialect.timeoutUnit === 's' ? 1_000 : 1)
  },
  timeoutSeconds(value, member) {
    this.milliseconds('timeoutMs', value, member, 1_000)
  },
  connectTimeoutMs(value, member) {
    this.milliseconds('connectTimeoutMs', value, member, 1)
  },
  connectTimeoutSeconds(value, member) {
    this.milliseconds('connectTimeoutMs', value, member, 1_000)
  },
  disabled(value, member) {
    this.entry.disabled ||= this.boolean(value, member)
  },
  enabled(value, member) {
    this.entry.disabled ||= !this.boolean(value, member)
  },
  allow(value, member) {
    this.entry.allow = [...(this.entry.allow ?? []), ...this.strings(value, member)]
  },
  deny(value, member) {
    this.entry.deny = [...(this.entry.deny ?? []), ...this.strings(value, member)]
  },
  option(value, member) {
    this.entry.options[member] = value
  },
  codeOption(value, member) {
    this.entry.options[member] = value
  },
  ignored() {},
}

class EntryReader {
  readonly entry: ServerEntry = {
    args: [],
    env: new Map(),
    envNames: [],
    secretNames: [],
    headers: new Map(),
    headersFromEnv: new Map(),
    disabled: false,
    options: {},
    unknown: {},
    spelling: new Map(),
  }
  readonly notes: string[] = []
  readonly dialect: Dialect
  readonly #author: Author
  problem: EntryProblem | undefined
  type: Kind | undefined
  impliedType: Kind | undefined

  constructor(dialect: Dialect, author: Author) {
    this.dialect = dialect
    this.#author = author
  }

  read(member: string, value: unknown): void {
    const own = this.dialect.members
    const meaning = own !== undefined && Object.hasOwn(own, member) ? own[member] : MEANINGS.get(member)
    const ruled = this.#author === 'target' && (meaning === 'allow' || meaning === 'deny')
    if (meaning === undefined || ruled || (meaning === 'codeOption' && this.#author === 'file')) this.#unknown(member, value)
    else {
      this.entry.spelling.set(meaning === 'httpUrl' ? 'url' : meaning, member)
      READERS[meaning].call(this, value, member)
    }
  }

  /** `connect` knows what is no option of its, and rules in code may be functions; a file may hold more than we know. */
  #unknown(member: string, value: unknown): void {
    const kept = this.#author === 'target' ? this.entry.options : this.entry.unknown
    Object.defineProperty(kept, member, { value, enumerable: true, configurable: true })
  }

  /** Decides between a process and a URL. */
  settle(): void {
    const { entry, impliedType } = this
    const type = this.type ?? impliedType
    if (entry.command === undefined && entry.url === undefined) {
      this.fail(undefined, 'says neither which command to start nor which url to reach')
    } else if (type === undefined && entry.command !== undefined && entry.url !== undefined) {
      this.fail('command', 'has both a command and a url: remove one of them, or say which by "type"')
    } else if (type === 'stdio' && entry.command === undefined) {
      this.fail('type', 'has the type stdio and a url, but no command')
    } else if (type !== undefined && type !== 'stdio' && entry.url === undefined) {
      this.fail('type', 'has a type that is reached by a url, but no url')
    }
    if (type === undefined) return
    delete entry[type === 'stdio' ? 'url' : 'command']
    const exact = type === 'any' ? impliedType : type
    if (exact === 'http' || exact === 'sse' || exact === 'streamable-http') entry.type = exact
  }

  command(value: unknown, member: string): void {
    if (isObject(value)) {
      // An older way of Zed: { path, args, env }.
      for (const [name, each] of Object.entries(value)) this.read(name === 'path' ? 'command' : name, each)
      return
    }
    const words = Array.isArray(value) ? this.strings(value, member) : [this.string(value, member)]
    const [command = '', ...args] = (words.length === 1 ? this.words(words[0] ?? '', member) : undefined) ?? words
    if (command.trim() === '') this.fail(member, 'has an empty command')
    this.entry.command = command
    this.entry.args.unshift(...args)
  }

  /** Some write a whole command line where others write a program. */
  words(text: string, member: string): string[] | undefined {
    try {
      return commandLine(text)
    } catch (error) {
      this.fail(member, error instanceof Error ? `has a command in which ${error.message}` : 'has a command that cannot be read')
      return undefined
    }
  }

  fail(member: string | undefined, message: string): void {
    this.problem ??= { member, message }
  }

  string(value: unknown, member: string): string {
    if (typeof value === 'string') return value
    if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' || value instanceof URL) return String(value)
    this.fail(member, `has a ${member} that is ${sort(value)} instead of a string`)
    return ''
  }

  /** A list; one value stands for a list of it. */
  strings(value: unknown, member: string): string[] {
    if (Array.isArray(value)) return value.map((each, index) => this.string(each, `${member}[${index}]`))
    this.notes.push(`${member} is one value, read as a list of it`)
    return [this.string(value, member)]
  }

  /** A list of names, or of objects that have one. */
  names(value: unknown, member: string): string[] {
    return this.strings(Array.isArray(value) ? value.map((each) => (isObject(each) ? each.name : each)) : value, member)
  }

  members(value: unknown, member: string): [string, unknown][] {
    if (isObject(value)) return Object.entries(value)
    if (value !== null) this.fail(member, `has ${member} that is ${sort(value)} instead of an object`)
    return []
  }

  boolean(value: unknown, member: string): boolean {
    if (typeof value === 'boolean') return value
    if (value === 'true' || value === 'false') return value === 'true'
    this.fail(member, `has ${member} that is ${sort(value)} instead of true or false`)
    return false
  }

  milliseconds(option: string, value: unknown, member: string, unit: number): void {
    const number =
      typeof value === 'string' && value.trim() !== '' ? Number(value) : Number(typeof value === 'bigint' ? value : (value ?? 0))
    if (!(number > 0)) {
      this.fail(member, `has a ${member} that is no positive number`)
      return
    }
    if (unit === 1 && number < 1_000 && this.dialect.timeoutUnit === undefined)
      this.notes.push(`${member}: ${number} is read as milliseconds`)
    this.entry.options[option] = number * unit
  }
}

function sort(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`
}

function quoted(value: unknown): string {
  return peerText(JSON.stringify(value) ?? typeof value, 100)
}
