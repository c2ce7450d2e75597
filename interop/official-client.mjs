// What the official client, version 2, gets from the same server: the answers ours are compared with.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { answersOf } from './same-answers.mjs'

function modeOf(era) {
  if (era === 'auto') return { mode: 'auto' }
  return era >= '2026' ? { mode: { pin: era } } : { mode: 'legacy' }
}

/** The whole session of `offers`, as plain wire objects. */
export async function officialAnswers({ command, url, era, offers }) {
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
    const has = client.getServerCapabilities()
    return await answersOf(
      {
        lists: async () => ({
          tools: (await client.listTools()).tools,
          prompts: has.prompts ? (await client.listPrompts()).prompts : [],
          resources: has.resources ? (await client.listResources()).resources : [],
          templates: has.resources ? (await client.listResourceTemplates()).resourceTemplates : [],
        }),
        call: (name, args) => client.callTool({ name, arguments: args }),
        prompt: (name, args) => client.getPrompt({ name, arguments: args }),
        read: async (uri) => (await client.readResource({ uri })).contents,
        complete: async (params) => (await client.complete(params)).completion,
      },
      offers,
    )
  } finally {
    await client.close()
  }
}
