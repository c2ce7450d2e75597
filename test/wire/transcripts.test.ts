import { describe, expect, it } from 'vitest'
import { accept, type Client, type ConnectOptions, decline } from '../../src/index.ts'
import { scriptedServer } from '../../src/testing/index.ts'
import { connected } from '../support/connected.ts'
import { rejection, turns, until } from '../support/settled.ts'

// In a transcript `$V`, `$C` and `$I` below stand for the reserved metadata of every modern request.
const OPTIONS: ConnectOptions = { clientInfo: { name: 'wire', version: '9' } }
const INFO = '{"name":"wire","version":"9"}'

const meta = (capabilities = '{}', more = ''): string =>
  `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":${INFO},"io.modelcontextprotocol/clientCapabilities":${capabilities}${more}}`

const discover = (capabilities = '{}', declared = '{"tools":{},"prompts":{},"resources":{},"logging":{}}'): string => `
-> {"jsonrpc":"2.0","id":"$probe","method":"server/discover","params":{${meta(capabilities)}}}
<- {"jsonrpc":"2.0","id":"$probe","result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":${declared},"ttlMs":0,"cacheScope":"private"}}
`

const handshake = (version: string, capabilities = '{}', declared = '{"tools":{},"prompts":{},"resources":{},"logging":{}}'): string => `
-> {"jsonrpc":"2.0","id":"$init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":${capabilities},"clientInfo":${INFO}}}
<- {"jsonrpc":"2.0","id":"$init","result":{"protocolVersion":"${version}","capabilities":${declared},"serverInfo":{"name":"s","version":"1"}}}
-> {"jsonrpc":"2.0","method":"notifications/initialized"}
`

async function replay(transcript: string, act: (client: Client) => Promise<void>, options: ConnectOptions = {}): Promise<void> {
  const server = scriptedServer(transcript)
  const client = await connected(server, { ...OPTIONS, ...options }).catch((error: unknown) => {
    throw new Error(`${error}\n${server.problems.join('\n')}`)
  })
  await act(client).catch((error: unknown) => {
    throw new Error(`${error}\n${server.problems.join('\n')}`)
  })
  await server.done()
  expect(server.problems).toEqual([])
}

