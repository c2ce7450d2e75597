import { describe, expect, it, vi } from 'vitest'
import { accept, decline, HandlerError, ProtocolError, RpcError } from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { type Message, modernServer, ServerError, TEXT_RESULT } from '../../support/fake-server.ts'
import { rejection, turns, until } from '../../support/settled.ts'

const FORM = { method: 'elicitation/create', params: { mode: 'form', message: 'm', requestedSchema: { type: 'object', properties: {} } } }
const SAMPLE = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 5 } }
const ROOTS = { method: 'roots/list' }
const asked = (more: object): object => ({ resultType: 'input_required', ...more })

const paramsOf = (message: Message | undefined): Message => (message?.params ?? {}) as Message

describe('a call that the server answers with questions', () => {
  it('goes out again with the answers under their keys, the same parameters and a new id', async () => {
    const fake = modernServer({
      'tools/call': ({ params }) =>
        params.inputResponses === undefined
          ? asked({ inputRequests: { 'a key': FORM, s: SAMPLE, r: ROOTS }, requestState: 'opaque' })
          : TEXT_RESULT,
    })
    const client = await connected(fake, {
      roots: [{ uri: 'file:///a' }],
      handlers: { elicitation: () => accept({ x: 'y' }), sampling: () => 'sampled' },
    })
    const args = { deep: { list: [1, null, 'ä'] } }
    expect((await client.callTool('x', args, { meta: { 'com.example/k': 1 } })).text).toBe('done')
    const [first, second] = fake.calls('tools/call')
    expect(second?.id).not.toBe(first?.id)
    const { _meta: metaBefore, ...before } = paramsOf(first)
    const { _meta: metaAfter, inputResponses, requestState, ...after } = paramsOf(second)
    expect(after).toEqual(before)
    expect(metaAfter).toEqual(metaBefore)
    expect(requestState).toBe('opaque')
    expect(inputResponses).toEqual({
      'a key': { action: 'accept', content: { x: 'y' } },
      s: { role: 'assistant', content: { type: 'text', text: 'sampled' }, model: 'unknown', stopReason: 'endTurn' },
      r: { roots: [{ uri: 'file:///a' }] },
    })
  })

  it.each([[''], ['x'], ['{"json": "no matter"}'], ['\u0000 \u2028 ä 🙂 "\\'], ['y'.repeat(100_000)]])(
    'carries the state back exactly: %j',
    async (requestState) => {
      const fake = modernServer({
        'tools/call': ({ params }) =>
          params.inputResponses === undefined ? asked({ inputRequests: { r: ROOTS }, requestState }) : TEXT_RESULT,
      })
      await (await connected(fake, { roots: [] })).callTool('x')
      expect(paramsOf(fake.calls('tools/call')[1]).requestState).toBe(requestState)
    },
  )

  it.each([
    ['absent', {}],
    ['null', { requestState: null }],
  ])('carries no state when it is %s', async (_what, state) => {
    const fake = modernServer({
      'tools/call': ({ params }) => (params.inputResponses === undefined ? asked({ inputRequests: { r: ROOTS }, ...state }) : TEXT_RESULT),
    })
    await (await connected(fake, { roots: [] })).callTool('x')
    expect('requestState' in paramsOf(fake.calls('tools/call')[1])).toBe(false)
  })

  it('does not repeat the answers and the state of earlier rounds', async () => {
    let round = 0
    const fake = modernServer({
      'tools/call': () => {
        round++
        if (round === 1) return asked({ inputRequests: { one: ROOTS }, requestState: 's1' })
        if (round === 2) return asked({ inputRequests: { two: ROOTS } })
        return TEXT_RESULT
      },
    })
    await (await connected(fake, { roots: [] })).callTool('x')
    const [, second, third] = fake.calls('tools/call').map(paramsOf)
    expect(Object.keys(second?.inputResponses as object)).toEqual(['one'])
    expect(Object.keys(third?.inputResponses as object)).toEqual(['two'])
    expect(second?.requestState).toBe('s1')
    expect(third !== undefined && 'requestState' in third).toBe(false)
  })

  it('leaves no trace on other calls', async () => {
    const fake = modernServer({
      'tools/call': ({ params }) =>
        params.name === 'plain' || params.inputResponses !== undefined
          ? TEXT_RESULT
          : asked({ inputRequests: { k: FORM }, requestState: 's' }),
    })
    const client = await connected(fake, {
      handlers: {
        elicitation: async () => {
          await client.callTool('plain')
          return decline()
        },
      },
    })
    await client.callTool('x')
    await client.callTool('plain')
    for (const call of fake.calls('tools/call').filter((message) => paramsOf(message).name === 'plain')) {
      expect(Object.keys(paramsOf(call)).sort()).toEqual(['_meta', 'arguments', 'name'])
    }
  })

  it.each([
    ['prompts/get', { messages: [] }],
    ['resources/read', { contents: [] }],
  ])('may be %s too', async (method, result) => {
    const fake = modernServer({
      [method]: ({ params }) => (params.inputResponses === undefined ? asked({ inputRequests: { r: ROOTS } }) : result),
    })
    const client = await connected(fake, { roots: [] })
    if (method === 'prompts/get') await client.getPrompt('p', { a: 'b' })
    else await client.readResource('file:///x')
    expect(fake.calls(method)).toHaveLength(2)
  })

  it.each(['tools/list', 'prompts/list', 'vendor/x', 'completion/complete'])('may not be %s', async (method) => {
    const fake = modernServer({ [method]: () => asked({ inputRequests: { r: ROOTS } }) })
    const client = await connected(fake, { roots: [] })
    expect(await rejection(client.request(method))).toMatchObject({ code: 'ERR_MCP_PROTOCOL', outcome: 'answered', method })
    expect(fake.calls(method)).toHaveLength(1)
  })

  it.each([
    ['neither questions nor a state', {}],
    ['both null', { inputRequests: null, requestState: null }],
    ['questions that are a list', { inputRequests: [ROOTS] }],
    ['a question without a method', { inputRequests: { k: {} } }],
    ['a question that is null', { inputRequests: { k: null } }],
    ['a state that is a number', { requestState: 5 }],
    ['a state that is an object', { inputRequests: { r: ROOTS }, requestState: {} }],
  ])('may not have %s', async (_what, more) => {
    const fake = modernServer({ 'tools/call': () => asked(more) })
    const client = await connected(fake, { roots: [] })
    expect(await rejection(client.callTool('x'))).toBeInstanceOf(ProtocolError)
    expect(fake.calls('tools/call')).toHaveLength(1)
    expect(client.state).toBe('ready')
  })

  it.each([['surprise'], ['task'], ['COMPLETE'], [''], [5], [{}]])('may not have the resultType %j', async (resultType) => {
    const fake = modernServer({ 'tools/call': () => ({ resultType, content: [] }) })
    expect(await rejection((await connected(fake)).callTool('x'))).toMatchObject({ code: 'ERR_MCP_PROTOCOL', outcome: 'answered' })
  })

  it.each([['complete'], [undefined], [null]])('is complete with the resultType %j', async (resultType) => {
    const fake = modernServer({ 'tools/call': () => ({ resultType, ...TEXT_RESULT }) })
    expect((await (await connected(fake)).callTool('x')).text).toBe('done')
  })

  it.each([
    ['a method that no handler has', { k: SAMPLE }],
    ['one of several', { f: FORM, k: SAMPLE }],
    ['an unknown method', { k: { method: 'vendor/ask' } }],
    ['a method that objects have', { k: { method: 'constructor' } }],
  ])('is an error when it asks by %s, and nobody is asked', async (_what, inputRequests) => {
    let people = 0
    const fake = modernServer({ 'tools/call': () => asked({ inputRequests }) })
    const client = await connected(fake, {
      handlers: {
        elicitation: () => {
          people++
          return decline()
        },
      },
    })
    expect(await rejection(client.callTool('x'))).toMatchObject({
      code: 'ERR_MCP_PROTOCOL',
      outcome: 'answered',
      server: 'fake',
      method: 'tools/call',
    })
    expect(people).toBe(0)
    expect(fake.calls('tools/call')).toHaveLength(1)
  })

  it.each([
    ['refuses by undefined', () => undefined],
    [
      'throws an Error',
      () => {
        throw new Error('model is down')
      },
    ],
    [
      'throws an RpcError',
      () => {
        throw new RpcError(-32020, 'mine')
      },
    ],
  ])('is given up when a handler %s, with an error that is not the server’s', async (_what, sampling) => {
    const fake = modernServer({ 'tools/call': () => asked({ inputRequests: { s: SAMPLE } }) })
    const error = await rejection((await connected(fake, { handlers: { sampling } })).callTool('x'))
    expect(error).toBeInstanceOf(HandlerError)
    expect(error).toMatchObject({ code: 'ERR_MCP_HANDLER', outcome: 'answered', server: 'fake', method: 'tools/call' })
    expect((error as HandlerError).cause).toBeInstanceOf(Error)
    expect(fake.calls('tools/call')).toHaveLength(1)
    expect(fake.calls('tools/list')).toEqual([])
  })

  it('ends the other handlers when one refuses, and sends no half of the answers', async () => {
    let formEnded = false
    const fake = modernServer({ 'tools/call': () => asked({ inputRequests: { f: FORM, s: SAMPLE } }) })
    const client = await connected(fake, {
      handlers: {
        elicitation: (_request, { signal }) =>
          new Promise((resolve) =>
            signal.addEventListener('abort', () => {
              formEnded = true
              resolve(decline())
            }),
          ),
        sampling: () => undefined,
      },
    })
    expect(await rejection(client.callTool('x'))).toBeInstanceOf(HandlerError)
    expect(formEnded).toBe(true)
    expect(fake.calls('tools/call')).toHaveLength(1)
  })

  it('a declined form is an answer', async () => {
    const fake = modernServer({
      'tools/call': ({ params }) => (params.inputResponses === undefined ? asked({ inputRequests: { k: FORM } }) : TEXT_RESULT),
    })
    await (await connected(fake, { handlers: { elicitation: () => decline() } })).callTool('x')
    expect(paramsOf(fake.calls('tools/call')[1]).inputResponses).toEqual({ k: { action: 'decline' } })
  })

  it.each([[1], [3], [10]])('may ask maxRounds times, %i, and no more', async (maxRounds) => {
    let wanted = maxRounds
    let round = 0
    const fake = modernServer({ 'tools/call': () => (round++ < wanted ? asked({ inputRequests: { r: ROOTS } }) : TEXT_RESULT) })
    const client = await connected(fake, { roots: [], limits: { maxRounds } })
    expect((await client.callTool('x')).text).toBe('done')
    expect(fake.calls('tools/call')).toHaveLength(maxRounds + 1)
    round = 0
    wanted = maxRounds + 1
    const error = await rejection(client.callTool('x'))
    expect(error).toMatchObject({ code: 'ERR_MCP_PROTOCOL', outcome: 'answered' })
    expect((error as Error).message).toContain(`maxRounds (${maxRounds})`)
  })

  it.each([[1], [64]])('may ask maxInboundRequests questions at once, %i, and no more', async (maxInboundRequests) => {
    let questions = maxInboundRequests
    const fake = modernServer({
      'tools/call': ({ params }) =>
        params.inputResponses === undefined
          ? asked({ inputRequests: Object.fromEntries(Array.from({ length: questions }, (_, index) => [`q${index}`, ROOTS])) })
          : TEXT_RESULT,
    })
    const client = await connected(fake, { roots: [], limits: { maxInboundRequests } })
    expect((await client.callTool('x')).text).toBe('done')
    questions++
    const error = await rejection(client.callTool('x'))
    expect(error).toMatchObject({ code: 'ERR_MCP_PROTOCOL', outcome: 'answered' })
    expect((error as Error).message).toContain(`maxInboundRequests (${maxInboundRequests})`)
  })

  it('is put off by a state alone: repeated slower and slower, not for ever', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
    try {
      const times: number[] = []
      const fake = modernServer({
        'tools/call': () => {
          times.push(performance.now())
          return asked({ requestState: `s${times.length}` })
        },
      })
      const client = await connected(fake)
      const call = rejection(client.callTool('x'))
      for (let i = 0; i < 1_000 && times.length < 11; i++) {
        await turns(2)
        await vi.advanceTimersByTimeAsync(50)
      }
      expect(await call).toMatchObject({ code: 'ERR_MCP_PROTOCOL' })
      expect(times).toHaveLength(11)
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(50)
      expect(gaps.at(-1)).toBeGreaterThan(3_000)
      expect(fake.calls('tools/call').map((message) => paramsOf(message).requestState)).toEqual([
        undefined,
        ...Array.from({ length: 10 }, (_, i) => `s${i + 1}`),
      ])
    } finally {
      vi.useRealTimers()
    }
  })

  it.each([
    ['during a form', { inputRequests: { k: FORM } }],
    ['during a pause', { requestState: 's' }],
  ])('that is aborted %s stops at once and tells the server nothing: nothing is on the wire', async (_when, more) => {
    let signal: AbortSignal | undefined
    const fake = modernServer({ 'tools/call': () => asked(more) })
    const client = await connected(fake, {
      handlers: {
        elicitation: (_request, context) => {
          signal = context.signal
          return new Promise(() => {})
        },
      },
    })
    const controller = new AbortController()
    const call = rejection(client.callTool('x', {}, { signal: controller.signal }))
    await until(() => fake.calls('tools/call').length === 1)
    await turns()
    controller.abort('enough')
    expect(await call).toBe('enough')
    await turns()
    expect(fake.calls('notifications/cancelled')).toEqual([])
    expect(fake.calls('tools/call')).toHaveLength(1)
    if ('inputRequests' in more) expect(signal?.aborted).toBe(true)
  })

  it('that is aborted on its second leg cancels that leg', async () => {
    const fake = modernServer({
      'tools/call': ({ params }) => (params.inputResponses === undefined ? asked({ inputRequests: { r: ROOTS } }) : new Promise(() => {})),
    })
    const client = await connected(fake, { roots: [] })
    const controller = new AbortController()
    const call = rejection(client.callTool('x', {}, { signal: controller.signal }))
    await until(() => fake.calls('tools/call').length === 2)
    controller.abort('enough')
    expect(await call).toBe('enough')
    await turns()
    expect(fake.calls('notifications/cancelled').map((message) => paramsOf(message).requestId)).toEqual([fake.calls('tools/call')[1]?.id])
  })

  it('asks for progress anew on each leg, and hears it', async () => {
    const fake = modernServer({
      'tools/call': ({ params, send }) => {
        const { progressToken } = params._meta as Message
        send({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken, progress: params.inputResponses === undefined ? 1 : 2 },
        })
        return params.inputResponses === undefined ? asked({ inputRequests: { r: ROOTS } }) : TEXT_RESULT
      },
    })
    const seen: number[] = []
    await (await connected(fake, { roots: [] })).callTool('x', {}, { onProgress: ({ progress }) => seen.push(progress) })
    expect(seen).toEqual([1, 2])
    const tokens = fake.calls('tools/call').map((message) => (paramsOf(message)._meta as Message).progressToken)
    expect(new Set(tokens).size).toBe(2)
  })

  it('ends with the error of a later leg', async () => {
    const fake = modernServer({
      'tools/call': ({ params }) =>
        params.inputResponses === undefined ? asked({ inputRequests: { r: ROOTS } }) : Promise.reject(new ServerError(-32603, 'broken')),
    })
    expect(await rejection((await connected(fake, { roots: [] })).callTool('x'))).toMatchObject({ rpcCode: -32603, outcome: 'answered' })
  })
})

