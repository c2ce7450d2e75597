import { type ClientGroup, connectGroup, type StdioServerOptions, type Target } from 'mcp-switchboard'
import { discoverServers, type FoundFile, type FoundServer, loadServers } from 'mcp-switchboard/config'
import type { Context } from './context.ts'
import type { Flags } from './options.ts'

/** What is configured. */
export interface Configured {
  readonly servers: readonly FoundServer[]
  /** The files that they stand in, where it was not said which. */
  readonly files: readonly FoundFile[]
}

/** How it stands with one of them. `shadowed`: another of its name wins. `unknown`: it was not asked. */
export interface Standing {
  readonly server: FoundServer
  readonly state: 'ready' | 'failed' | 'disabled' | 'shadowed' | 'unknown'
  readonly protocolVersion?: string
  readonly transport?: string
  readonly says?: { readonly name: string; readonly version: string } | undefined
  readonly tools?: number | undefined
  readonly connectMs?: number | undefined
  readonly error?: unknown
}

/** How long one server is waited for, unless `--connect-timeout-ms` and `--timeout-ms` say otherwise. */
const PATIENCE_MS = 15_000

/** The servers of a file, or of all that the hosts of this machine have. */
export async function configured(file: string | undefined, { trust }: Flags, { reporter }: Context): Promise<Configured> {
  if (file === undefined) {
    const { servers, files, notices } = await discoverServers({ trust })
    for (const notice of notices) reporter.warn(notice)
    return { servers, files }
  }
  const { servers, notices } = await loadServers(file, { trust })
  for (const notice of notices) reporter.warn(notice)
  return { servers: servers.map((server) => ({ ...server, shadowedBy: undefined })), files: [] }
}

/** Reaches those that can be reached, all at once, and says how it stands with each. Nothing is left running. */
export async function standings(servers: readonly FoundServer[], flags: Flags, { reporter, signal }: Context): Promise<Standing[]> {
  const wanted = flags.connect === false ? [] : servers.filter(({ disabled, shadowedBy }) => !disabled && shadowedBy === undefined)
  const targets: [string, Target][] = []
  const problems = new Map<string, unknown>()
  for (const server of wanted) {
    try {
      targets.push([server.name, told(await server.target(), (line) => reporter.server(`${server.name}: ${line}`))])
    } catch (error) {
      problems.set(server.name, error)
    }
  }
  const group = await connectGroup(Object.fromEntries(targets), {
    connectTimeoutMs: flags.connectTimeoutMs ?? PATIENCE_MS,
    timeoutMs: flags.timeoutMs ?? PATIENCE_MS,
    logger: { ...reporter.logger, warn: (message) => reporter.debug(message), error: (message) => reporter.debug(message) },
    signal,
  })
  try {
    const tools = await toolCounts(group, signal)
    return servers.map((server) => standing(server, group, wanted.includes(server), problems.get(server.name), tools))
  } finally {
    await group.close()
  }
}

function standing(server: FoundServer, group: ClientGroup, asked: boolean, problem: unknown, tools: ReadonlyMap<string, number>): Standing {
  if (server.shadowedBy !== undefined) return { server, state: 'shadowed' }
  if (server.disabled) return { server, state: 'disabled' }
  if (!asked) return server.problem === undefined ? { server, state: 'unknown' } : { server, state: 'failed', error: server.problem }
  const { client, error, connectMs } = group.servers.get(server.name) ?? {}
  if (client === undefined || error !== undefined) return { server, state: 'failed', error: problem ?? error }
  const { protocolVersion, transport, serverInfo } = client
  return { server, state: 'ready', protocolVersion, transport, says: serverInfo, connectMs, tools: tools.get(server.name) }
}

/** How many tools each server lists that can. */
async function toolCounts(group: ClientGroup, signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const ready = [...group.servers.values()].filter(({ state }) => state === 'ready')
  const lists = await Promise.allSettled(ready.map(({ name }) => group.listTools({ server: name, signal })))
  signal.throwIfAborted()
  lists.forEach((list, index) => {
    const server = ready[index]
    if (list.status === 'fulfilled' && server !== undefined) counts.set(server.name, list.value.tools.length)
  })
  return counts
}

/** A process that tells what it writes to stderr. */
function told(target: Target, stderr: (line: string) => void): Target {
  const log: StdioServerOptions = { stderr }
  return typeof target === 'object' && 'command' in target ? { ...target, ...log } : target
}
