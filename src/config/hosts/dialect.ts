import type { VariableSyntax } from '../template.ts'
import type { Folders } from './place.ts'

/** What a member of a server says. */
export type Meaning =
  | 'command'
  | 'args'
  | 'env'
  /** Names of variables that the server is given with the values they have here. */
  | 'envNames'
  /** The same, but a server that lacks one cannot work: the host keeps the values where only it can read them. */
  | 'secretNames'
  | 'envFile'
  | 'cwd'
  | 'url'
  /** A URL that speaks Streamable HTTP. */
  | 'httpUrl'
  | 'headers'
  /** Names of headers, each with the name of the variable that holds its value. */
  | 'headersFromEnv'
  /** The name of the variable that holds a bearer token. */
  | 'bearerFromEnv'
  | 'type'
  | 'name'
  | 'timeout'
  | 'timeoutSeconds'
  | 'connectTimeoutMs'
  | 'connectTimeoutSeconds'
  | 'disabled'
  | 'enabled'
  | 'allow'
  | 'deny'
  /** An option of `connect` under its own name. */
  | 'option'
  /** One that a file cannot hold: a function, or an object of one. */
  | 'codeOption'
  /** For people, or for the host alone. */
  | 'ignored'

/** How one host writes servers down, as far as it differs from what all read. */
export interface Dialect {
  readonly name: string
  /** Where the record of servers stands. */
  readonly root: readonly string[]
  /** Members that only this host has, or means otherwise. */
  readonly members?: Readonly<Record<string, Meaning>>
  /** Unit of `timeout`. Without it `timeout` counts ms, and a small one is told. */
  readonly timeoutUnit?: 'ms' | 's'
  readonly syntax?: readonly VariableSyntax[]
  /** The member that switches a server on or off. Default `disabled`. */
  readonly switch?: 'enabled'
  /** Why an entry is no server that can be reached from outside the host. */
  readonly notOurs?: (server: Readonly<Record<string, unknown>>) => string | undefined
  /** Names of servers that another part of the file switches off. */
  readonly switchedOff?: (file: Readonly<Record<string, unknown>>) => (name: string) => boolean
  /** Its files, the one that wins first. */
  readonly places?: readonly Place[]
}

/** A file that a host reads servers from. */
export type Place =
  | { readonly scope: 'user' | 'managed'; readonly file: (folders: Folders) => string | undefined }
  /** Below the folder of a project. */
  | { readonly scope: 'project'; readonly path: string }
  /** Part of a user's file that is about one project; the record of servers stands there. */
  | {
      readonly scope: 'user'
      readonly file: (folders: Folders) => string | undefined
      readonly within: (project: string) => readonly string[]
    }

/** The shape that most hosts share. */
export const SHARED: Dialect = { name: 'configuration', root: ['mcpServers'] }
