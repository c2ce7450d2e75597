import type { VariableSyntax } from '../template.ts'

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
  /** Unit of `timeout`. Default ms. */
  readonly timeoutUnit?: 'ms' | 's'
  readonly syntax?: readonly VariableSyntax[]
  /** Why an entry is no server that can be reached from outside the host. */
  readonly notOurs?: (server: Readonly<Record<string, unknown>>) => string | undefined
  /** Names of servers that another part of the file switches off. */
  readonly disabledNames?: (root: Readonly<Record<string, unknown>>) => readonly string[]
}

/** The shape that most hosts share. */
export const SHARED: Dialect = { name: 'configuration', root: ['mcpServers'] }
