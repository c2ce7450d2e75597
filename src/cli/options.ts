import { UsageError } from './usage-error.ts'

/** One option: how it is written, what it does, and how its text becomes a value. */
export interface OptionSpec {
  /** As commander reads it: `-o, --output <format>`. */
  readonly flags: string
  readonly about: string
  readonly read?: (text: string, previous: unknown) => unknown
}

/** What the options of every command that reaches a server say. */
export interface ConnectFlags {
  readonly trust?: boolean
  readonly era?: string
  readonly transport?: string
  readonly header?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly inheritEnv?: boolean
  readonly cwd?: string
  readonly timeoutMs?: number
  readonly maxTotalTimeoutMs?: number
  readonly resetTimeoutOnProgress?: boolean
  readonly connectTimeoutMs?: number
  readonly probeTimeoutMs?: number
}

/** What the options of every command say about its output. */
export interface OutputFlags {
  readonly json?: boolean
  readonly output?: string
  readonly verbose?: boolean
  readonly color: boolean
}

/** Everything that options can say; a command has a part of them. */
export interface Flags extends ConnectFlags, OutputFlags {
  /** All arguments as one JSON object. */
  readonly args?: string
  /** False: what is configured is only listed. */
  readonly connect?: boolean
  readonly http?: boolean
  readonly port?: number
}

export const CONNECT_OPTIONS: readonly OptionSpec[] = [
  { flags: '--trust', about: "use a server that a project's own file names (.mcp.json, …) without asking" },
  { flags: '--era <era>', about: 'auto, legacy, modern or a revision such as 2025-11-25; only auto falls back' },
  { flags: '--transport <kind>', about: 'auto, stdio, streamable-http, sse or http' },
  { flags: '--header <name: value>', about: 'send this HTTP header; may be repeated', read: header },
  { flags: '--env <name=value>', about: 'set this variable for the server process; may be repeated', read: variable },
  { flags: '--inherit-env', about: 'give the server process every variable, not only the harmless ones' },
  { flags: '--cwd <folder>', about: 'start the server process there' },
  { flags: '--timeout-ms <ms>', about: 'wait so long for one answer (60000; Infinity for ever)', read: milliseconds },
  { flags: '--max-total-timeout-ms <ms>', about: 'wait so long for a call with all its questions (Infinity)', read: milliseconds },
  { flags: '--reset-timeout-on-progress', about: 'progress starts the time of --timeout-ms again' },
  { flags: '--connect-timeout-ms <ms>', about: 'wait so long for the connection (60000)', read: milliseconds },
  { flags: '--probe-timeout-ms <ms>', about: 'ask a silent process so long in the modern way only (3000)', read: milliseconds },
]

/** Options of the command that reaches all servers at once. */
export const SERVERS_OPTIONS: readonly OptionSpec[] = [
  { flags: '--no-connect', about: 'only list what is configured; nothing is started or reached' },
  { flags: '--trust', about: "also reach servers that a project's own file names (.mcp.json, …) and nobody agreed to" },
  { flags: '--connect-timeout-ms <ms>', about: 'wait so long for each connection (15000)', read: milliseconds },
  { flags: '--timeout-ms <ms>', about: 'wait so long for each list of tools (15000)', read: milliseconds },
]

export const OUTPUT_OPTIONS: readonly OptionSpec[] = [
  { flags: '--json', about: 'the result as JSON on stdout, diagnostics as JSON lines on stderr' },
  { flags: '-o, --output <format>', about: 'text or json', read: format },
  { flags: '--verbose', about: "the server's stderr and what the client notices, on stderr" },
  { flags: '--no-color', about: 'no colors; NO_COLOR=1 says the same' },
]

/** Reads a port number. */
export function port(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0 || value > 65_535 || text.trim() === '') throw new UsageError(`"${text}" is no port`)
  return value
}

function milliseconds(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value > 0)) throw new UsageError(`"${text}" is no positive number of milliseconds`)
  return value
}

function format(text: string): string {
  if (text !== 'text' && text !== 'json') throw new UsageError(`--output is text or json, not "${text}"`)
  return text
}

function header(text: string, previous: unknown): Record<string, string> {
  const colon = text.indexOf(':')
  if (colon < 1) throw new UsageError(`--header "${text}" has no colon`, "write --header 'Name: value'")
  return added(previous, text.slice(0, colon).trim(), text.slice(colon + 1).trim())
}

function variable(text: string, previous: unknown): Record<string, string> {
  const equals = text.indexOf('=')
  if (equals < 1) throw new UsageError(`--env "${text}" has no equals sign`, 'write --env NAME=value')
  return added(previous, text.slice(0, equals), text.slice(equals + 1))
}

function added(previous: unknown, name: string, value: string): Record<string, string> {
  return { ...(typeof previous === 'object' ? previous : {}), [name]: value }
}
