import { ConfigError } from '../errors.ts'
import { isObject } from '../jsonrpc/codec.ts'
import { peerText } from '../protocol/peer-text.ts'
import { type ConfigDocument, inCode } from './config-document.ts'
import { documentError, placed } from './config-error.ts'
import { defineServer, type ServerContext } from './define-server.ts'
import { distinctNames } from './distinct-names.ts'
import { type Dialect, SHARED } from './hosts/dialect.ts'
import { Inputs } from './inputs.ts'
import type { ServerConfig, ServerDefinition, ServerOrigin } from './server-definition.ts'
import type { AnswerInput, Surroundings } from './surroundings.ts'
import { readTarget, type Target } from './target.ts'
import { isServer, writtenServers } from './written-servers.ts'

/** The most servers of one configuration. */
export const MAX_SERVERS = 1_000

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
  const servers = await serversIn(source, { around, options, notice: (text) => notices.add(text) })
  return { servers: distinctNames(servers), notices: [...notices] }
}

interface Loading {
  readonly around: Surroundings
  readonly options: LoadOptions
  readonly notice: (text: string) => void
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
  const { document, folder, scope, dialect } = await readConfigFile(source)
  return documentServers(document, { scope, dialect, folder, expand: true }, loading)
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
  const definition = { name, origin, disabled: false, tools: {}, unknown: {} }
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

interface Reading {
  readonly scope: ServerOrigin['scope']
  readonly expand: boolean
  readonly dialect?: Dialect | undefined
  readonly folder?: string | undefined
}

function documentServers(document: ConfigDocument, reading: Reading, loading: Loading): ServerDefinition[] {
  const { dialect, servers } = writtenServers(document, reading.dialect)
  if (servers.length > MAX_SERVERS)
    throw documentError(document, [], `the configuration names ${servers.length} servers; MAX_SERVERS is ${MAX_SERVERS}`)
  const context = contextOf(document, dialect, reading, loading)
  const definitions = servers.flatMap((written) => {
    const definition = defineServer(written, context)
    const again = document.repeated.filter(({ path }) => path.join('\0') === written.path.join('\0'))
    return [...again.map(({ position }) => ({ ...definition, origin: { ...definition.origin, line: position.line } })), definition]
  })
  noteUnknown(definitions, document, loading)
  return definitions
}

/** One sentence for each member, however many servers have it. */
function noteUnknown(definitions: readonly ServerDefinition[], { file }: ConfigDocument, { notice }: Loading): void {
  const members = new Set(definitions.flatMap(({ unknown }) => Object.keys(unknown)))
  for (const member of members) {
    const names = definitions.filter(({ unknown }) => Object.hasOwn(unknown, member)).map(({ name }) => name)
    notice(`${placed(file)}"${peerText(member, 100)}" means nothing here (in ${peerText([...new Set(names)].join(', '), 200)})`)
  }
}

function contextOf(document: ConfigDocument, dialect: Dialect, { scope, expand, folder }: Reading, loading: Loading): ServerContext {
  const root = document.value
  const inputs = new Inputs(
    isObject(root) ? (root.inputs ?? (isObject(root.mcp) ? root.mcp.inputs : undefined)) : undefined,
    loading.options.input,
  )
  return { document, dialect, scope, surroundings: loading.around, expand, folder, inputs, notice: loading.notice }
}
