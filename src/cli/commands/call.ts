import { ToolError, type ToolHandle, type ToolResult } from 'mcp-switchboard'
import { readArguments } from '../arguments.ts'
import { addressed, connectTo } from '../connection.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { InputSchema } from '../input-schema.ts'
import { Interrupted } from '../interrupted.ts'
import type { Flags } from '../options.ts'
import { jsonText, print } from '../output.ts'
import { ProgressBar } from '../progress-bar.ts'
import { resultText } from '../result-text.ts'
import { SOURCES } from '../sources.ts'
import { printable } from '../terminal-text.ts'
import { UsageError } from '../usage-error.ts'

/** `switchboard call <target> <tool> key=value …`: runs a tool and prints its result. */
export async function call(words: readonly string[], flags: Flags, context: Context): Promise<number> {
  const server = await addressed(words, flags, context)
  const [name, ...given] = server.rest
  if (name === undefined) throw new UsageError('the name of the tool is missing', 'switchboard tools <target> lists them')
  context.tool = name
  const client = await connectTo(server, flags, context)
  try {
    const tool = await client.findTool(name, { signal: context.signal })
    const values = await readArguments({
      words: given,
      args: flags.args,
      schema: new InputSchema(tool.inputSchema),
      sources: SOURCES,
      warn: (message) => context.reporter.warn(message),
    })
    const result = await run(tool, values, context)
    const terminal = process.stdout.isTTY
    const text = context.json ? jsonText(result.raw, terminal) : resultText(result)
    await print(terminal && !context.json ? printable(text) : text)
    if (result.isError) throw new ToolError(`the tool "${name}" failed`, result, { server: client.name, method: 'tools/call' })
    return EXIT.ok
  } finally {
    await client.close()
  }
}

async function run(tool: ToolHandle, args: Record<string, unknown>, context: Context): Promise<ToolResult> {
  const { signal, reporter } = context
  const bar = new ProgressBar(tool.name, reporter, process.stderr)
  try {
    signal.throwIfAborted()
    return await tool.call(args, { signal, onProgress: (progress) => bar.update(progress) })
  } catch (error) {
    if (error instanceof Interrupted) error.sent = true
    throw error
  } finally {
    bar.end()
  }
}
