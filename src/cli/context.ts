import type { Flags } from './options.ts'
import type { Reporter } from './reporter.ts'
import type { ServerLog } from './server-log.ts'
import type { Style } from './style.ts'

/** What every command gets besides its words and options. */
export interface Context {
  readonly reporter: Reporter
  readonly serverLog: ServerLog
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** The result as JSON. */
  readonly json: boolean
  /** Emphasis on stdout. */
  readonly style: Style
  /** The command behind `--`; empty without one. */
  readonly commandLine: readonly string[]
  /** The tool that the command is about, for errors. */
  tool: string | undefined
}

/** A command: gets its words, does its work and resolves with the exit code. */
export type Command = (words: readonly string[], flags: Flags, context: Context) => Promise<number>
