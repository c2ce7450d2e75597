// A small server on the official server SDK, version 2: every tool, prompt and resource once, served in both eras.
//   node official-server.mjs stdio | http      (over HTTP it prints `listening on 127.0.0.1:<port>`)
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } from '@modelcontextprotocol/node'
import { acceptedContent, createMcpHandler, inputRequired, isLegacyRequest, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

/** How many calls of `wait` were cancelled; the process keeps it, because over HTTP a server lives for one request. */
let cancelled = 0

const text = (value) => ({ content: [{ type: 'text', text: value }] })

function makeServer() {
  const server = new McpServer({ name: 'interop-official', version: '1.2.3' }, { instructions: 'Use echo first.' })

  server.registerTool(
    'echo',
    { title: 'Echo', description: 'Says it again', inputSchema: z.object({ message: z.string() }), annotations: { readOnlyHint: true } },
    ({ message }) => text(`echo: ${message}`),
  )
  server.registerTool(
    'weather',
    {
      description: 'The weather, structured',
      inputSchema: z.object({ city: z.string() }),
      outputSchema: z.object({ city: z.string(), celsius: z.number(), tags: z.array(z.string()) }),
    },
    ({ city }) => {
      const weather = { city, celsius: 21.5, tags: ['dry', 'später Wind'] }
      return { ...text(JSON.stringify(weather)), structuredContent: weather }
    },
  )
  server.registerTool(
    'steps',
    { description: 'Reports progress', inputSchema: z.object({ count: z.number() }) },
    async ({ count }, ctx) => {
      const progressToken = ctx.mcpReq._meta?.progressToken
      for (let progress = 1; progress <= count && progressToken !== undefined; progress++) {
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: count, message: `step ${progress}` },
        })
        await delay(5)
      }
      return text(`${count} steps`)
    },
  )
  server.registerTool('ask', { description: 'Asks the person', inputSchema: z.object({}) }, (_args, ctx) => {
    const answer = z.object({ colour: z.string() })
    const given = ctx.mcpReq.inputResponses?.colour
    if (given === undefined) {
      const question = inputRequired.elicit({ message: 'Which colour?', requestedSchema: answer })
      return inputRequired({ inputRequests: { colour: question } })
    }
    const content = acceptedContent(ctx.mcpReq.inputResponses, 'colour', answer)
    return text(content === undefined ? `no colour: ${given.action}` : `colour: ${content.colour}`)
  })
  server.registerTool('fail', { description: 'Fails', inputSchema: z.object({}) }, () => {
    throw new Error('this tool always fails')
  })
  server.registerTool('wait', { description: 'Waits until it is cancelled', inputSchema: z.object({}) }, async (_args, ctx) => {
    const { signal } = ctx.mcpReq
    try {
      await delay(60_000, undefined, { signal })
    } catch {
      cancelled += 1
    }
    return text('waited')
  })
  server.registerTool('cancelled', { description: 'How many waits were cancelled', inputSchema: z.object({}) }, () =>
    text(String(cancelled)),
  )
  server.registerPrompt('greet', { description: 'Greets', argsSchema: z.object({ name: z.string() }) }, ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Say hello to ${name}` } }],
  }))
  server.registerResource('note', 'note://one', { mimeType: 'text/plain', description: 'A note' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'a note' }],
  }))
  return server
}

/** The old era keeps a session per client; the new one makes a server per request. */
function serveHttp() {
  const modern = toNodeHandler(createMcpHandler(makeServer, { legacy: 'reject' }))
  const sessions = new Map()

  async function legacy(request, response, body) {
    const known = sessions.get(request.headers['mcp-session-id'])
    if (known !== undefined) return known.handleRequest(request, response, body)
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => sessions.set(id, transport),
      onsessionclosed: (id) => sessions.delete(id),
    })
    await makeServer().connect(transport)
    await transport.handleRequest(request, response, body)
  }

  const http = createServer(async (request, response) => {
    // How many sessions are open: what a client that closes leaves behind.
    if (request.url === '/sessions') return response.end(String(sessions.size))
    const body = request.method === 'POST' ? await parsed(request) : undefined
    const old = await isLegacyRequest(await toWebRequest(request, body), body)
    await (old ? legacy : modern)(request, response, body)
  })
  http.listen(0, '127.0.0.1', () => process.stderr.write(`listening on 127.0.0.1:${http.address().port}\n`))
}

async function parsed(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

if (process.argv[2] === 'http') serveHttp()
else serveStdio(makeServer)