describe('the opening', () => {
  it('asks a modern server first, and that is all', async () => {
    await replay(discover(), async (client) => expect(client.protocolVersion).toBe('2026-07-28'))
  })

  it.each([
    ['"code":-32601,"message":"Method not found"'],
    ['"code":-32602,"message":"Invalid request parameters","data":""'],
    ['"code":-32600,"message":"Server not initialized"'],
    ['"code":-32000,"message":"Bad Request: Server not initialized"'],
    ['"code":0,"message":""'],
  ])('falls back to the handshake after the error %s', async (error) => {
    await replay(
      `-> {"jsonrpc":"2.0","id":"$probe","method":"server/discover","params":{${meta()}}}
       <- {"jsonrpc":"2.0","id":"$probe","error":{${error}}}
       ${handshake('2025-06-18')}`,
      async (client) => expect(client.protocolVersion).toBe('2025-06-18'),
    )
  })

  it('falls back after a result that is no discovery', async () => {
    await replay(
      `-> {"jsonrpc":"2.0","id":"$probe","method":"server/discover","params":{${meta()}}}
       <- {"jsonrpc":"2.0","id":"$probe","result":{"content":[]}}
       ${handshake('2024-11-05')}`,
      async (client) => expect(client.protocolVersion).toBe('2024-11-05'),
    )
  })

  it('greets a silent server with another id, and its late refusal disturbs nothing', async () => {
    await replay(
      `-> {"jsonrpc":"2.0","id":"$probe","method":"server/discover","params":{${meta()}}}
       -> {"jsonrpc":"2.0","id":"$init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":${INFO}}}
       <- {"jsonrpc":"2.0","id":"$init","result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}
       -> {"jsonrpc":"2.0","method":"notifications/initialized"}
       <- {"jsonrpc":"2.0","id":"$probe","error":{"code":-32601,"message":"late"}}
       -> {"jsonrpc":"2.0","id":"$list","method":"tools/list"}
       <- {"jsonrpc":"2.0","id":"$list","result":{"tools":[]}}`,
      async (client) => expect(await client.listTools()).toEqual([]),
      { probeTimeoutMs: 20 },
    )
  })

  it('takes a banner, log messages and pings before the answer', async () => {
    await replay(
      `<~ Server v1.2 ready
       <~
       <- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"starting"}}
       -> {"jsonrpc":"2.0","id":"$init","method":"initialize","params":{"...":true}}
       <- {"jsonrpc":"2.0","id":"early","method":"ping"}
       -> {"jsonrpc":"2.0","id":"early","result":{}}
       <- {"jsonrpc":"2.0","id":"$init","result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
       -> {"jsonrpc":"2.0","method":"notifications/initialized"}`,
      async (client) => expect(client.state).toBe('ready'),
      { era: 'legacy' },
    )
  })

  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])('pinned to %s offers that and nothing before it', async (era) => {
    await replay(
      `-> {"jsonrpc":"2.0","id":"$init","method":"initialize","params":{"protocolVersion":"${era}","capabilities":{},"clientInfo":${INFO}}}
       <- {"jsonrpc":"2.0","id":"$init","result":{"protocolVersion":"${era}","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
       -> {"jsonrpc":"2.0","method":"notifications/initialized"}`,
      async (client) => expect(client.protocolVersion).toBe(era),
      { era },
    )
  })

  it('hangs up on a revision that it cannot speak', async () => {
    const server = scriptedServer(
      `-> {"jsonrpc":"2.0","id":"$init","method":"initialize","params":{"...":true}}
       <- {"jsonrpc":"2.0","id":"$init","result":{"protocolVersion":"1999-01-01","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`,
    )
    const error = await rejection(connected(server, { ...OPTIONS, era: 'legacy' }))
    expect(error).toMatchObject({ code: 'ERR_MCP_PROTOCOL', server: 'script' })
    expect((error as Error).message).toContain('1999-01-01')
    await server.done()
  })

  it('tells a server that ends during the handshake from a silent one', async () => {
    const server = scriptedServer(`-> {"jsonrpc":"2.0","id":"$init","method":"initialize","params":{"...":true}}\n<! exit`)
    expect(await rejection(connected(server, { ...OPTIONS, era: 'legacy' }))).toMatchObject({
      code: 'ERR_MCP_CONNECTION',
      reason: { kind: 'stream' },
    })
    await server.done()
  })
})

describe('declared capabilities', () => {
  const elicitation = () => accept()
  const sampling = () => 'x'
  const SETS = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => ({ roots: (bits & 1) > 0, sampling: (bits & 2) > 0, elicitation: (bits & 4) > 0 }))

  it.each(SETS)('are those of what is registered, in both eras: %j', async (set) => {
    const options: ConnectOptions = {
      ...(set.roots && { roots: [] }),
      handlers: { ...(set.sampling && { sampling }), ...(set.elicitation && { elicitation }) },
    }
    const declared = (roots: object): string =>
      JSON.stringify({
        ...(set.roots && { roots }),
        ...(set.sampling && { sampling: {} }),
        ...(set.elicitation && { elicitation: { form: {}, url: {} } }),
      })
    await replay(
      `${discover(declared({}))}
       -> {"jsonrpc":"2.0","id":"$list","method":"tools/list","params":{${meta(declared({}))}}}
       <- {"jsonrpc":"2.0","id":"$list","result":{"tools":[],"ttlMs":0,"cacheScope":"private","resultType":"complete"}}`,
      async (client) => expect(await client.listTools()).toEqual([]),
      options,
    )
    await replay(handshake('2025-11-25', declared({ listChanged: true })), async () => {}, { ...options, era: 'legacy' })
  })
})

