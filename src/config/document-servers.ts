import { isObject } from '../jsonrpc/codec.ts'
import { peerText } from '../protocol/peer-text.ts'
import type { ConfigDocument } from './config-document.ts'
import { documentError, placed } from './config-error.ts'
import { defineServer, type ServerContext } from './define-server.ts'
import type { Dialect } from './hosts/dialect.ts'
import { Inputs } from './inputs.ts'
import type { ServerDefinition, ServerOrigin } from './server-definition.ts'
import type { AnswerInput, Surroundings } from './surroundings.ts'
import { writtenServers } from './written-servers.ts'

/** The most servers of one configuration. */
export const MAX_SERVERS = 1_000

/** What all configurations of one reading share. */
export interface Loading {
  readonly around: Surroundings
  readonly input: AnswerInput | undefined
  /** Servers of a project's file need no agreement. */
  readonly trust: boolean
  readonly notice: (text: string) => void
}

/** What the place of a configuration says about it. */
export interface Reading {
  readonly scope: ServerOrigin['scope']
  readonly expand: boolean
  /** Undefined: told by the shape. */
  readonly dialect?: Dialect | undefined
  /** What relative paths start from. Undefined: the working folder. */
  readonly folder?: string | undefined
}

/** The definitions of all servers in a configuration. */
export function documentServers(document: ConfigDocument, reading: Reading, loading: Loading): ServerDefinition[] {
  const { dialect, servers } = writtenServers(document, reading.dialect)
  if (servers.length > MAX_SERVERS)
    throw documentError(document, [], `the configuration names ${servers.length} servers; MAX_SERVERS is ${MAX_SERVERS}`)
  const context = contextOf(document, dialect, reading, loading)
  const off = isObject(document.value) ? dialect.switchedOff?.(document.value) : undefined
  const reachable = servers.filter(({ name, value }) => {
    const foreign = isObject(value) ? dialect.notOurs?.(value) : undefined
    if (foreign !== undefined) loading.notice(`${placed(document.file)}the server "${peerText(name, 100)}" ${foreign}`)
    return foreign === undefined
  })
  const definitions = reachable.flatMap((written) => {
    const read = defineServer(written, context)
    const definition = off?.(written.name) === true ? { ...read, disabled: true } : read
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

export function contextOf(document: ConfigDocument, dialect: Dialect, { scope, expand, folder }: Reading, loading: Loading): ServerContext {
  const root = document.value
  const inputs = new Inputs(isObject(root) ? (root.inputs ?? (isObject(root.mcp) ? root.mcp.inputs : undefined)) : undefined, loading.input)
  return { document, dialect, scope, surroundings: loading.around, expand, folder, inputs, trust: loading.trust, notice: loading.notice }
}
