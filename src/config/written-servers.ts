import { isObject } from '../jsonrpc/codec.ts'
import type { ConfigDocument, ConfigPath } from './config-document.ts'
import { documentError } from './config-error.ts'
import type { WrittenServer } from './define-server.ts'
import { type Dialect, SHARED } from './hosts/dialect.ts'
import { SHAPES } from './hosts/dialects.ts'
import { VS_CODE } from './hosts/vs-code.ts'
import { commandLine } from './target.ts'

/** Servers as they stand in a configuration, in their order. */
export interface WrittenServers {
  readonly dialect: Dialect
  readonly servers: readonly WrittenServer[]
}

/**
 * Finds the servers in a configuration: below the member that its dialect keeps them in, in a list, as a record, or the one server that the
 * whole is. Without a dialect the shape tells which one it is.
 * @throws ConfigError when it names none.
 */
export function writtenServers(document: ConfigDocument, dialect?: Dialect): WrittenServers {
  const root = document.value
  if (Array.isArray(root)) return { dialect: dialect ?? SHARED, servers: root.map((value, index) => unnamed(value, index, [index])) }
  if (!isObject(root)) throw documentError(document, [], `the configuration is ${root === null ? 'null' : `a ${typeof root}`}: ${WRITE}`)
  if (isServer(root)) return { dialect: dialect ?? SHARED, servers: [unnamed(root, 0, [])] }
  // Many write mcpServers where a host wants servers, and the other way round.
  for (const each of dialect === undefined ? SHAPES : [dialect, SHARED, VS_CODE]) {
    const record = each.root.reduce<unknown>((value, member) => (isObject(value) ? own(value, member) : undefined), root)
    if (record === undefined || isServer(record)) continue
    if (!isObject(record)) throw documentError(document, each.root, `${each.root.join('.')} must be an object of servers by name`)
    return { dialect: dialect ?? each, servers: named(record, each.root, () => true) }
  }
  if (dialect !== undefined) return { dialect, servers: [] }
  const servers = named(root, [], (value) => isServer(asServer(value)))
  if (servers.length === 0) throw documentError(document, [], `the configuration names no server: ${WRITE}`)
  return { dialect: SHARED, servers }
}

const WRITE = 'write { "mcpServers": { "name": { "command": … } } }, a list of servers, or one server'

/** Members of people, not servers, unless they look like one. */
const FOR_PEOPLE = /^(?:comment|description|\$.*|_.*|\/\/.*)$/

function named(record: Readonly<Record<string, unknown>>, path: ConfigPath, wanted: (value: unknown) => boolean): WrittenServer[] {
  return Object.entries(record)
    .filter(([name, value]) => isServer(value) || (!FOR_PEOPLE.test(name) && wanted(value)))
    .map(([name, value]) => ({ name, value: asServer(value), path: [...path, name] }))
}

function unnamed(value: unknown, index: number, path: ConfigPath): WrittenServer {
  const name = isObject(value) && typeof value.name === 'string' && value.name !== '' ? value.name : `server_${index}`
  return { name, value: asServer(value), path }
}

/** A URL or a command line stands for the server that it reaches. */
function asServer(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (/^https?:\/\//i.test(value)) return { url: value }
  try {
    const [command, ...args] = commandLine(value) ?? []
    return command === undefined ? value : { command, args }
  } catch {
    return value
  }
}

const WAYS = ['command', 'cmd', 'url', 'uri', 'httpUrl', 'serverUrl', 'base_url']

/** The value says how one server is reached. */
export function isServer(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false
  return WAYS.some((way) => {
    const says = own(value, way)
    return typeof says === 'string' || says instanceof URL || (way === 'command' && (Array.isArray(says) || isCommand(says)))
  })
}

/** `{ path, args }`, as Zed once had it. */
function isCommand(value: unknown): boolean {
  return isObject(value) && typeof value.path === 'string'
}

function own(object: Readonly<Record<string, unknown>>, member: string): unknown {
  return Object.hasOwn(object, member) ? object[member] : undefined
}