describe('capabilities', () => {
  const elicitation = (): undefined => undefined
  const sampling = (): string => ''
  it.each([
    [{}, {}],
    [{ roots: [] }, { roots: {} }],
    [{ handlers: { sampling } }, { sampling: {} }],
    [{ handlers: { sampling: { createMessage: sampling } } }, { sampling: {} }],
    [{ handlers: { sampling: { createMessage: sampling, tools: true } } }, { sampling: { tools: {} } }],
    [{ handlers: { elicitation } }, { elicitation: { form: {}, url: {} } }],
    [{ handlers: { elicitation: { form: elicitation } } }, { elicitation: { form: {} } }],
    [{ handlers: { elicitation: { url: elicitation } } }, { elicitation: { url: {} } }],
    [{ handlers: { elicitation: { form: elicitation, url: undefined } } }, { elicitation: { form: {} } }],
    [
      { roots: [], handlers: { sampling, elicitation } },
      { roots: {}, sampling: {}, elicitation: { form: {}, url: {} } },
    ],
  ])('are declared by what is registered and by nothing else: %j', async (options, expected) => {
    const fake = modernServer({ 'tools/call': () => TEXT_RESULT })
    await (await connected(fake, options)).callTool('x')
    for (const message of fake.received) {
      expect((paramsOf(message)._meta as Message)['io.modelcontextprotocol/clientCapabilities']).toEqual(expected)
    }
  })
})
