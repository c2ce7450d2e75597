/** `@ai-sdk/mcp`. It reports no progress. */
import { listAll } from './list-all.mjs'

export const load = () => Promise.all([import('@ai-sdk/mcp'), import('@ai-sdk/mcp/mcp-stdio')])

export async function open({ command, url, era }) {
  const [{ createMCPClient }, { Experimental_StdioMCPTransport }] = await load()
  const protocolVersionDiscovery = era !== '2025-11-25'
  let transport = { type: 'http', url }
  if (command) {
    transport = new Experimental_StdioMCPTransport({ command: command[0], args: command.slice(1) })
  }
  const client = await createMCPClient({ transport, protocolVersionDiscovery })
  return {
    call: (name, args) => client.callTool({ name, arguments: args }),
    list: () => listAll((params) => client.listTools({ params })),
    close: () => client.close(),
  }
}