describe('a list and a call', () => {
  it('in the legacy era carry nothing but what they need', async () => {
    await replay(
      `${handshake('2025-11-25')}
       -> {"jsonrpc":"2.0","id":"$1","method":"tools/list"}
       <- {"jsonrpc":"2.0","id":"$1","result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"c"}}
       -> {"jsonrpc":"2.0","id":"$2","method":"tools/list","params":{"cursor":"c"}}
       <- {"jsonrpc":"2.0","id":"$2","result":{"tools":[{"name":"b","inputSchema":{"type":"object"}}],"nextCursor":null}}
       -> {"jsonrpc":"2.0","id":"$3","method":"tools/call","params":{"name":"a","arguments":{"x":[1,null]}}}
       <- {"jsonrpc":"2.0","id":"$3","result":{"content":[{"type":"text","text":"t","annotations":null,"_meta":null}],"isError":null,"_meta":null}}`,
      async (client) => {
        expect((await client.listTools()).map(({ name }) => name)).toEqual(['a', 'b'])
        expect(await client.callTool('a', { x: [1, null] })).toMatchObject({ text: 't', isError: false, meta: undefined })
      },
      { era: 'legacy' },
    )
  })

  it('in the modern era say on each request who asks, in what revision and with what abilities', async () => {
    await replay(
      `${discover()}
       -> {"jsonrpc":"2.0","id":"$1","method":"tools/list","params":{${meta()}}}
       <- {"jsonrpc":"2.0","id":"$1","result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}}
       -> {"jsonrpc":"2.0","id":"$2","method":"tools/call","params":{"name":"a","arguments":{},${meta('{}', ',"com.example/t":"1","progressToken":"$2"')}}}
       <- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"$2","progress":1}}
       <- {"jsonrpc":"2.0","id":"$2","result":{"content":[]}}
       -> {"jsonrpc":"2.0","id":"$3","method":"prompts/get","params":{"name":"p","arguments":{"k":"v"},${meta()}}}
       <- {"jsonrpc":"2.0","id":"$3","result":{"resultType":"complete","messages":[]}}
       -> {"jsonrpc":"2.0","id":"$4","method":"resources/read","params":{"uri":"a:b",${meta()}}}
       <- {"jsonrpc":"2.0","id":"$4","result":{"resultType":"complete","contents":[],"ttlMs":0,"cacheScope":"private"}}`,
      async (client) => {
        await client.listTools()
        const seen: unknown[] = []
        await client.callTool('a', {}, { meta: { 'com.example/t': '1' }, onProgress: (event) => seen.push(event) })
        expect(seen).toEqual([{ progress: 1 }])
        await client.getPrompt('p', { k: 'v' })
        await client.readResource('a:b')
      },
    )
  })

  it('take batches of a legacy server apart, and never send one', async () => {
    await replay(
      `${handshake('2025-03-26')}
       -> {"jsonrpc":"2.0","id":"$1","method":"tools/call","params":{"name":"a","arguments":{}}}
       -> {"jsonrpc":"2.0","id":"$2","method":"tools/call","params":{"name":"b","arguments":{}}}
       <- [{"jsonrpc":"2.0","id":"$2","result":{"content":[{"type":"text","text":"B"}]}},{"jsonrpc":"2.0","id":"q","method":"ping"},{"jsonrpc":"2.0","id":"$1","result":{"content":[{"type":"text","text":"A"}]}}]
       -> {"jsonrpc":"2.0","id":"q","result":{}}`,
      async (client) => {
        const results = await Promise.all([client.callTool('a'), client.callTool('b')])
        expect(results.map(({ text }) => text)).toEqual(['A', 'B'])
      },
      { era: 'legacy' },
    )
  })
})

