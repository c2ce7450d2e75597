import { type Client, type ConnectOptions, connect, type Target } from 'mcp-switchboard'
import { readTarget, resolveTarget } from 'mcp-switchboard/config'
import { configQuestions } from './configured.ts'
import type { Context } from './context.ts'
import type { ConnectFlags } from './options.ts'
import { questions } from './questions.ts'
import { UsageError } from './usage-error.ts'

/** A target, and the words of the command line that do not belong to it. */
export interface Addressed {
  readonly target: Target
  /** What errors call the server, where its command says too little. */
  readonly name?: string
  readonly rest: readonly string[]
}

/** Takes the target off the words: the command behind `--` if there is one, else the first word. */
export async function addressed(words: readonly string[], { trust }: ConnectFlags, context: Context): Promise<Addressed> {
  const { commandLine, reporter, signal } = context
  if (commandLine.length > 0) {
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(commandLine[0] ?? '')) {
      throw new UsageError('behind -- stands a command', 'a URL stands in place of <target>, before the other words')
    }
    return { target: commandLine, rest: words }
  }
  const [first, ...rest] = words
  if (first === undefined) throw new UsageError('the target is missing', 'try: switchboard tools demo')
  try {
    const target = await resolveTarget(first, {
      demo: demoCommand(),
      trust,
      notice: (text) => reporter.warn(text),
      ...configQuestions(reporter, signal),
    })
    return first === 'demo' ? { target, rest, name: first } : { target, rest }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(error.message, `to start any program, write it last, behind two dashes: … -- ${first}`)
  }
}

/** Connects with what the options say. Who calls this closes the client. */
export async function connectTo({ target, name }: Addressed, flags: ConnectFlags, context: Context): Promise<Client> {
  const { reporter, serverLog, signal } = context
  const { header, env, inheritEnv, cwd, ...common } = flags
  const read = readTarget(target)
  const options: ConnectOptions = {
    name,
    era: common.era,
    transport: transportOf(common.transport),
    timeoutMs: common.timeoutMs,
    maxTotalTimeoutMs: common.maxTotalTimeoutMs,
    resetTimeoutOnProgress: common.resetTimeoutOnProgress,
    connectTimeoutMs: common.connectTimeoutMs,
    probeTimeoutMs: common.probeTimeoutMs,
    signal,
    logger: reporter.logger,
    handlers: { elicitation: questions(reporter) },
    headers: mergedHeaders(read.options.headers, header),
    env: merged(read.options.env, env),
    inheritEnv,
    cwd,
  }
  if (read.kind === 'stdio') options.stderr = serverLog.add
  try {
    // What no flag says stays as a configuration has it.
    return await connect(target, Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)))
  } catch (error) {
    // A caller's mistake: an option that the target cannot have, or a value that does not exist.
    if (error instanceof TypeError)
      throw new UsageError(error.message.replace(/^the option (\w+)/, (_, option) => `the option ${flagOf(option)}`))
    throw error
  }
}

/** The same for headers, whose names have no case. */
function mergedHeaders(configured: unknown, flags: Readonly<Record<string, string>> | undefined): Record<string, string> | undefined {
  if (flags === undefined) return undefined
  const given = new Set(Object.keys(flags).map((name) => name.toLowerCase()))
  const kept = Object.entries(typeof configured === 'object' && configured !== null ? configured : {})
  return { ...Object.fromEntries(kept.filter(([name]) => !given.has(name.toLowerCase()))), ...flags }
}

/** Values of flags over those of a configuration; undefined when no flag was given. */
function merged(configured: unknown, flags: Readonly<Record<string, string>> | undefined): Record<string, string> | undefined {
  return flags && { ...(typeof configured === 'object' ? configured : {}), ...flags }
}

function flagOf(option: string): string {
  return option === 'headers' ? '--header' : `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

function transportOf(text: string | undefined): ConnectOptions['transport'] {
  if (text === undefined || text === 'auto' || text === 'stdio' || text === 'streamable-http' || text === 'sse' || text === 'http')
    return text
  throw new UsageError(`--transport is auto, stdio, streamable-http, sse or http, not "${text}"`)
}

/** This very command, as a server. */
function demoCommand(): string[] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? '', 'serve-demo']
}
