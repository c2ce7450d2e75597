/** The official client, version 1: `@modelcontextprotocol/sdk`. */
import { listAll } from './list-all.mjs'

export const load = () =>
  Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/stdio.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
  ])

export async function open({ command, url, era }) {
  if (era !== '2025-11-25') throw new Error('v1 speaks the legacy era only')
  const [{ Client }, { StdioClientTransport }, { StreamableHTTPClientTransport }] = await load()
  const client = new Client({ name: 'v1', version: '1.0.0' })
  if (command) {
    await client.connect(new StdioClientTransport({ command: command[0], args: command.slice(1) }))
  } else {
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  }
  return {
    call: (name, args, onprogress) => client.callTool({ name, arguments: args }, undefined, onprogress && { onprogress }),
    list: () => listAll((cursor) => client.listTools(cursor)),
    close: () => client.close(),
  }
}
