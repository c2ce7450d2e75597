/** A program that uses the entries of the package that run everywhere, for the type check of a consumer. */
export const consumer = `
import { accept, bytesOf, type Client, connect, decline, isText, McpError, PROTOCOL_VERSIONS, TimeoutError, type Target, type Tool, type ToolResult, VERSION } from 'mcp-switchboard'
import { resolveTarget } from 'mcp-switchboard/config'
import { memoryStore, type Store } from 'mcp-switchboard/store'
import type { Connection, Transport } from 'mcp-switchboard/transport'

export async function main(target: Target, signal: AbortSignal): Promise<number> {
  const client: Client = await connect(target, {
    era: '2025-11-25',
    timeoutMs: 1_000,
    roots: [{ uri: 'file:///home', name: 'Home' }],
    handlers: { elicitation: async (request) => (request.mode === 'form' ? accept({ name: 'Ada' }) : decline()) },
  })
  try {
    const tools = await client.listTools({ signal })
    const definition: Tool | undefined = tools[0]?.definition
    const result: ToolResult = await client.callTool('add', { a: 1, b: 2 }, { onProgress: ({ progress }) => progress.toFixed(0) })
    for (const block of result.content) {
      if (isText(block)) block.text.trim()
      else if (block.type === 'image') bytesOf(block).byteLength
    }
    for await (const event of client.callToolStream('slow')) if (event.type === 'progress') event.progress.toFixed(0)
    const stop: () => void = client.on('state', ({ state }) => state.trim())
    stop()
    return tools.length + (definition?.name.length ?? 0)
  } catch (error) {
    if (error instanceof TimeoutError) return error.timeoutMs
    if (error instanceof McpError) return error.code.length
    throw error
  } finally {
    await client.close()
  }
}

export const kinds = (transport: Transport, connection: Connection): [string, boolean] => [transport.kind, connection.ownReplyStream]
export const catalogue: Store = memoryStore()
export const texts: readonly string[] = [VERSION, ...PROTOCOL_VERSIONS, typeof resolveTarget]
void connect({ command: 'node', args: ['server.js'], env: { A: 'b' }, cwd: '/', timeoutMs: 5 })
void connect({ url: 'https://example.com/mcp', headers: { 'X-Tenant': 'a' }, name: 'api' })
// @ts-expect-error an option that does not exist, of a server with its options
void connect({ command: 'node', tiemoutMs: 5 })
// @ts-expect-error an option that does not exist
void connect('https://example.com/mcp', { retrys: 3 })
// @ts-expect-error a target is not a number
void connect(7)
`

/** The same for the entries that need Node. */
export const nodeConsumer = `
import { demoServer, scriptedServer } from 'mcp-switchboard/testing'
import { main } from './program.ts'

void main(demoServer(), new AbortController().signal)
export const scripted: typeof scriptedServer = scriptedServer
`
