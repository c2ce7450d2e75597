import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConnectOptions, connect, McpError, ToolHandle } from '../../../src/index.ts'
import { type Answering, fakeServer, SILENCE } from '../../support/fake-server.ts'
import { turns } from '../../support/settled.ts'

// A server may send anything at all: what comes of it is a value or a typed error, never an accident, and honest calls go on.

const crashes: unknown[] = []
const note = (error: unknown): void => void crashes.push(error)
beforeAll(() => {
  process.on('uncaughtException', note)
  process.on('unhandledRejection', note)
})
afterAll(() => {
  process.off('uncaughtException', note)
  process.off('unhandledRejection', note)
})

const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    '',
    'x',
    [],
    {},
    [null],
    { a: null },
    [[]],
    { toString: 1, valueOf: 1 },
    '__proto__',
    1e308,
  ),
  fc.jsonValue({ maxDepth: 3 }),
)

/** A good value of which one place holds something else, or is gone, or has something more beside it. */
function damaged(good: unknown): fc.Arbitrary<unknown> {
  return fc.tuple(fc.nat(), junk, fc.constantFrom('replace', 'remove', 'add')).map(([at, value, how]) => {
    const copy = JSON.parse(JSON.stringify({ root: good })) as { root: unknown }
    const places: [object, string][] = []
    const walk = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return
      for (const key of Object.keys(node)) {
        places.push([node, key])
        walk((node as Record<string, unknown>)[key])
      }
    }
    walk(copy)
    const [node, key] = places[at % places.length] ?? [copy, 'root']
    if (how === 'replace') Reflect.set(node, key, value)
    else if (how === 'remove') Reflect.deleteProperty(node, key)
    else Reflect.set(node, Array.isArray(node) ? node.length : 'extra', value)
    return copy.root ?? null
  })
}

const tool = {
  name: 't',
  title: 'T',
  description: 'd',
  inputSchema: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'A' } }, required: ['b'] },
  outputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
  annotations: { readOnlyHint: true, title: 'x' },
  execution: { taskSupport: 'optional' },
  icons: [{ src: 'data:,' }],
  _meta: { k: 1 },
}
const INFO = { name: 's', version: '1' }
const GOOD: Record<string, unknown> = {
  'server/discover': {
    resultType: 'complete',
    supportedVersions: ['2026-07-28', '2025-11-25'],
    capabilities: { tools: { listChanged: true }, prompts: {}, resources: { subscribe: true }, logging: {} },
    instructions: 'i',
    ttlMs: 1,
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': INFO },
  },
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: INFO,
    instructions: 'i',
  },
  'tools/list': { resultType: 'complete', tools: [tool], ttlMs: 1, cacheScope: 'private' },
  'tools/call': {
    resultType: 'complete',
    content: [
      { type: 'text', text: '{"a":1}', annotations: { audience: ['user'] } },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'a:b', text: 't' } },
    ],
    structuredContent: { n: 1 },
    isError: false,
    _meta: { k: 1 },
  },
  'prompts/list': { prompts: [{ name: 'p', arguments: [{ name: 'a', required: true }] }] },
  'prompts/get': { description: 'd', messages: [{ role: 'user', content: { type: 'text', text: 'x' } }] },
  'resources/list': { resources: [{ uri: 'a:b', name: 'n' }] },
  'resources/read': { contents: [{ uri: 'a:b', text: 't' }] },
}
const QUESTION = {
  resultType: 'input_required',
  inputRequests: {
    k: {
      method: 'elicitation/create',
      params: { mode: 'form', message: 'm', requestedSchema: { type: 'object', properties: { a: { default: 1 } } } },
    },
  },
  requestState: 's',
}
const ASKED = {
  jsonrpc: '2.0',
  id: 'q',
  method: 'elicitation/create',
  params: { message: 'm', requestedSchema: { type: 'object', properties: { a: { default: 1 } } } },
}
const TOLD = [
  ASKED,
  {
    jsonrpc: '2.0',
    id: 'q2',
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }], maxTokens: 1 },
  },
  { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 3, progress: 1, total: 2, message: 'm' } },
  { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', logger: 'l', data: {} } },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'q', reason: 'r' } },
  { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
  { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'a:b' } },
  { jsonrpc: '2.0', id: 4, result: {} },
  { jsonrpc: '2.0', id: 4, error: { code: -1, message: 'm', data: {} } },
]

const OPTIONS: ConnectOptions = {
  logger: false,
  connectTimeoutMs: 300,
  probeTimeoutMs: 20,
  timeoutMs: 200,
  retries: 0,
  roots: [],
  handlers: { elicitation: () => ({ action: 'accept' }), sampling: () => 'x' },
  limits: { maxRounds: 2, maxPages: 3 },
}

