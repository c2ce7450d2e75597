// What the official client, version 2, gets from the same server: the answers ours are compared with.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

function modeOf(era) {
  if (era === 'auto') return { mode: 'auto' }
  return era >= '2026' ? { mode: { pin: era } } : { mode: 'legacy' }
}

/** The tool list and one call, as plain wire objects. */
export async function officialAnswers({ command, url, era, call }) {
  const client = new Client(
    { name: 'mcp-switchboard', version: '0.0.0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: modeOf(era) },
  )
  client.setRequestHandler('elicitation/create', () => ({ action: 'cancel' }))
  const transport =
    url === undefined
      ? new StdioClientTransport({ command: command[0], args: command.slice(1), stderr: 'ignore' })
      : new StreamableHTTPClientTransport(new URL(url))
  try {
    await client.connect(transport)
    const { tools } = await client.listTools()
    const { content, structuredContent, isError } = await client.callTool({ name: call.name, arguments: call.args })
    return { tools, result: { content, structuredContent, isError } }
  } finally {
    await client.close()
  }
}
