import { CommanderError, Command as Parser } from 'commander'
import { COMMANDS, type CommandSpec } from './command-specs.ts'
import type { Command, Context } from './context.ts'
import { report } from './error-report.ts'
import { exitCodeOf } from './exit-code.ts'
import { interruptSignal } from './interrupt.ts'
import type { Flags } from './options.ts'
import { Reporter } from './reporter.ts'
import { ServerLog } from './server-log.ts'
import { styleFor } from './style.ts'
import { UsageError } from './usage-error.ts'

const LOADERS: Readonly<Record<string, () => Promise<Command>>> = {
  tools: async () => (await import('./commands/tools.ts')).tools,
  servers: async () => (await import('./commands/servers.ts')).servers,
  call: async () => (await import('./commands/call.ts')).call,
  'serve-demo': async () => (await import('./commands/serve-demo.ts')).serveDemo,
}

const PATIENCE_MS = 500
const STILL_ENDING = 'the server takes its time to end; Ctrl-C again does not wait for it'

/** Carries out a command line and ends the process with its exit code. */
export async function run(argv: readonly string[]): Promise<void> {
  const end = argv.indexOf('--')
  const own = end === -1 ? argv : argv.slice(0, end)
  const commandLine = end === -1 ? [] : argv.slice(end + 1)
  process.stdout.on('error', quietly)
  process.stderr.on('error', quietly)
  const signal = interruptSignal()
  let context = contextFor(outputFlagsOf(own), commandLine, signal)
  signal.addEventListener('abort', () => setTimeout(() => context.reporter.warn(STILL_ENDING), PATIENCE_MS).unref())
  let code: number
  try {
    if (end !== -1 && commandLine.length === 0) throw new UsageError('no command stands behind --')
    const { spec, words, flags } = parse(own)
    context = contextFor(flags, commandLine, signal)
    const load = LOADERS[spec.name]
    if (load === undefined) throw new UsageError(`there is no command "${spec.name}"`)
    const command = await load()
    code = await command(words, flags, context)
  } catch (error) {
    code = exitCodeOf(error)
    report(error, context)
  }
  process.exit(code)
}

interface Parsed {
  readonly spec: CommandSpec
  readonly words: readonly string[]
  readonly flags: Flags
}

function parse(argv: readonly string[]): Parsed {
  if (argv.length === 0) throw new UsageError('no command is given', usageHint(undefined))
  let parsed: Parsed | undefined
  const program = new Parser('switchboard')
    .exitOverride()
    .configureOutput({ writeErr() {} })
    .helpOption(false)
    .helpCommand(false)
  for (const spec of COMMANDS) {
    const command = program.command(spec.name).argument('[words...]').helpOption(false)
    for (const { flags, about, read } of spec.options) {
      if (read === undefined) command.option(flags, about)
      else command.option(flags, about, read)
    }
    command.action((words: string[], flags: Flags) => {
      parsed = { spec, words, flags }
    })
  }
  try {
    program.parse([...argv], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const hint =
      error.code === 'commander.unknownOption'
        ? `${usageHint(argv[0])} · a server's own command line stands last, behind --`
        : usageHint(argv[0])
    throw new UsageError(error.message.replace(/^error: /, '').replace(/\n\(/, ' ('), hint)
  }
  if (parsed === undefined) throw new UsageError('a command stands first', usageHint(undefined))
  return parsed
}

function usageHint(name: string | undefined): string {
  return COMMANDS.some((each) => each.name === name) ? `switchboard ${name} --help` : 'switchboard --help'
}

/** The flags that say how to report, as far as they can be seen before the line is read. */
function outputFlagsOf(argv: readonly string[]): Flags {
  const json = argv.includes('--json') || /(?:^| )(?:-o ?|--output[ =])json(?: |$)/.test(argv.join(' '))
  return { json, verbose: argv.includes('--verbose'), color: !argv.includes('--no-color') }
}

function contextFor(flags: Flags, commandLine: readonly string[], signal: AbortSignal): Context {
  const json = flags.json === true || flags.output === 'json'
  // Prompts come from a library that looks here.
  if (!flags.color) process.env.NO_COLOR = '1'
  const reporter = new Reporter({
    stream: process.stderr,
    style: styleFor(process.stderr, flags.color),
    json,
    verbose: flags.verbose === true,
  })
  return {
    reporter,
    serverLog: new ServerLog(reporter),
    signal,
    json,
    style: styleFor(process.stdout, flags.color),
    commandLine,
    tool: undefined,
  }
}

/** A reader that left, such as `head`, is no failure; nothing else can be told to it either. */
function quietly(): void {}
