import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ElicitAnswer, TimeoutError } from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { type Ask, ERAS, legacyServer, modernServer, SILENCE, TEXT_RESULT } from '../../support/fake-server.ts'
import { rejection, turns, until } from '../../support/settled.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

async function advance(ms: number): Promise<void> {
  await turns(3)
  await vi.advanceTimersByTimeAsync(ms)
  await turns(3)
}

/** What became of a promise so far. */
function watch(promise: Promise<unknown>): { state: 'pending' | 'resolved' | 'rejected'; error?: unknown } {
  const seen: { state: 'pending' | 'resolved' | 'rejected'; error?: unknown } = { state: 'pending' }
  promise.then(
    () => {
      seen.state = 'resolved'
    },
    (error: unknown) => {
      seen.state = 'rejected'
      seen.error = error
    },
  )
  return seen
}

const progressOf = (ask: Ask, progress: number): unknown => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: (ask.params._meta as { progressToken: number }).progressToken, progress },
})

describe.each(ERAS)('deadlines, %s era', (_era, server) => {
  it('end a silent call at its time, not before, and tell the server once', async () => {
    const fake = server({ 'tools/call': () => SILENCE })
    const client = await connected(fake)
    const call = watch(client.callTool('x', {}, { timeoutMs: 5_000 }))
    await advance(4_990)
    expect(call.state).toBe('pending')
    await advance(15)
    expect(call.error).toBeInstanceOf(TimeoutError)
    expect(call.error).toMatchObject({
      code: 'ERR_MCP_TIMEOUT',
      timeoutMs: 5_000,
      outcome: 'unknown',
      method: 'tools/call',
      server: 'fake',
    })
    expect((call.error as Error).message).toMatch(/tools\/call within 5000 ms \(timeoutMs\)/)
    const cancels = fake.calls('notifications/cancelled')
    expect(cancels).toHaveLength(1)
    expect(cancels[0]?.params).toMatchObject({ requestId: fake.calls('tools/call')[0]?.id })
  })

  it('have the default of 60 seconds, and that of the client', async () => {
    const slow = await connected(server({ 'tools/call': () => SILENCE }))
    const quick = await connected(server({ 'tools/call': () => SILENCE }), { timeoutMs: 100 })
    const first = watch(slow.callTool('x'))
    const second = watch(quick.callTool('x'))
    await advance(105)
    expect([first.state, second.state]).toEqual(['pending', 'rejected'])
    await advance(59_880)
    expect(first.state).toBe('pending')
    await advance(20)
    expect(first.error).toMatchObject({ timeoutMs: 60_000 })
  })

  it('are each their own for many calls at once', async () => {
    const client = await connected(server({ 'tools/call': () => SILENCE }))
    const calls = [300, 100, 200, 100_000, 50].map((timeoutMs) => ({ timeoutMs, seen: watch(client.callTool('x', {}, { timeoutMs })) }))
    for (const now of [60, 110, 210, 310]) {
      await advance(now === 60 ? 60 : now === 110 ? 50 : 100)
      for (const { timeoutMs, seen } of calls) expect(seen.state, `${timeoutMs} at ${now}`).toBe(timeoutMs < now ? 'rejected' : 'pending')
    }
    calls.push({ timeoutMs: 20, seen: watch(client.callTool('x', {}, { timeoutMs: 20 })) })
    await advance(25)
    expect(calls.at(-1)?.seen.state).toBe('rejected')
  })

  it('may be without end', async () => {
    let answer = (): void => {}
    const client = await connected(
      server({
        'tools/call': () =>
          new Promise((resolve) => {
            answer = () => resolve(TEXT_RESULT)
          }),
      }),
    )
    const call = watch(client.callTool('x', {}, { timeoutMs: Number.POSITIVE_INFINITY }))
    await advance(1_000_000_000)
    expect(call.state).toBe('pending')
    answer()
    await turns()
    expect(call.state).toBe('resolved')
  })

  it.each([
    ['timeoutMs', Number.NaN],
    ['timeoutMs', 0],
    ['timeoutMs', -1],
    ['timeoutMs', '5'],
    ['maxTotalTimeoutMs', Number.NaN],
  ])('that are no number of milliseconds are a TypeError and disturb no other call: %s %s', async (name, value) => {
    const fake = server({ 'tools/call': () => SILENCE })
    const client = await connected(fake)
    const good = watch(client.callTool('x', {}, { timeoutMs: 100 }))
    await turns()
    const error = await rejection(client.callTool('x', {}, { [name]: value }))
    expect(error).toBeInstanceOf(TypeError)
    expect((error as Error).message).toContain(name)
    await advance(110)
    expect(good.error).toBeInstanceOf(TimeoutError)
    expect(fake.calls('tools/call')).toHaveLength(1)
  })

  it('are not lengthened by progress unless asked for; then the error names the option', async () => {
    let ask: Ask | undefined
    const client = await connected(
      server({
        'tools/call': (given) => {
          ask = given
          return SILENCE
        },
      }),
    )
    const call = watch(client.callTool('x', {}, { timeoutMs: 1_000, onProgress: () => {} }))
    await advance(900)
    ask?.send(progressOf(ask, 1))
    await advance(110)
    expect(call.error).toBeInstanceOf(TimeoutError)
    expect((call.error as Error).message).toContain('resetTimeoutOnProgress')
    expect((call.error as Error).message).toMatch(/1\d\d ms ago/)
  })

  it('start again with each progress when asked for, until the total is over', async () => {
    let ask: Ask | undefined
    const client = await connected(
      server({
        'tools/call': (given) => {
          ask = given
          return SILENCE
        },
      }),
    )
    const call = watch(client.callTool('x', {}, { timeoutMs: 1_000, resetTimeoutOnProgress: true, maxTotalTimeoutMs: 5_000 }))
    for (let step = 1; step <= 5; step++) {
      await advance(900)
      expect(call.state, `step ${step}`).toBe('pending')
      ask?.send(progressOf(ask, step))
    }
    await advance(400)
    expect(call.state).toBe('pending')
    await advance(110)
    expect(call.error).toMatchObject({ code: 'ERR_MCP_TIMEOUT', timeoutMs: 5_000 })
    expect((call.error as Error).message).toContain('maxTotalTimeoutMs')
  })

  it('drop an answer that comes too late, and the connection goes on', async () => {
    const answers: (() => void)[] = []
    const client = await connected(server({ 'tools/call': () => new Promise((resolve) => answers.push(() => resolve(TEXT_RESULT))) }))
    const late = watch(client.callTool('x', {}, { timeoutMs: 100 }))
    await advance(150)
    expect(late.state).toBe('rejected')
    const next = client.callTool('x')
    await turns()
    for (const answer of answers) answer()
    expect((await next).text).toBe('done')
  })

  it('keep no timer when nothing is waited for', async () => {
    const client = await connected(server({ 'tools/call': () => TEXT_RESULT }))
    for (let i = 0; i < 50; i++) await client.callTool('x')
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1)
    await client.close()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('clocks stand still while a handler answers', () => {
  const ELICIT = {
    method: 'elicitation/create',
    params: { mode: 'form', message: 'm', requestedSchema: { type: 'object', properties: {} } },
  }

  function person(): { handler: () => Promise<ElicitAnswer>; answer(): void; asked: number } {
    let answer = (): void => {}
    const state = {
      asked: 0,
      handler: () => {
        state.asked++
        return new Promise<ElicitAnswer>((resolve) => {
          answer = () => resolve({ action: 'accept', content: {} })
        })
      },
      answer: () => answer(),
    }
    return state
  }

  it('of every call on a shared channel in the legacy era, and run on after it', async () => {
    const who = person()
    const fake = legacyServer({
      'tools/call': (ask) => {
        if (ask.params.name === 'ask') ask.send({ jsonrpc: '2.0', id: 'q', ...ELICIT })
        return SILENCE
      },
    })
    const client = await connected(fake, { handlers: { elicitation: who.handler } })
    const asking = watch(client.callTool('ask', {}, { timeoutMs: 1_000, maxTotalTimeoutMs: 2_000 }))
    const other = watch(client.callTool('other', {}, { timeoutMs: 1_000 }))
    await advance(500)
    expect(who.asked).toBe(1)
    await advance(120_000)
    expect([asking.state, other.state]).toEqual(['pending', 'pending'])
    who.answer()
    // The check of what was answered is loaded at its first use, which takes no time of these clocks.
    await until(() => fake.received.some((message) => message.id === 'q'))
    await advance(400)
    expect([asking.state, other.state]).toEqual(['pending', 'pending'])
    await advance(700)
    expect([asking.state, other.state]).toEqual(['rejected', 'rejected'])
    expect(asking.error).toMatchObject({ timeoutMs: 1_000 })
  })

  it('not of a call that the handler itself makes', async () => {
    const fake = legacyServer({
      'tools/call': (ask) => {
        if (ask.params.name === 'ask') ask.send({ jsonrpc: '2.0', id: 'q', ...ELICIT })
        return SILENCE
      },
    })
    let inner: ReturnType<typeof watch> | undefined
    const client = await connected(fake, {
      handlers: {
        elicitation: async () => {
          const call = client.callTool('inner', {}, { timeoutMs: 300 })
          inner = watch(call)
          await call.catch(() => {})
          return { action: 'decline' }
        },
      },
    })
    const outer = watch(client.callTool('ask', {}, { timeoutMs: 1_000 }))
    await advance(310)
    expect(inner?.error).toBeInstanceOf(TimeoutError)
    expect(outer.state).toBe('pending')
    expect(fake.received.find((message) => message.id === 'q')).toMatchObject({ result: { action: 'decline' } })
  })

  it('also of the whole call in the modern era, where each leg has its time anew', async () => {
    const who = person()
    const fake = modernServer({
      'tools/call': ({ params }) =>
        params.requestState === undefined ? { resultType: 'input_required', inputRequests: { k: ELICIT }, requestState: 's' } : SILENCE,
    })
    const client = await connected(fake, { handlers: { elicitation: who.handler } })
    const call = watch(client.callTool('x', {}, { timeoutMs: 1_000, maxTotalTimeoutMs: 1_500 }))
    await advance(100_000)
    expect(call.state).toBe('pending')
    who.answer()
    await until(() => fake.calls('tools/call').length === 2)
    await advance(990)
    expect(call.state).toBe('pending')
    await advance(20)
    expect(call.error).toMatchObject({ timeoutMs: 1_000 })
  })

  it('for at most handlerTimeoutMs: then a form is answered with a cancel and the handler is told', async () => {
    let signal: AbortSignal | undefined
    const fake = legacyServer({
      'tools/call': (ask) => {
        ask.send({ jsonrpc: '2.0', id: 'q', ...ELICIT })
        return SILENCE
      },
    })
    const client = await connected(fake, {
      handlerTimeoutMs: 5_000,
      handlers: {
        elicitation: (_request, context) => {
          signal = context.signal
          return new Promise(() => {})
        },
      },
    })
    const call = watch(client.callTool('x', {}, { timeoutMs: 1_000 }))
    await advance(4_900)
    expect(signal?.aborted).toBe(false)
    await advance(200)
    expect(signal?.aborted).toBe(true)
    expect(fake.received.find((message) => message.id === 'q')).toEqual({ jsonrpc: '2.0', id: 'q', result: { action: 'cancel' } })
    expect(call.state).toBe('pending')
    await advance(1_000)
    expect(call.error).toBeInstanceOf(TimeoutError)
  })

  it('and sampling that takes too long is an error for the server', async () => {
    const fake = legacyServer({
      'tools/call': (ask) => {
        ask.send({ jsonrpc: '2.0', id: 'q', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } })
        return SILENCE
      },
    })
    const client = await connected(fake, { handlerTimeoutMs: 5_000, handlers: { sampling: () => new Promise(() => {}) } })
    watch(client.callTool('x'))
    await advance(5_100)
    expect(fake.received.find((message) => message.id === 'q')).toMatchObject({ error: { code: -32603 } })
  })
})

describe('the time for connecting', () => {
  it('ends with what was odd meanwhile', async () => {
    const fake = modernServer({ 'server/discover': () => SILENCE, initialize: () => SILENCE })
    const error = rejection(connected(fake, { connectTimeoutMs: 2_000, era: 'legacy' }))
    await advance(10)
    fake.raw('Listening on stdin {"jsonrpc":')
    await advance(2_000)
    expect(await error).toBeInstanceOf(TimeoutError)
    expect(await error).toMatchObject({ timeoutMs: 2_000, outcome: 'not-run', retryable: true, server: 'fake' })
    expect(((await error) as Error).message).toMatch(/connectTimeoutMs.*Listening on stdin/)
    expect(fake.open).toBe(0)
  })

  it('ends with the refusal as its cause when a discovery is waited for in vain', async () => {
    const fake = modernServer({
      'server/discover': () => SILENCE,
      initialize: ({ id, send }) => {
        send({ jsonrpc: '2.0', id, error: { code: -32000, message: 'licence expired' } })
        return SILENCE
      },
    })
    const error = rejection(connected(fake, { probeTimeoutMs: 100, connectTimeoutMs: 2_000 }))
    await advance(2_100)
    expect(await error).toMatchObject({ code: 'ERR_MCP_TIMEOUT', cause: { rpcCode: -32000, message: 'licence expired' } })
  })

  it('ends by the caller with the reason that was given, and leaves nothing open', async () => {
    const fake = legacyServer({ initialize: () => SILENCE })
    const controller = new AbortController()
    const error = rejection(connected(fake, { era: 'legacy', signal: controller.signal }))
    await advance(10)
    const reason = new Error('changed my mind')
    controller.abort(reason)
    await turns()
    expect(await error).toBe(reason)
    expect(fake.open).toBe(0)
    expect(fake.calls('notifications/cancelled')).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is not begun when the caller has given up before', async () => {
    const fake = legacyServer()
    expect(await rejection(connected(fake, { signal: AbortSignal.abort('no') }))).toBe('no')
    expect(fake.received).toEqual([])
  })

  it('has a signal that ends the connecting only', async () => {
    const controller = new AbortController()
    const client = await connected(legacyServer({ 'tools/call': () => TEXT_RESULT }), { signal: controller.signal })
    controller.abort()
    await turns()
    expect(client.state).toBe('ready')
    expect((await client.callTool('x')).text).toBe('done')
  })

  it('counts the silence of a probe from the opening', async () => {
    const fake = legacyServer({ 'server/discover': () => SILENCE })
    const client = connected(fake, { probeTimeoutMs: 700 })
    await advance(650)
    expect(fake.calls('initialize')).toEqual([])
    await advance(60)
    expect((await client).protocolVersion).toBe('2025-11-25')
    expect(fake.opened).toBe(1)
  })

  it('has 3 seconds for a silent probe by default', async () => {
    const fake = legacyServer({ 'server/discover': () => SILENCE })
    const client = connected(fake)
    await advance(2_990)
    expect(fake.calls('initialize')).toEqual([])
    await advance(20)
    expect((await client).protocolVersion).toBe('2025-11-25')
  })
})