describe('giving up', () => {
  it.each([
    ['legacy', handshake('2025-11-25'), ''],
    ['modern', discover(), `,${meta()}`],
  ])('tells the server once, in the %s era on a pipe', async (era, opening, envelope) => {
    await replay(
      `${opening}
       -> {"jsonrpc":"2.0","id":"$1","method":"tools/call","params":{"name":"a","arguments":{}${envelope}}}
       -> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"$1","reason":"$any"}}
       <- {"jsonrpc":"2.0","id":"$1","result":{"content":[]}}
       -> {"jsonrpc":"2.0","id":"$2","method":"tools/call","params":{"name":"b","arguments":{}${envelope}}}
       <- {"jsonrpc":"2.0","id":"$2","result":{"content":[{"type":"text","text":"b"}]}}`,
      async (client) => {
        const controller = new AbortController()
        const call = rejection(client.callTool('a', {}, { signal: controller.signal }))
        await turns()
        controller.abort('enough')
        expect(await call).toBe('enough')
        expect((await client.callTool('b')).text).toBe('b')
      },
      { era },
    )
  })

  it('at a deadline tells the server too', async () => {
    await replay(
      `${handshake('2025-11-25')}
       -> {"jsonrpc":"2.0","id":"$1","method":"tools/call","params":{"name":"a","arguments":{}}}
       -> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"$1","reason":"$any"}}`,
      async (client) => expect(await rejection(client.callTool('a', {}, { timeoutMs: 20 }))).toMatchObject({ code: 'ERR_MCP_TIMEOUT' }),
      { era: 'legacy' },
    )
  })

  it('never cancels a handshake', async () => {
    const server = scriptedServer(`-> {"jsonrpc":"2.0","id":"$1","method":"initialize","params":{"...":true}}`)
    expect(await rejection(connected(server, { ...OPTIONS, era: 'legacy', connectTimeoutMs: 20 }))).toMatchObject({
      code: 'ERR_MCP_TIMEOUT',
    })
    await turns()
    expect(server.problems).toEqual([])
  })
})

describe('questions of the server', () => {
  const FORM = '"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}'
  const both = '{"roots":{},"elicitation":{"form":{},"url":{}}}'

  it('in the legacy era are requests, answered while the call runs', async () => {
    await replay(
      `${handshake('2025-11-25', '{"roots":{"listChanged":true},"elicitation":{"form":{},"url":{}}}')}
       -> {"jsonrpc":"2.0","id":"$1","method":"tools/call","params":{"name":"a","arguments":{}}}
       <- {"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{${FORM}}}
       -> {"jsonrpc":"2.0","id":7,"result":{"action":"accept","content":{"name":"Ada"}}}
       <- {"jsonrpc":"2.0","id":"7","method":"roots/list"}
       -> {"jsonrpc":"2.0","id":"7","result":{"roots":[{"uri":"file:///a"}]}}
       <- {"jsonrpc":"2.0","id":8,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}
       -> {"jsonrpc":"2.0","id":8,"error":{"code":-32601,"message":"$any"}}
       <- {"jsonrpc":"2.0","id":"$1","result":{"content":[]}}
       -> {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`,
      async (client) => {
        await client.callTool('a')
        client.roots = []
        await turns()
      },
      { era: 'legacy', roots: [{ uri: 'file:///a' }], handlers: { elicitation: () => accept({ name: 'Ada' }) } },
    )
  })

  it('in the modern era come as a result, and the answers with the call again', async () => {
    await replay(
      `${discover(both)}
       -> {"jsonrpc":"2.0","id":"$1","method":"tools/call","params":{"name":"a","arguments":{"x":1},${meta(both)}}}
       <- {"jsonrpc":"2.0","id":"$1","result":{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"form",${FORM}}},"where":{"method":"roots/list"}},"requestState":""}}
       -> {"jsonrpc":"2.0","id":"$2","method":"tools/call","params":{"name":"a","arguments":{"x":1},"requestState":"","inputResponses":{"who":{"action":"accept","content":{"name":"Ada"}},"where":{"roots":[{"uri":"file:///a"}]}},${meta(both)}}}
       <- {"jsonrpc":"2.0","id":"$2","result":{"resultType":"complete","content":[]}}
       -> {"jsonrpc":"2.0","id":"$3","method":"tools/call","params":{"name":"b","arguments":{},${meta(both)}}}
       <- {"jsonrpc":"2.0","id":"$3","result":{"content":[]}}`,
      async (client) => {
        await client.callTool('a', { x: 1 })
        await client.callTool('b')
      },
      { roots: [{ uri: 'file:///a' }], handlers: { elicitation: () => accept({ name: 'Ada' }) } },
    )
  })

  it('that are withdrawn are not answered', async () => {
    await replay(
      `${handshake('2025-11-25', '{"elicitation":{"form":{},"url":{}}}')}
       <- {"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{${FORM}}}
       <- {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}
       -> {"jsonrpc":"2.0","id":"$1","method":"ping"}
       <- {"jsonrpc":"2.0","id":"$1","result":[]}`,
      async (client) => {
        await turns()
        await client.ping()
      },
      {
        era: 'legacy',
        handlers: {
          elicitation: (_request, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(accept()))),
        },
      },
    )
  })
})

