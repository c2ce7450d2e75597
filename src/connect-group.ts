import { ClientGroup } from './client-group.ts'
import type { ServersSource } from './config/load-servers.ts'
import type { ServerDefinition } from './config/server-definition.ts'
import { readTarget } from './config/target.ts'
import { connect } from './connect.ts'
import { defaultsFor } from './connect-options.ts'
import type { MemberSource } from './group/member.ts'
import { checkGroupOptions, type GroupOptions } from './group-options.ts'
import { Pins } from './policy/pins.ts'
import { policy } from './policy/policy.ts'
import { allowed } from './policy/rules.ts'
import { type Logger, SILENT, STDERR } from './session/logger.ts'
import { memoryStore } from './store/memory-store.ts'

/**
 * Reaches several servers, all at once. A server that fails is a status of the group and costs the others nothing.
 * @param source `{ mcpServers }`, the name of a configuration file or its `file:` URL, a list of targets, or a record of them.
 * @throws TypeError for a source or an option that cannot be; ConfigError for a configuration that cannot be read as a whole.
 */
export async function connectGroup(source: ServersSource, options: GroupOptions = {}): Promise<ClientGroup> {
  checkGroupOptions(options)
  const { signal, pins = 'off', catalogue = memoryStore() } = options
  signal?.throwIfAborted()
  const logger = options.logger === false ? SILENT : (options.logger ?? STDERR)
  const { loadServers } = await import('./config/load-servers.ts')
  const { servers, notices } = await loadServers(source, options)
  for (const notice of notices) logger.warn(notice)
  const pinned = new Map(pins === 'off' ? [] : servers.map(({ name }) => [name, new Pins(catalogue, name)]))
  const group = new ClientGroup(
    servers.map((server) => memberOf(server, options, logger, pinned.get(server.name))),
    {
      naming: options.naming ?? 'as-is',
      concurrency: options.concurrency ?? 8,
      logger,
      roots: options.roots ?? [],
      changes: {
        of: (server) => pinned.get(server)?.changed.values() ?? [],
        accept: async (server, tools) => (await pinned.get(server)?.accept(tools)) ?? [],
      },
    },
  )
  try {
    await group.ready(options.ready, { signal })
  } catch (error) {
    await group.close()
    throw error
  }
  return group
}

/** One server of the group: what its definition says, then the defaults of the group. */
function memberOf(server: ServerDefinition, options: GroupOptions, logger: Logger, pinned: Pins | undefined): MemberSource {
  const { name, disabled } = server
  return {
    name,
    disabled,
    async isLazy() {
      const own = server.problem === undefined ? readTarget(await server.target()).options : {}
      return (own.lazy ?? options.lazy) === true
    },
    async connect(signal) {
      const target = await server.target()
      const { kind, options: given } = readTarget(target)
      const { allow, deny, ...own } = given
      const rules = [options, server.tools, { allow, deny }].map(allowed).filter((rule) => rule !== undefined)
      const { approve } = options
      const pins = pinned && { mode: options.pins === 'block' ? ('block' as const) : ('warn' as const), pinned }
      const merged = { ...defaultsFor({ ...options }, kind), ...own }
      if (rules.length > 0 || approve !== undefined || pins !== undefined) {
        const others: unknown = merged.interceptors ?? []
        // Next to the wire, so that it sees what the others made of a call.
        if (Array.isArray(others)) merged.interceptors = [...others, policy({ server: name, logger, rules, approve, pins })]
      }
      // The rules are not for `connect`, and what is reached here is needed now.
      const settings: Readonly<Record<string, unknown>> = { ...merged, allow: undefined, deny: undefined, name, signal, lazy: false }
      return connect(target, settings)
    },
  }
}
