import { type Configured, configured, type Standing, standings } from '../configured-servers.ts'
import type { Context } from '../context.ts'
import { reportOf } from '../error-report.ts'
import { EXIT } from '../exit-code.ts'
import type { Flags } from '../options.ts'
import { jsonText, print } from '../output.ts'
import type { Style } from '../style.ts'
import { type Column, tableLines } from '../table.ts'
import { oneLine } from '../terminal-text.ts'
import { UsageError } from '../usage-error.ts'

/** `switchboard servers [file]`: what is configured, where, and how it stands with each server. */
export async function servers(words: readonly string[], flags: Flags, context: Context): Promise<number> {
  const [file, surplus] = words
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is one word too many`, 'switchboard servers file.json')
  if (context.commandLine.length > 0) throw new UsageError('servers takes no command', 'switchboard tools -- command args…')
  const found = await configured(file, flags, context)
  for (const each of found.files) if (each.problem !== undefined) context.reporter.warn(each.problem.message)
  const all = await standings(found.servers, flags, context)
  await print(context.json ? jsonOf(all, found) : textOf(all, found, file, context.style))
  return all.some(({ state }) => state === 'failed') || found.files.some(({ problem }) => problem !== undefined) ? EXIT.failed : EXIT.ok
}

function jsonOf(all: readonly Standing[], { files }: Configured): string {
  const value = {
    servers: all.map(({ server, state, protocolVersion, transport, says, tools, connectMs, error }) => ({
      name: server.name,
      state,
      origin: server.origin,
      kind: server.kind,
      protocolVersion,
      transport,
      server: says,
      tools,
      connectMs: connectMs === undefined ? undefined : Math.round(connectMs),
      shadowedBy: server.shadowedBy,
      error: error === undefined ? undefined : reportOf(error, undefined),
    })),
    files: files.map(({ problem, ...each }) => ({ ...each, error: problem === undefined ? undefined : reportOf(problem, undefined) })),
  }
  return jsonText(value, process.stdout.isTTY)
}

const COLUMNS: readonly Column[] = [
  { title: 'SERVER', narrow: 'keep' },
  { title: 'STATE', narrow: 'keep' },
  { title: 'PROTOCOL', narrow: 'keep' },
  { title: 'FROM', narrow: 'wrap' },
  { title: 'ABOUT', narrow: 'wrap' },
]

function textOf(all: readonly Standing[], { files }: Configured, file: string | undefined, style: Style): string {
  if (all.length === 0) {
    const where = file ?? (files.length === 0 ? 'the hosts of this machine' : `${files.length} configuration files`)
    return `no server is configured in ${where}`
  }
  const rows = all.map((each) => [oneLine(each.server.name), each.state, each.protocolVersion ?? '', placeOf(each), aboutOf(each)])
  const [titles = '', ...lines] = tableLines(COLUMNS, rows, process.stdout.isTTY ? process.stdout.columns : undefined)
  return [style.dim(titles), ...lines].join('\n')
}

function placeOf({ server: { origin } }: Standing): string {
  const { dialect, file, line } = origin
  return oneLine(file === undefined ? dialect : `${dialect} ${file}${line === undefined ? '' : `:${line}`}`)
}

/** What the server says of itself, or why there is nothing to say. */
function aboutOf({ state, server, says, transport, tools, error }: Standing): string {
  if (state === 'failed') return oneLine(reportOf(error, undefined).message)
  if (state === 'shadowed') return oneLine(`the one in ${server.shadowedBy?.file ?? server.shadowedBy?.dialect} wins`)
  if (state !== 'ready') return server.kind ?? ''
  const count = tools === undefined ? 'no list of tools' : tools === 1 ? '1 tool' : `${tools} tools`
  const self = says === undefined ? '' : `${says.name} ${says.version} · `
  return oneLine(`${self}${transport} · ${count}`)
}