describe('a refusal that can be mended', () => {
  it('of headers: the tools are listed anew and the call is sent once more', async () => {
    const refused = '"error":{"code":-32020,"message":"Mcp-Param-Region does not match"}'
    await replay(
      `${discover()}
       -> {"jsonrpc":"2.0","id":"$1","method":"tools/call","params":{"name":"a","arguments":{},${meta()}}}
       <- {"jsonrpc":"2.0","id":"$1",${refused}}
       -> {"jsonrpc":"2.0","id":"$2","method":"tools/list","params":{${meta()}}}
       <- {"jsonrpc":"2.0","id":"$2","result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private"}}
       -> {"jsonrpc":"2.0","id":"$3","method":"tools/call","params":{"name":"a","arguments":{},${meta()}}}
       <- {"jsonrpc":"2.0","id":"$3","result":{"content":[{"type":"text","text":"ok"}]}}`,
      async (client) => expect((await client.callTool('a')).text).toBe('ok'),
    )
  })

  it('of headers, twice: the second refusal is the answer', async () => {
    const refused = '"error":{"code":-32020,"message":"Mcp-Param-Region does not match"}'
    await replay(
      `${discover()}
       -> {"jsonrpc":"2.0","id":"$1","method":"tools/call","params":{"name":"a","arguments":{},${meta()}}}
       <- {"jsonrpc":"2.0","id":"$1",${refused}}
       -> {"jsonrpc":"2.0","id":"$2","method":"tools/list","params":{${meta()}}}
       <- {"jsonrpc":"2.0","id":"$2","result":{"tools":[],"ttlMs":0,"cacheScope":"private"}}
       -> {"jsonrpc":"2.0","id":"$3","method":"tools/call","params":{"name":"a","arguments":{},${meta()}}}
       <- {"jsonrpc":"2.0","id":"$3",${refused}}`,
      async (client) => expect(await rejection(client.callTool('a'))).toMatchObject({ rpcCode: -32020, outcome: 'not-run' }),
    )
  })
})