/** Runs something against a server; a value or a typed error comes of it. */
async function tried(what: () => Promise<unknown>): Promise<void> {
  try {
    await what()
  } catch (error) {
    if (!(error instanceof McpError)) throw error
    expect(error.code).toMatch(/^ERR_MCP/)
    expect(typeof error.message).toBe('string')
  }
}

function serverOf(methods: Record<string, unknown>) {
  const answers = Object.entries({ ...GOOD, ping: {}, ...methods }).map(([method, result]): [string, Answering] => [
    method,
    ({ id, send }) => {
      // As it is: a fake server would take `undefined` for an empty object.
      send({ jsonrpc: '2.0', id, result })
      return SILENCE
    },
  ])
  return fakeServer(Object.fromEntries(answers))
}

const runs = { numRuns: 150 }

describe('whatever a server answers', () => {
  it.each([
    ['server/discover', 'auto'],
    ['initialize', 'legacy'],
  ])('to %s: the client connects, or says why not', async (method, era) => {
    await fc.assert(
      fc.asyncProperty(damaged(GOOD[method]), async (result) => {
        const server = serverOf({ [method]: result })
        await tried(async () => {
          const client = await connect(server, { ...OPTIONS, era })
          // What it says of its server can be read and shown.
          JSON.stringify([client.serverInfo, client.capabilities, client.instructions, client.protocolVersion])
          await tried(() => client.callTool('t', { b: 1 }))
          await client.close()
        })
        await turns(3)
        expect(server.open).toBe(0)
        expect(crashes).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it.each(['auto', 'legacy'])('to lists and calls: a value or a typed error, and honest calls go on (era %s)', async (era) => {
    const methods = ['tools/list', 'tools/call', 'prompts/list', 'prompts/get', 'resources/list', 'resources/read'] as const
    const cases = fc
      .constantFrom(...methods)
      .chain((method) =>
        fc.tuple(fc.constant(method), fc.oneof(damaged(GOOD[method]), junk, ...(method === 'tools/call' ? [damaged(QUESTION)] : []))),
      )
    await fc.assert(
      fc.asyncProperty(cases, async ([method, result]) => {
        const client = await connect(serverOf({ [method]: result }), { ...OPTIONS, era })
        await tried(async () => {
          for (const each of await client.listTools()) {
            expect(each).toBeInstanceOf(ToolHandle)
            JSON.stringify([each.title, each.annotations, each.requiresConfirmation, each.taskSupport, each.hasStructuredOutput, each.meta])
          }
        })
        await tried(async () => {
          const { text, data, isError, meta } = await client.callTool('t', { a: 'x', b: 1 })
          JSON.stringify([text, data, isError, meta])
        })
        await tried(() => client.listPrompts())
        await tried(() => client.getPrompt('p'))
        await tried(() => client.listResources())
        await tried(() => client.readResource('a:b'))
        await client.ping()
        await client.close()
        expect(crashes).toEqual([])
      }),
      runs,
    )
  })

  it('to an error: an RpcError or another typed error', async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged({ code: -32000, message: 'm', data: { supported: ['x'], elicitations: [] } }),
        junk,
        async (error, extra) => {
          const server = serverOf({})
          server.methods['tools/call'] = ({ id, send }) => {
            send({ jsonrpc: '2.0', id, error, ...(extra === null && { result: null }) })
            return SILENCE
          }
          const client = await connect(server, { ...OPTIONS, timeoutMs: 30 })
          await tried(() => client.callTool('t', { b: 1 }))
          await client.ping()
          await client.close()
          expect(crashes).toEqual([])
        },
      ),
      { numRuns: 80 },
    )
  })
})

describe('whatever a server says unasked', () => {
  it.each(['auto', 'legacy'])('the client takes or skips it, and honest calls go on (era %s)', async (era) => {
    const messages = fc.array(fc.oneof(fc.constantFrom(...TOLD).chain(damaged), junk), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(messages, async (told) => {
        const server = serverOf({})
        const client = await connect(server, { ...OPTIONS, era })
        for (const event of ['notification', 'log', 'progress', 'toolsChanged', 'resourceUpdated'] as const) client.on(event, () => {})
        const call = tried(() => client.callTool('t', { b: 1 }, { onProgress: () => {} }))
        for (const message of told) server.send(message)
        await turns(2)
        await call
        await client.ping()
        await client.close()
        expect(crashes).toEqual([])
      }),
      runs,
    )
  })

  it('as text that is anything', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary', maxLength: 50 }), { maxLength: 10 }), async (lines) => {
        const server = serverOf({})
        const client = await connect(server, OPTIONS)
        for (const line of lines) server.raw(line)
        await client.ping()
        await client.close()
        expect(crashes).toEqual([])
      }),
      { numRuns: 100 },
    )
  })
})
