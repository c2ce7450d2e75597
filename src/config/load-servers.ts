import { ConfigError } from '../errors.ts'
import { isObject } from '../jsonrpc/codec.ts'
import { inCode } from './config-document.ts'
import { defineServer } from './define-server.ts'
import { distinctNames } from './distinct-names.ts'
import { contextOf, documentServers, type Loading } from './document-servers.ts'
import { SHARED } from './hosts/dialect.ts'
import type { ServerConfig, ServerDefinition, ServerOrigin } from './server-definition.ts'
import type { AnswerInput } from './surroundings.ts'
import { readTarget, type Target } from './target.ts'
import { isServer } from './written-servers.ts'

/**
 * What names several servers: a configuration as JSON has it (`{ mcpServers }`, `{ servers }`, …), the name of such a file or its `file:`
 * URL, a list of targets and of files, or targets by name.
 */
export type ServersSource = string | URL | readonly (Target | ServersByName)[] | ServersByName
export type ServersByName = Readonly<Record<string, unknown>>

/** How configurations are read. */
export interface LoadOptions {
  /** The variables that `${NAME}` stands for. Default: those of this process. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined
  /** Answers `${input:…}` of VS Code. Default: what the input suggests; without that the server cannot be used. */
  readonly input?: AnswerInput | undefined
  /**
   * Uses servers that a project's own file names (`.mcp.json`, `.vscode/mcp.json`, …) without asking. Default false: one that starts a program,
   * or is sent what variables or files of this machine hold, needs `agreeTo` once.
   */
  readonly trust?: boolean | undefined
}

/**
 * Reads the servers of a configuration. Nothing is started. A server that cannot be used says so in its `problem` and costs the others
 * nothing; variables are filled in where a configuration is read (a file, `{ mcpServers }`), not in targets given in code.
 * @throws ConfigError when the configuration as a whole cannot be read; TypeError when the source is none.
 */
export async function loadServers(source: ServersSource, options: LoadOptions = {}): Promise<ServerConfig> {
  const { surroundings } = await import('#files')
  const around = await surroundings(options.variables)
  const notices = new Set<string>()
  const servers = await serversIn(source, {
    around,
    input: options.input,
    trust: options.trust ?? false,
    notice: (text) => notices.add(text),
  })
  return { servers: distinctNames(servers), notices: [...notices] }
}

async function serversIn(source: unknown, loading: Loading): Promise<ServerDefinition[]> {
  if (typeof source === 'string') return fileServers(source, loading)
  if (source instanceof URL && source.protocol === 'file:') return fileServers(source, loading)
  if (Array.isArray(source)) return (await Promise.all(source.map((each, index) => listed(each, index, loading)))).flat()
  if (isServer(source)) return [codeServer(source, unnamed(source, 0), loading)]
  if (isConfiguration(source)) return documentServers(inCode(source), { scope: 'code', expand: true }, loading)
  if (isObject(source) && isPlain(source)) return Object.entries(source).map(([name, value]) => codeServer(value, name, loading))
  throw new TypeError(
    `servers are named by a configuration, a file, a list or a record of targets, not by ${source === null ? 'null' : describe(source)}`,
  )
}

function describe(source: unknown): string {
  return source instanceof URL ? `the URL of one of them: write ['${source.href}']` : `a ${typeof source}`
}

async function fileServers(source: string | URL, loading: Loading): Promise<ServerDefinition[]> {
  const { readConfigFile } = await import('#files')
  const { document, ...place } = await readConfigFile(source, loading.around)
  return documentServers(document, { ...place, expand: true }, loading)
}

/** An item of a list in code: a file, a configuration or one target. */
async function listed(item: unknown, index: number, loading: Loading): Promise<ServerDefinition[]> {
  const file = typeof item === 'string' ? /\.(?:jsonc?|toml|ya?ml)$/i.test(item) && !/^[a-z][a-z0-9+.-]+:\/\//i.test(item) : isFileUrl(item)
  if (file || (isConfiguration(item) && !isServer(item))) return serversIn(item, loading)
  return [codeServer(item, unnamed(item, index), loading)]
}

function isFileUrl(item: unknown): boolean {
  return item instanceof URL && item.protocol === 'file:'
}

function unnamed(item: unknown, index: number): string {
  return isServer(item) && typeof item.name === 'string' && item.name !== '' ? item.name : `server_${index}`
}

/** An object in the shape of a file, not a record of targets. */
function isConfiguration(source: unknown): source is ServersByName {
  if (!isObject(source) || !isPlain(source)) return false
  return ['mcpServers', 'servers'].some((member) => Object.hasOwn(source, member) && isObject(source[member]) && !isServer(source[member]))
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** A server object is read as in a file, but nothing is filled in; every other target stays as it is. */
function codeServer(value: unknown, name: string, loading: Loading): ServerDefinition {
  if (isServer(value) && isPlain(value)) {
    const context = contextOf(inCode(value), SHARED, { scope: 'code', expand: false }, loading)
    return defineServer({ name, value, path: [] }, context)
  }
  const origin: ServerOrigin = { dialect: 'code', scope: 'code' }
  const definition = { name, origin, disabled: false, tools: {}, unknown: {}, raw: value, needsAgreement: false }
  try {
    const read = readTarget(value)
    const shown =
      read.kind === 'stdio'
        ? { kind: 'stdio' as const, written: [read.command, ...read.args].join(' ') }
        : read.kind === 'http' && { kind: 'http' as const, written: read.url }
    return { ...definition, ...shown, target: async () => value as Target }
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    const problem = new ConfigError(`the server "${name}": ${cause.message}`, { server: name, cause })
    return { ...definition, problem, target: () => Promise.reject(problem) }
  }
}