describe('changes that a server tells', () => {
  const DECLARED = '{"tools":{"listChanged":true},"resources":{"subscribe":true}}'
  const told = (id: string, method: string, more = ''): string =>
    `<- {"jsonrpc":"2.0","method":"notifications/${method}","params":{${more}"_meta":{"io.modelcontextprotocol/subscriptionId":"${id}"}}}`
  const listen = (id: string, filter: string): string => `
    -> {"jsonrpc":"2.0","id":"${id}","method":"subscriptions/listen","params":{"notifications":${filter},${meta()}}}
    ${told(id, 'subscriptions/acknowledged', `"notifications":${filter},`)}`

  it('are asked for by one stream with the union of what is wanted: the next one is there before the last one ends', async () => {
    const seen: string[] = []
    await replay(
      `${discover('{}', DECLARED)}
       ${listen('$a', '{"toolsListChanged":true}')}
       ${told('$a', 'tools/list_changed')}
       ${listen('$b', '{"toolsListChanged":true,"resourceSubscriptions":["a:1"]}')}
       -> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"$a","reason":"no longer wanted"}}
       ${told('$b', 'resources/updated', '"uri":"a:1",')}
       ${listen('$c', '{"toolsListChanged":true}')}
       -> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"$b","reason":"no longer wanted"}}
       ${told('$c', 'tools/list_changed')}
       -> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"$c","reason":"no longer wanted"}}`,
      async (client) => {
        const stop = client.on('toolsChanged', () => seen.push('tools'))
        await until(() => seen.length === 1)
        for await (const { uri } of client.watch('a:1')) {
          seen.push(uri)
          break
        }
        await until(() => seen.length === 3)
        stop()
      },
    )
    expect(seen).toEqual(['tools', 'a:1', 'tools'])
  })

  it('of a resource are asked for by a request of its own in older revisions', async () => {
    await replay(
      `${handshake('2025-06-18', '{}', DECLARED)}
       <- {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
       -> {"jsonrpc":"2.0","id":"$a","method":"resources/subscribe","params":{"uri":"a:1"}}
       <- {"jsonrpc":"2.0","id":"$a","result":{}}
       <- {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:1"}}
       -> {"jsonrpc":"2.0","id":"$b","method":"resources/unsubscribe","params":{"uri":"a:1"}}
       <- {"jsonrpc":"2.0","id":"$b","result":{}}`,
      async (client) => {
        for await (const { uri } of client.watch('a:1')) {
          expect(uri).toBe('a:1')
          break
        }
      },
      { era: 'legacy' },
    )
  })
})

describe('a task', () => {
  const EXTENSION = '"extensions":{"io.modelcontextprotocol/tasks":{}}'
  const times = '"createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z"'
  const extensions = ['io.modelcontextprotocol/tasks']

  it('is the choice of the server in 2026-07-28, asks in its state and ends in it', async () => {
    const capabilities = `{"elicitation":{"form":{},"url":{}},${EXTENSION}}`
    const own = meta(capabilities)
    const state = (status: string, more = ''): string =>
      `"result":{"resultType":"complete","taskId":"t1","status":"${status}",${times},"ttlMs":60000,"pollIntervalMs":100${more}}`
    const question =
      '"method":"elicitation/create","params":{"mode":"form","message":"Sure?","requestedSchema":{"type":"object","properties":{}}}'
    await replay(
      `${discover(capabilities, `{"tools":{},${EXTENSION}}`)}
       -> {"jsonrpc":"2.0","id":"$call","method":"tools/call","params":{"name":"job","arguments":{},${own}}}
       <- {"jsonrpc":"2.0","id":"$call","result":{"resultType":"task","taskId":"t1","status":"working",${times},"ttlMs":60000,"pollIntervalMs":100}}
       -> {"jsonrpc":"2.0","id":"$listen","method":"subscriptions/listen","params":{"notifications":{"taskIds":["t1"]},${own}}}
       <- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"taskIds":["t1"]},"_meta":{"io.modelcontextprotocol/subscriptionId":"$listen"}}}
       -> {"jsonrpc":"2.0","id":"$get","method":"tasks/get","params":{"taskId":"t1",${own}}}
       <- {"jsonrpc":"2.0","id":"$get",${state('input_required', `,"inputRequests":{"q":{${question}}}`)}}
       -> {"jsonrpc":"2.0","id":"$update","method":"tasks/update","params":{"taskId":"t1","inputResponses":{"q":{"action":"decline"}},${own}}}
       <- {"jsonrpc":"2.0","id":"$update","result":{"resultType":"complete"}}
       -> {"jsonrpc":"2.0","id":"$again","method":"tasks/get","params":{"taskId":"t1",${own}}}
       <- {"jsonrpc":"2.0","id":"$again",${state('completed', ',"result":{"content":[{"type":"text","text":"done"}]}')}}
       -> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"$listen","...":true}}`,
      async (client) => {
        const task = await client.callToolAsTask('job')
        expect(task.id).toBe('t1')
        expect((await task.result()).text).toBe('done')
      },
      { extensions, handlers: { elicitation: () => decline() } },
    )
  })

  it('is wished for by the client in 2025-11-25, and its result is a request of its own', async () => {
    const task = (status: string): string => `{"taskId":"t1","status":"${status}",${times},"ttl":60000,"pollInterval":100}`
    await replay(
      `${handshake('2025-11-25', '{}', '{"tools":{},"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}}')}
       -> {"jsonrpc":"2.0","id":"$list","method":"tools/list"}
       <- {"jsonrpc":"2.0","id":"$list","result":{"tools":[{"name":"job","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}]}}
       -> {"jsonrpc":"2.0","id":"$call","method":"tools/call","params":{"name":"job","arguments":{},"task":{"ttl":60000}}}
       <- {"jsonrpc":"2.0","id":"$call","result":{"task":${task('working')}}}
       -> {"jsonrpc":"2.0","id":"$get","method":"tasks/get","params":{"taskId":"t1"}}
       <- {"jsonrpc":"2.0","id":"$get","result":${task('completed')}}
       -> {"jsonrpc":"2.0","id":"$result","method":"tasks/result","params":{"taskId":"t1"}}
       <- {"jsonrpc":"2.0","id":"$result","result":{"content":[{"type":"text","text":"done"}],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t1"}}}}
       -> {"jsonrpc":"2.0","id":"$other","method":"tools/call","params":{"name":"job","arguments":{},"task":{}}}
       <- {"jsonrpc":"2.0","id":"$other","result":{"task":${task('working')}}}
       -> {"jsonrpc":"2.0","id":"$cancel","method":"tasks/cancel","params":{"taskId":"t1"}}
       <- {"jsonrpc":"2.0","id":"$cancel","result":${task('cancelled')}}`,
      async (client) => {
        const first = await client.callToolAsTask('job', {}, { ttlMs: 60_000 })
        expect((await first.result()).text).toBe('done')
        const second = await client.callToolAsTask('job')
        await second.cancel()
        expect(second.status).toBe('cancelled')
      },
      { era: 'legacy' },
    )
  })
})

