// The client under test: started by the suite as `node client.mjs <server url>`, it drives the built package as a user would.
import { accept, connect, ValidationError } from '../dist/index.js'

const url = process.argv.at(-1) ?? ''
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')

/** The revision the suite asks for, pinned; or what the runner was told to use instead, such as `auto`. */
const era = process.env.SWITCHBOARD_CONFORMANCE_ERA ?? process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? 'auto'

async function withClient(use, options = {}) {
  const client = await connect(url, { era, ...options })
  try {
    await use(client)
  } finally {
    await client.close()
  }
}

const SKILLS = { extensions: ['io.modelcontextprotocol/skills'] }

/** A skill that is not what its entry says must not load; were it loaded, its files would be read as a host does. */
const loadSkills = () =>
  withClient(async (client) => {
    for (const entry of await client.listSkills()) {
      try {
        const skill = await client.loadSkill(entry)
        for (const file of entry.resources) await skill.read(file.uri)
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error
      }
    }
  }, SKILLS)

const scenarios = {
  initialize: () => withClient((client) => client.listTools()),

  tools_call: () =>
    withClient(async (client) => {
      await client.listTools()
      await client.callTool('add_numbers', { a: 5, b: 3 })
    }),

  // Accepts with nothing: the client fills in the schema's defaults.
  'elicitation-sep1034-client-defaults': () =>
    withClient(
      async (client) => {
        await client.listTools()
        await client.callTool('test_client_elicitation_defaults', {})
      },
      { handlers: { elicitation: () => accept({}) } },
    ),

  'sse-retry': () =>
    withClient(async (client) => {
      await client.listTools()
      await client.callTool('test_reconnection', {})
    }),

  'request-metadata': () =>
    withClient((client) => client.listTools(), {
      roots: [],
      handlers: { sampling: () => 'a sampled answer', elicitation: () => accept({}) },
    }),

  'sep-2322-client-request-state': () =>
    withClient(
      async (client) => {
        await client.listTools()
        for (const name of ['test_mrtr_echo_state', 'test_mrtr_no_state', 'test_mrtr_unrelated', 'test_mrtr_no_result_type']) {
          await client.callTool(name, {})
        }
      },
      { handlers: { elicitation: () => accept({ confirmed: true }) } },
    ),

  'http-standard-headers': () =>
    withClient(async (client) => {
      const [tool] = await client.listTools()
      await tool.call({})
      const [resource] = await client.listResources()
      await client.readResource(resource.uri)
      const [prompt] = await client.listPrompts()
      await client.getPrompt(prompt.name)
    }),

  'http-custom-headers': () =>
    withClient(async (client) => {
      await client.listTools()
      for (const call of context.toolCalls ?? []) await client.callTool(call.name, call.arguments)
    }),

  // Tools with invalid header annotations are left out of the list; what is left can be called.
  'http-invalid-tool-headers': () =>
    withClient(async (client) => {
      for (const tool of await client.listTools()) await tool.call({ region: 'us-west1' })
    }),

  'sep-2640-client-no-prefetch': () => withClient((client) => client.listSkills(), SKILLS),
  'sep-2640-client-verify-digest': loadSkills,
  'sep-2640-client-verify-size': loadSkills,
  'sep-2640-client-verify-frontmatter': loadSkills,

  'json-schema-ref-no-deref': () => withClient((client) => client.listTools()),

  'json-schema-2020-12-preservation': () =>
    withClient(async (client) => {
      const tool = await client.findTool('json_schema_2020_12_tool')
      await client.callTool('json_schema_echo', { schema: tool.inputSchema })
    }),
}

const run = scenarios[scenario]
if (run === undefined) {
  console.error(`the client has no way to run the scenario "${scenario}" yet`)
  process.exitCode = 2
} else {
  await run().catch((error) => {
    console.error(error)
    process.exitCode = 1
  })
}
