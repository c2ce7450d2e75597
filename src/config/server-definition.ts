import type { ConfigError } from '../errors.ts'
import type { CommandTarget, Target, UrlTarget } from './target.ts'

/** Where a server was found. */
export interface ServerOrigin {
  /** What reads such files: the name of a host, or `configuration` for the shape that they share. */
  readonly dialect: string
  /** Whose file it is: given in code, a file that was named, the user's, a project's (which others may have written), or the administrator's. */
  readonly scope: 'code' | 'file' | 'user' | 'project' | 'managed'
  /** Absolute. Undefined for a server given in code. */
  readonly file?: string | undefined
  /** Counts from 1, where the format tells. */
  readonly line?: number | undefined
}

/** A server object with every variable filled in; it takes every option of `connect`. */
export type ServerTarget = (CommandTarget | UrlTarget) & Readonly<Record<string, unknown>>

/** Exact names of tools that a configuration lets through and keeps back. */
export interface ToolFilter {
  /** Only these. Undefined: all. */
  readonly allow?: readonly string[] | undefined
  /** Not these, whatever `allow` says. */
  readonly deny?: readonly string[] | undefined
}

/** One server of a configuration. It may be unusable: then it says why, and costs the others nothing. */
export interface ServerDefinition {
  readonly name: string
  readonly origin: ServerOrigin
  /** The configuration switches it off. */
  readonly disabled: boolean
  /** Why it cannot be used, as far as it can be known without asking anybody or starting anything. `target()` rejects with it. */
  readonly problem?: ConfigError | undefined
  /** How it is reached. Undefined where the definition does not tell. */
  readonly kind?: 'stdio' | 'http' | undefined
  /** What it starts or reaches, as it is written, variables unfilled: safe to show but for secrets that stand in the file itself. */
  readonly written?: string | undefined
  /** What somebody agrees to who agrees to it: `written`, with folder, variables, and what inputs suggest. */
  readonly agreement?: string | undefined
  readonly tools: ToolFilter
  /** Members that mean nothing here, as they stand. */
  readonly unknown: Readonly<Record<string, unknown>>
  /** As it stands in the configuration. */
  readonly raw: unknown
  /**
   * What a project's own file names starts a program, or is sent what variables or files of this machine hold: `target()` rejects until
   * `agreeTo` was called for it, unless it was read with `trust`.
   */
  readonly needsAgreement: boolean
  /** What `connect` takes. Asks for the inputs that it needs, once each. */
  readonly target: () => Promise<Target>
}

/** A configuration that was read. */
export interface ServerConfig {
  /** In their order; each name once. */
  readonly servers: readonly ServerDefinition[]
  /** Sentences about what was forgiven or not understood, each said once. */
  readonly notices: readonly string[]
}