describe('odd answers', () => {
  it('do not cost the connection', async () => {
    await replay(
      `${handshake('2025-11-25')}
       <~ not JSON
       <~ {"half":
       <- 42
       <- null
       <- {"jsonrpc":"2.0","id":4711,"result":{}}
       <- {"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}
       -> {"jsonrpc":"2.0","id":"$1","method":"tools/call","params":{"name":"a","arguments":{}}}
       <- {"jsonrpc":"2.0","id":"$1","result":{"content":[{"type":"future","x":1}]}}
       <- {"jsonrpc":"2.0","id":"$1","result":{"content":[]}}
       -> {"jsonrpc":"2.0","id":"$2","method":"tools/call","params":{"name":"b","arguments":{}}}
       <- {"jsonrpc":"2.0","id":"$2"}
       -> {"jsonrpc":"2.0","id":"$3","method":"tools/call","params":{"name":"c","arguments":{}}}
       <- {"jsonrpc":"2.0","id":"$3","result":{"content":[]}}`,
      async (client) => {
        expect((await client.callTool('a')).content).toEqual([{ type: 'future', x: 1 }])
        expect(await rejection(client.callTool('b'))).toMatchObject({ code: 'ERR_MCP_PROTOCOL', outcome: 'answered' })
        expect((await client.callTool('c')).content).toEqual([])
      },
      { era: 'legacy' },
    )
  })

  it('are named when they explain a silence: an answer with another id', async () => {
    const server = scriptedServer(
      `${handshake('2025-11-25')}
       -> {"jsonrpc":"2.0","id":"$1","method":"tools/call","params":{"name":"a","arguments":{}}}
       <- {"jsonrpc":"2.0","id":0,"result":{"content":[]}}`,
    )
    const client = await connected(server, { ...OPTIONS, era: 'legacy' })
    const error = await rejection(client.callTool('a', {}, { timeoutMs: 30 }))
    expect((error as Error).message).toMatch(/meanwhile: .*id 0/)
  })
})
