import { COMMANDS, type CommandSpec } from './command-specs.ts'
import type { OptionSpec } from './options.ts'

/** The help of one command, or of all of them. */
export function helpText(name: string | undefined): string {
  const command = COMMANDS.find((each) => each.name === name)
  return `${(command === undefined ? overview() : commandHelp(command)).join('\n')}\n`
}

function overview(): string[] {
  return [
    'Reaches any Model Context Protocol server from the terminal.',
    '',
    'Usage: switchboard <command> …',
    '',
    'Commands',
    ...aligned(COMMANDS.map(({ name, usage, about }) => [`${name} ${usage}`.trim(), about])),
    '',
    'Options',
    ...aligned([
      ['-h, --help', 'this help, or that of a command: switchboard call --help'],
      ['-V, --version', 'the version'],
    ]),
    '',
    ...examples(COMMANDS.flatMap((command) => command.examples.slice(0, 1))),
  ]
}

function commandHelp({ name, usage, about, notes, options, examples: lines }: CommandSpec): string[] {
  return [
    `${about[0]?.toUpperCase() ?? ''}${about.slice(1)}.`,
    '',
    `Usage: switchboard ${name} ${usage}`.trimEnd(),
    '',
    ...notes,
    '',
    'Options',
    ...aligned(options.map(row)),
    '',
    ...examples(lines),
  ]
}

function row({ flags, about }: OptionSpec): readonly [string, string] {
  return [flags, about]
}

function examples(lines: readonly string[]): string[] {
  return [lines.length === 1 ? 'Example' : 'Examples', ...lines.map((line) => `  ${line}`)]
}

function aligned(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`)
}
