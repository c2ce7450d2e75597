/** The official client, version 2: `@modelcontextprotocol/client`. */

export const load = () => Promise.all([import('@modelcontextprotocol/client'), import('@modelcontextprotocol/client/stdio')])

export async function open({ command, url, era }) {
  const [{ Client, StreamableHTTPClientTransport }, { StdioClientTransport }] = await load()
  const mode = era === '2025-11-25' ? 'legacy' : { pin: era }
  // Its own page limit is 64; raised, so that long lists can be measured at all.
  const client = new Client({ name: 'v2', version: '1.0.0' }, { versionNegotiation: { mode }, listMaxPages: 10_000 })
  if (command) {
    await client.connect(new StdioClientTransport({ command: command[0], args: command.slice(1) }))
  } else {
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  }
  return {
    call: (name, args, onprogress) => client.callTool({ name, arguments: args }, onprogress && { onprogress }),
    // Without a cursor it walks the pages itself, and keeps what it found for its checks of output.
    list: async () => (await client.listTools()).tools,
    close: () => client.close(),
  }
}
