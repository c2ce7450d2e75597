import type { ConfigError } from '../errors.ts'
import type { ServerDefinition, ServerOrigin } from './server-definition.ts'
import type { AnswerInput } from './surroundings.ts'

/** Where to look for the files of hosts. */
export interface DiscoveryOptions {
  /** The home folder. Default: the user's. */
  readonly home?: string | undefined
  /** The folder whose project counts. Default: the working folder. */
  readonly cwd?: string | undefined
  /** `darwin`, `win32`, or any other for the places of Linux. Default: this one. */
  readonly platform?: string | undefined
  /** The variables: those that move folders, and those that configurations name. Default: those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Answers `${input:…}` of VS Code. Default: what the input suggests. */
  readonly input?: AnswerInput | undefined
  /** Uses what a project's own files name without an agreement. Default false. */
  readonly trust?: boolean | undefined
}

/** A server that a host has. */
export interface FoundServer extends ServerDefinition {
  /** Another server of this name stands in a file that wins over this one's. */
  readonly shadowedBy: ServerOrigin | undefined
}

/** A file that was found. */
export interface FoundFile {
  readonly file: string
  /** The host it belongs to. */
  readonly dialect: string
  readonly scope: ServerOrigin['scope']
  /** How many servers were read from it. */
  readonly servers: number
  /** Why it could not be read. */
  readonly problem: ConfigError | undefined
}

/** What the installed hosts have. */
export interface Discovery {
  /** All of them, the ones that win first. */
  readonly servers: readonly FoundServer[]
  /** All that exist, in the order in which they win. */
  readonly files: readonly FoundFile[]
  readonly notices: readonly string[]
}

/**
 * Finds the servers that the hosts of this machine have. Nothing is started or written. Of two servers of one name that one wins whose file is
 * the administrator's, then the one of the project, then the user's, and among equals the host that stands first in docs/config.md.
 */
export async function discoverServers(options: DiscoveryOptions = {}): Promise<Discovery> {
  return (await import('#files')).discover(options)
}

/**
 * Remembers, for this user, that a server of a project's file may be used, as it stands there now: a change asks anew.
 * Show `written` and the file to whoever decides.
 */
export async function agreeTo(server: ServerDefinition, options: DiscoveryOptions = {}): Promise<void> {
  await (await import('#files')).agree(server, options)
}

/** Somebody agreed to this server as it stands there now. */
export async function isAgreed(server: ServerDefinition, options: DiscoveryOptions = {}): Promise<boolean> {
  return (await import('#files')).isAgreed(server, options)
}
