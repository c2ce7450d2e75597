import { beforeEach, describe, expect, it } from 'vitest'
import type { Wire } from '../../../src/era/era.ts'
import { type Dial, negotiate } from '../../../src/era/negotiate.ts'
import { VerdictCache } from '../../../src/era/verdict-cache.ts'
import { allowedBy, PROTOCOL_VERSIONS } from '../../../src/era/versions.ts'
import { ConnectionError, ProtocolError, RpcError } from '../../../src/errors.ts'
import { Extensions } from '../../../src/features/extensions.ts'
import type { Params } from '../../../src/jsonrpc/message.ts'
import type { Answer, Connection, LinkTerms, Transport } from '../../../src/transport/transport.ts'
import { rejection, turns } from '../../support/settled.ts'

type Reply =
  | { result: unknown }
  | { error: { code: number; message: string; data?: unknown }; status?: number }
  | { fails: unknown }
  | 'silent'

/** One process or connection of a server: what it does with each request. */
type Life = (method: string, params: Params) => Reply | Promise<Reply>

interface Log {
  readonly method: string
  readonly params?: Params | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

let dials = 0
let sent: Log[] = []
let adopted: LinkTerms[] = []
let closed = 0
let goSilent: () => void = () => {}

beforeEach(() => {
  dials = 0
  sent = []
  adopted = []
  closed = 0
  goSilent = () => {}
})

/** Dials one life after the other; the last one again and again. `pipe` has a moment from which it counts as silent. */
function dialOf(lives: readonly Life[], pipe: boolean): Dial {
  return async (): Promise<Wire> => {
    const life = lives[Math.min(dials++, lives.length - 1)] ?? (() => 'silent')
    const connection = {
      ownReplyStream: !pipe,
      adopt: (terms: LinkTerms) => void adopted.push(terms),
      close: async () => void closed++,
    } as unknown as Connection
    const silent = new Promise<void>((resolve) => {
      goSilent = resolve
    })
    return {
      connection,
      declared: { clientInfo: { name: 'test', version: '1' }, capabilities: { roots: {} }, extended: new Extensions() },
      silent: pipe ? silent : undefined,
      notify: async (method) => void sent.push({ method }),
      async request(method, params, headers) {
        sent.push({ method, params, headers })
        const reply = await life(method, params)
        if (reply === 'silent') return new Promise<Answer>(() => {})
        if ('fails' in reply) throw reply.fails
        return { jsonrpc: '2.0', id: sent.length, ...reply } as Answer
      },
    }
  }
}

const transport: Transport = {
  kind: 'test',
  label: 'test',
  identity: 'the server',
  open: () => Promise.reject(new Error('only dialled')),
}

function run(lives: Life | readonly Life[], { era = 'auto', pipe = true, verdicts = new VerdictCache() } = {}) {
  const all = typeof lives === 'function' ? [lives] : lives
  return negotiate([transport], dialOf(all, pipe), allowedBy(era), verdicts)
}

const methods = (): string[] => sent.map(({ method }) => method)
const DISCOVERED = { result: { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, instructions: 'be kind' } }
const accepted = (version: unknown): Reply => ({
  result: { protocolVersion: version, capabilities: {}, serverInfo: { name: 's', version: '1' } },
})
const unknown: Reply = { error: { code: -32601, message: 'unknown method' } }
const gone = { fails: new ConnectionError({ kind: 'exit', message: 'the process ended', exitCode: 1 }, { outcome: 'unknown' }) }

const modernOnly: Life = (method) =>
  method === 'server/discover' ? DISCOVERED : { error: { code: -32022, message: 'no', data: { supported: ['2026-07-28'] } } }
const legacyOnly =
  (version: unknown = '2025-11-25'): Life =>
  (method) =>
    method === 'initialize' ? accepted(version) : unknown

describe('negotiation', () => {
  it('asks a modern server once, and adopts no session', async () => {
    const link = await run(modernOnly)
    expect(methods()).toEqual(['server/discover'])
    expect(link).toMatchObject({ era: { name: 'modern', version: '2026-07-28' }, discovered: { instructions: 'be kind' } })
    expect(adopted).toEqual([{ version: '2026-07-28', headers: { 'mcp-protocol-version': '2026-07-28' }, stateful: false }])
    const [probe] = sent
    expect(probe?.params?._meta).toEqual({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { roots: {} },
    })
    expect(probe?.headers).toEqual({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' })
  })

  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
    'greets a server of %s after its refusal of the probe',
    async (version) => {
      const link = await run(legacyOnly(version))
      expect(methods()).toEqual(['server/discover', 'initialize', 'notifications/initialized'])
      expect(link.era).toMatchObject({ name: 'legacy', version })
      expect(sent[1]?.params).toEqual({
        protocolVersion: '2025-11-25',
        capabilities: { roots: {} },
        clientInfo: { name: 'test', version: '1' },
      })
      expect(sent[1]?.headers).toBeUndefined()
      const headers = version >= '2025-06-18' ? { 'mcp-protocol-version': version } : {}
      expect(adopted).toEqual([{ version, headers, stateful: true }])
      expect(dials).toBe(1)
    },
  )

  it('greets a silent server on the same pipe, and leaves it when that is accepted', async () => {
    const link = run((method) => (method === 'initialize' ? accepted('2024-11-05') : 'silent'))
    await turns()
    expect(methods()).toEqual(['server/discover'])
    goSilent()
    expect((await link).era.version).toBe('2024-11-05')
    expect(dials).toBe(1)
  })

  it('waits for the discovery of a slow server that refuses the greeting', async () => {
    let answer: (reply: Reply) => void = () => {}
    const slow = new Promise<Reply>((resolve) => {
      answer = resolve
    })
    const link = run((method) => (method === 'server/discover' ? slow : unknown))
    goSilent()
    await turns()
    expect(methods()).toEqual(['server/discover', 'initialize'])
    answer(DISCOVERED)
    expect((await link).era.name).toBe('modern')
    expect(dials).toBe(1)
    expect(closed).toBe(0)
  })

  it('takes a greeting that is accepted for this link although a discovery comes too, and remembers the server as modern', async () => {
    let answer: (reply: Reply) => void = () => {}
    const slow = new Promise<Reply>((resolve) => {
      answer = resolve
    })
    const verdicts = new VerdictCache()
    const link = run((method) => (method === 'server/discover' ? slow : accepted('2025-11-25')), { verdicts })
    await turns()
    goSilent()
    expect((await link).era.name).toBe('legacy')
    expect(verdicts.get('the server')).toBe('legacy')
    answer(DISCOVERED)
    await turns()
    expect(verdicts.get('the server')).toBe('modern')
  })

  it('keeps a late refusal of the probe to itself', async () => {
    let answer: (reply: Reply) => void = () => {}
    const slow = new Promise<Reply>((resolve) => {
      answer = resolve
    })
    const verdicts = new VerdictCache()
    const link = run((method) => (method === 'server/discover' ? slow : accepted('2025-11-25')), { verdicts })
    await turns()
    goSilent()
    await link
    answer(unknown)
    await turns()
    expect(verdicts.get('the server')).toBe('legacy')
    expect(methods()).toEqual(['server/discover', 'initialize', 'notifications/initialized'])
  })

  it('starts a server again that the probe has killed, once, and greets it at once', async () => {
    const link = await run([() => gone, legacyOnly()])
    expect(dials).toBe(2)
    expect(methods()).toEqual(['server/discover', 'initialize', 'notifications/initialized'])
    expect(link.era.name).toBe('legacy')
  })

  it('starts a slow server again that ends at the probe which it reads late', async () => {
    let die: () => void = () => {}
    const dead = new Promise<Reply>((resolve) => {
      die = () => resolve(gone)
    })
    const link = run([() => dead, legacyOnly()])
    await turns()
    goSilent()
    await turns()
    expect(methods()).toEqual(['server/discover', 'initialize'])
    die()
    expect((await link).era.name).toBe('legacy')
    expect(dials).toBe(2)
  })

  it('gives up on a server that ends each time, after two processes', async () => {
    expect(await rejection(run(() => gone))).toBe(gone.fails)
    expect(dials).toBe(2)
    expect(closed).toBe(2)
  })

  it.each([
    ['the version sent', ['2026-07-28']],
    ['the version sent among others', ['2031-01-01', '2026-07-28', '2025-11-25']],
  ])('does not ask for ever a server that refuses %s', async (_what, supported) => {
    const life: Life = () => ({ error: { code: -32022, message: 'no', data: { supported, requested: '2026-07-28' } }, status: 400 })
    expect(await rejection(run(life, { pipe: false }))).toBeInstanceOf(ProtocolError)
    expect(methods().length).toBeLessThanOrEqual(3)
    expect(methods().every((method) => method === 'server/discover')).toBe(true)
    expect(closed).toBe(1)
  })

  it('tries the version sent once more, since some servers refuse the first request', async () => {
    let asked = 0
    const life: Life = () => (asked++ === 0 ? { error: { code: -32022, message: 'no', data: { supported: ['2026-07-28'] } } } : DISCOVERED)
    expect((await run(life)).era.name).toBe('modern')
    expect(asked).toBe(2)
  })

  it('greets with the version that a modern refusal lists', async () => {
    const life: Life = (method, params) =>
      method === 'initialize'
        ? accepted(params.protocolVersion)
        : { error: { code: -32022, message: 'no', data: { supported: ['2025-06-18'] } } }
    expect((await run(life)).era.version).toBe('2025-06-18')
    expect(sent[1]?.params?.protocolVersion).toBe('2025-06-18')
  })

  it('tries once more with a version that a refusal of the greeting lists', async () => {
    const life: Life = (method, params) => {
      if (method !== 'initialize') return unknown
      return params.protocolVersion === '2025-06-18'
        ? accepted('2025-06-18')
        : { error: { code: -32602, message: 'Unsupported protocol version', data: { supported: ['2025-06-18', '2024-11-05'] } } }
    }
    expect((await run(life)).era.version).toBe('2025-06-18')
    expect(methods()).toEqual(['server/discover', 'initialize', 'initialize', 'notifications/initialized'])
  })

  it('is not sent to and fro between two versions', async () => {
    const life: Life = (method, { protocolVersion }) => {
      if (method !== 'initialize') return unknown
      const supported = [protocolVersion === '2025-06-18' ? '2025-11-25' : '2025-06-18']
      return sent.length > 50 ? accepted('2025-06-18') : { error: { code: -32602, message: 'no', data: { supported } } }
    }
    expect(await rejection(run(life))).toBeInstanceOf(RpcError)
    expect(methods().filter((method) => method === 'initialize')).toHaveLength(2)
  })

  it('shows the refusal of a greeting, and is not drawn into a loop by it', async () => {
    const life: Life = (method) =>
      method === 'initialize'
        ? { error: { code: -32602, message: 'Unsupported protocol version', data: { supported: ['2025-06-18', '2025-11-25'] } } }
        : unknown
    const error = await rejection(run(life))
    expect(error).toBeInstanceOf(RpcError)
    expect(error).toMatchObject({ rpcCode: -32602, data: { supported: ['2025-06-18', '2025-11-25'] } })
    expect(methods().filter((method) => method === 'initialize').length).toBeLessThanOrEqual(2)
    expect(closed).toBe(1)
  })

  it.each([['1999-01-01'], [''], [null], [5], ['2026-07-28'], [{ a: 1 }]])('ends with a server that wants to speak %j', async (version) => {
    const error = await rejection(run(legacyOnly(version)))
    expect(error).toBeInstanceOf(ProtocolError)
    if (typeof version === 'string') expect((error as Error).message).toContain(version)
    expect((error as Error).message).toContain('2024-11-05')
    expect(closed).toBe(1)
    expect(methods()).not.toContain('notifications/initialized')
  })

  it.each([[null], [[]], ['yes'], [5]])('ends with a server that greets with %j', async (result) => {
    expect(await rejection(run((method) => (method === 'initialize' ? { result } : unknown)))).toBeInstanceOf(ProtocolError)
    expect(closed).toBe(1)
  })

  it('takes a greeting that leaves out or nulls what it may', async () => {
    const life: Life = (method) =>
      method === 'initialize'
        ? { result: { protocolVersion: '2025-11-25', capabilities: { tools: null }, serverInfo: null, instructions: null } }
        : unknown
    expect((await run(life)).discovered).toEqual({ capabilities: {}, serverInfo: undefined, instructions: undefined })
  })

  it.each([
    [401, 'no evidence'],
    [403, 'no evidence'],
    [500, 'no evidence'],
    [503, 'no evidence'],
  ])('surfaces a %i with %s of an older server, and remembers nothing', async (status) => {
    const verdicts = new VerdictCache()
    const life: Life = () => ({ error: { code: -32000, message: 'no' }, status })
    expect(await rejection(run(life, { pipe: false, verdicts }))).toMatchObject({ status })
    expect(methods()).toEqual(['server/discover'])
    expect(verdicts.get('the server')).toBeUndefined()
  })
})

describe('a pinned revision', () => {
  it.each(PROTOCOL_VERSIONS.slice(1))('%s is asked for without a probe', async (era) => {
    await run(legacyOnly(era), { era })
    expect(methods()).toEqual(['initialize', 'notifications/initialized'])
    expect(sent[0]?.params?.protocolVersion).toBe(era)
  })

  it.each([
    ['2025-11-25', '2025-06-18'],
    ['2024-11-05', '2025-11-25'],
    ['legacy', '2026-07-28'],
  ])('%s does not fall to the %s of the server', async (era, version) => {
    expect(await rejection(run(legacyOnly(version), { era }))).toBeInstanceOf(ProtocolError)
    expect(closed).toBe(1)
  })

  it.each(['modern', '2026-07-28'])('%s never falls back to a greeting', async (era) => {
    const error = await rejection(run(legacyOnly(), { era }))
    expect(error).toBeInstanceOf(ProtocolError)
    expect((error as Error).message).toContain('2026-07-28')
    expect(methods()).toEqual(['server/discover'])
    expect(closed).toBe(1)
  })

  it('modern never falls back from a server that ended either', async () => {
    expect(await rejection(run([() => gone, legacyOnly()], { era: 'modern' }))).toBeDefined()
    expect(methods()).toEqual(['server/discover'])
    expect(dials).toBe(1)
  })

  it('legacy tells a modern-only server from a broken one', async () => {
    const error = await rejection(run(modernOnly, { era: 'legacy' }))
    expect(error).toBeInstanceOf(ProtocolError)
    expect((error as ProtocolError).cause).toBeInstanceOf(RpcError)
    expect(methods()).toEqual(['initialize'])
  })

  it('does not teach what the server could have spoken besides', async () => {
    const verdicts = new VerdictCache()
    const both: Life = (method) => (method === 'initialize' ? accepted('2025-11-25') : DISCOVERED)
    await run(both, { era: 'legacy', verdicts })
    expect((await run(both, { verdicts })).era.name).toBe('modern')
  })
})

describe('what is remembered', () => {
  it('saves the probe of an older server', async () => {
    const verdicts = new VerdictCache()
    await run(legacyOnly(), { verdicts })
    sent = []
    await run(legacyOnly(), { verdicts })
    expect(methods()).toEqual(['initialize', 'notifications/initialized'])
  })

  it('is forgotten when it fails, and the server is asked anew once', async () => {
    const verdicts = new VerdictCache()
    await run(legacyOnly(), { verdicts })
    sent = []
    dials = 0
    const link = await run(modernOnly, { verdicts })
    expect(link.era.name).toBe('modern')
    expect(methods()).toEqual(['initialize', 'server/discover'])
    expect(dials).toBe(2)
    expect(closed).toBe(1)
    expect(verdicts.get('the server')).toBe('modern')
  })

  it('is forgotten when nothing works, after one more try', async () => {
    const verdicts = new VerdictCache()
    await run(legacyOnly(), { verdicts })
    dials = 0
    const broken = { fails: new ConnectionError({ kind: 'network', message: 'down' }) }
    expect(await rejection(run(() => broken, { verdicts }))).toBe(broken.fails)
    expect(dials).toBe(2)
    expect(verdicts.get('the server')).toBeUndefined()
  })

  it.each([
    ['refuses the greeting', modernOnly('initialize', {})],
    ['has answered both by then', accepted('2025-11-25')],
  ])('gives a server that is known to be modern the time it needs, when it %s', async (_what, greeting) => {
    const verdicts = new VerdictCache()
    await run(modernOnly, { verdicts })
    sent = []
    let answer: (reply: Reply) => void = () => {}
    const slow = new Promise<Reply>((resolve) => {
      answer = resolve
    })
    const link = run((method) => (method === 'initialize' ? slow.then(() => greeting) : slow), { verdicts })
    await turns()
    goSilent()
    await turns()
    expect(methods()).toEqual(['server/discover', 'initialize'])
    answer(DISCOVERED)
    expect((await link).era.name).toBe('modern')
  })

  it('does not hold up a server that is an older one now, and silent to the probe', async () => {
    const verdicts = new VerdictCache()
    await run(modernOnly, { verdicts })
    const link = run((method) => (method === 'initialize' ? accepted('2025-11-25') : 'silent'), { verdicts })
    await turns()
    goSilent()
    expect((await link).era.name).toBe('legacy')
    expect(verdicts.get('the server')).toBe('legacy')
  })
})
