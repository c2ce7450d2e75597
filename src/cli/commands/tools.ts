import type { Client, ToolHandle } from 'mcp-switchboard'
import { addressed, connectTo } from '../connection.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { InputSchema } from '../input-schema.ts'
import type { Flags } from '../options.ts'
import { jsonText, print } from '../output.ts'
import type { Style } from '../style.ts'
import { type Column, tableLines } from '../table.ts'
import { oneLine } from '../terminal-text.ts'
import { UsageError } from '../usage-error.ts'

/** `switchboard tools <target>`: which server this is, and its tools. */
export async function tools(words: readonly string[], flags: Flags, context: Context): Promise<number> {
  const server = await addressed(words, flags, context)
  const [surplus] = server.rest
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is one word too many`, 'a command line stands in quotes, or behind --')
  const client = await connectTo(server, flags, context)
  try {
    const list = await client.listTools({ signal: context.signal })
    await print(context.json ? jsonOf(client, list) : textOf(client, list, context.style))
    return EXIT.ok
  } finally {
    await client.close()
  }
}

function jsonOf({ serverInfo, protocolVersion, transport }: Client, list: readonly ToolHandle[]): string {
  const value = { server: serverInfo ?? null, protocolVersion, transport, tools: list.map(({ definition }) => definition) }
  return jsonText(value, process.stdout.isTTY)
}

const COLUMNS: readonly Column[] = [
  { title: 'TOOL', narrow: 'keep' },
  { title: 'ARGUMENTS', narrow: 'wrap' },
  { title: 'HINTS', narrow: 'wrap' },
  { title: 'DESCRIPTION', narrow: 'cut' },
]
/** In a narrower terminal each tool has a few lines of its own. */
const NARROW = 70

function textOf(client: Client, list: readonly ToolHandle[], style: Style): string {
  const { serverInfo, protocolVersion, transport } = client
  const name = oneLine(serverInfo === undefined ? client.name : `${serverInfo.title ?? serverInfo.name} ${serverInfo.version}`)
  const count = list.length === 1 ? '1 tool' : `${list.length} tools`
  const head = `${style.bold(name)}  ${style.dim(`protocol ${protocolVersion} · ${transport} · ${count}`)}`
  if (list.length === 0) return head
  const columns = process.stdout.isTTY ? process.stdout.columns : undefined
  const rows = list.map((tool) => [oneLine(tool.name), argumentsOf(tool), hintsOf(tool), firstLine(tool.description ?? tool.title ?? '')])
  if (columns !== undefined && columns < NARROW) return [head, ...rows.flatMap((row) => stacked(row, style))].join('\n')
  const [titles = '', ...lines] = tableLines(COLUMNS, rows, columns)
  return [head, '', style.dim(titles), ...lines].join('\n')
}

function stacked([name = '', ...rest]: readonly string[], style: Style): string[] {
  return ['', style.bold(name), ...rest.filter((line) => line !== '').map((line) => `  ${line}`)]
}

/** Required arguments plain, optional ones in brackets. */
function argumentsOf({ inputSchema }: ToolHandle): string {
  return new InputSchema(inputSchema).names.map(({ name, required }) => oneLine(required ? name : `[${name}]`)).join(' ')
}

/** What the server itself says about the effects of a tool; where it says nothing, nothing stands here. */
function hintsOf({ annotations, readOnlyHint, taskSupport }: ToolHandle): string {
  const { destructiveHint, idempotentHint, openWorldHint } = annotations
  const effect = readOnlyHint ? 'read-only' : destructiveHint === true ? 'destructive' : destructiveHint === false ? 'additive' : undefined
  const repeat = !readOnlyHint && idempotentHint === true ? 'idempotent' : undefined
  const reach = openWorldHint === true ? 'open-world' : undefined
  const task = taskSupport === 'required' ? 'task' : undefined
  return [effect, repeat, reach, task].filter((hint) => hint !== undefined).join(' ')
}

function firstLine(text: string): string {
  return oneLine(text.trimStart().split(/[\r\n]/, 1)[0] ?? '')
}
