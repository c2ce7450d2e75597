import { ConfigError, NotFoundError } from '../errors.ts'
import { closest } from '../protocol/closest.ts'
import { agreeTo, type DiscoveryOptions, discoverServers, type FoundFile, isAgreed } from './discovery.ts'
import { loadServers } from './load-servers.ts'
import type { ServerDefinition } from './server-definition.ts'
import { commandLine, readTarget, type Target } from './target.ts'

/** What `resolveTarget` needs to know of its surroundings. */
export interface ResolveOptions extends DiscoveryOptions {
  /** The command that runs the demo server on stdio. Default: `npx -y mcp-switchboard serve-demo`. */
  readonly demo?: readonly string[] | undefined
  /** Decides whether a server of a project's own file may be used; what it agrees to is remembered. Default: nobody agrees. */
  readonly agree?: ((server: ServerDefinition) => Promise<boolean>) | undefined
  /** Gets what was forgiven or not understood in the configuration that the server comes from. */
  readonly notice?: ((text: string) => void) | undefined
}

/**
 * Reads what a person wrote as a target, in this order: a URL with a scheme, `demo`, a configuration file (`file.json`, if it names one
 * server, or `file.json:name`), the name of a server that a host has, a command line that starts with a known program.
 * @throws TypeError when no reading fits, or more than one; it says what to write instead. ConfigError when the configured server cannot be
 *   used.
 */
export async function resolveTarget(text: string, options: ResolveOptions = {}): Promise<Target> {
  const word = text.trim()
  if (HAS_SCHEME.test(word)) return checked(withKnownScheme(word))
  // A line of several words is no name.
  if (word === '' || (/\s/.test(word) && commandLine(word) !== undefined)) return checked(word)
  const inFile = await serverOfFile(word, options)
  if (inFile !== undefined) return targetOf(inFile, options)

  const { servers, files } = await discoverServers(options)
  const configured = servers.find(({ name, shadowedBy }) => name === word && shadowedBy === undefined)
  const isDemo = word === 'demo'
  const isCommand = commandLine(word) !== undefined
  const readings = [
    ...(isDemo ? ['the demo server (… -- switchboard serve-demo)'] : []),
    ...(configured === undefined ? [] : [`the server of ${configured.origin.dialect} (${configured.origin.file}:${word})`]),
    ...(isCommand ? [`a command (… -- ${word})`] : []),
  ]
  if (readings.length > 1) throw new TypeError(`"${word}" may be ${readings.join(' or ')}: write the one that you mean`)
  if (configured !== undefined) return targetOf(configured, options)
  if (isDemo) return options.demo ?? ['npx', '-y', 'mcp-switchboard', 'serve-demo']
  if (isCommand) return checked(word)
  throw unread(word, servers, files)
}

/** Two letters at least, so that a Windows drive is none. */
const HAS_SCHEME = /^[a-z][a-z0-9+.-]+:\/\//i
const FILE = /^(.+\.(?:jsonc?|toml|ya?ml))(?::(.+))?$/is

function withKnownScheme(word: string): string {
  if (/^(?:https?|stdio):/i.test(word)) return word
  throw new TypeError(`"${word}" has a scheme that names no server: a target starts with https://, http:// or stdio://`)
}

function checked(word: string): string {
  readTarget(word)
  return word
}

async function serverOfFile(word: string, options: ResolveOptions): Promise<ServerDefinition | undefined> {
  const [, file, name] = FILE.exec(word) ?? []
  if (file === undefined) return undefined
  const { env, input, trust, notice } = options
  const { servers, notices } = await loadServers(file, { variables: env, input, trust })
  for (const each of notices) notice?.(each)
  const names = servers.map((server) => server.name)
  const [only] = servers
  if (name === undefined) {
    if (only !== undefined && servers.length === 1) return only
    if (only === undefined) throw new ConfigError(`${file}: the configuration names no server`, { file })
    throw new TypeError(`${file} names several servers: write ${file}:${only.name}, or another of ${names.join(', ')}`)
  }
  const found = servers.find((server) => server.name === name)
  if (found === undefined) throw new NotFoundError('server', name, closest(name, names))
  return found
}

async function targetOf(server: ServerDefinition, options: ResolveOptions): Promise<Target> {
  const { agree } = options
  if (server.needsAgreement && agree !== undefined && !(await isAgreed(server, options)) && (await agree(server))) {
    await agreeTo(server, options)
  }
  return server.target()
}

/** Nothing fits: what `connect` says about such a text, what was nearly meant, and where it may stand unseen. */
function unread(word: string, servers: readonly ServerDefinition[], files: readonly FoundFile[]): TypeError {
  const near = closest(word, new Set(servers.map(({ name }) => name)))
  const meant = near.length === 0 ? '' : `; a configured server is called ${near.map((name) => `"${name}"`).join(' or ')}`
  const unseen = files.flatMap(({ problem }) => (problem === undefined ? [] : `; not looked into: ${problem.message}`))
  return new TypeError([whyNot(word), meant, ...unseen].join(''))
}

function whyNot(word: string): string {
  try {
    readTarget(word)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
