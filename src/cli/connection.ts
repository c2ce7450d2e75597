import { type Client, type ConnectOptions, connect, type Target } from 'mcp-switchboard'
import { readTarget, resolveTarget } from 'mcp-switchboard/config'
import type { Context } from './context.ts'
import type { ConnectFlags } from './options.ts'
import { questions } from './questions.ts'
import { UsageError } from './usage-error.ts'

/** A target, and the words of the command line that do not belong to it. */
export interface Addressed {
  readonly target: Target
  readonly rest: readonly string[]
}

/** Takes the target off the words: the command behind `--` if there is one, else the first word. */
export async function addressed(words: readonly string[], { commandLine }: Context): Promise<Addressed> {
  if (commandLine.length > 0) {
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(commandLine[0] ?? '')) {
      throw new UsageError('behind -- stands a command', 'a URL stands in place of <target>, before the other words')
    }
    return { target: commandLine, rest: words }
  }
  const [first, ...rest] = words
  if (first === undefined) throw new UsageError('the target is missing', 'try: switchboard tools demo')
  try {
    return { target: await resolveTarget(first, { demo: demoCommand() }), rest }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(error.message, `to start any program, write it last, behind two dashes: … -- ${first}`)
  }
}

/** Connects with what the options say. Who calls this closes the client. */
export function connectTo(target: Target, flags: ConnectFlags, context: Context): Promise<Client> {
  const { reporter, serverLog, signal } = context
  const { header, env, inheritEnv, cwd, ...common } = flags
  const options: ConnectOptions = {
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
    headers: header,
    env,
    inheritEnv,
    cwd,
  }
  if (readTarget(target).kind === 'stdio') options.stderr = serverLog.add
  return connect(target, options)
}

function transportOf(text: string | undefined): ConnectOptions['transport'] {
  if (text === undefined || text === 'auto' || text === 'stdio' || text === 'streamable-http') return text
  throw new UsageError(`--transport is auto, stdio or streamable-http, not "${text}"`)
}

/** This very command, as a server. */
function demoCommand(): string[] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? '', 'serve-demo']
}
