import { expect, it } from 'vitest'
import { VerdictCache } from '../../../src/era/verdict-cache.ts'
import { allowedBy } from '../../../src/era/versions.ts'
import { Extensions } from '../../../src/features/extensions.ts'
import { limitsOf } from '../../../src/limits.ts'
import { SILENT } from '../../../src/session/logger.ts'
import { Session } from '../../../src/session/session.ts'
import { httpTransport } from '../../../src/transport/http/http-node.ts'
import { answerTo } from '../../support/legacy-http.ts'
import { cleanUp, json, serve } from '../transport/http/stand-in.ts'

/** A session over Streamable HTTP with a server that can forget it. */
async function overHttp() {
  const runs: string[] = []
  const known = { given: 0, current: '' }
  const { url } = await serve((one, res) => {
    const { message, headers } = one
    if (message === undefined) return void res.writeHead(one.method === 'DELETE' ? 204 : 405).end()
    if (message.method === 'initialize') known.current = `s${++known.given}`
    else if (headers['mcp-session-id'] !== known.current) return void res.writeHead(404).end()
    if (message.id !== undefined) runs.push(`${known.current} ${message.method}`)
    const answer = answerTo(message, '2025-11-25')
    if (answer === undefined) res.writeHead(202).end()
    else json(res, answer, 200, { 'Mcp-Session-Id': known.current })
  })
  const session = new Session(
    {
      name: 'test',
      clientInfo: { name: 'test', version: '1' },
      allowed: allowedBy('2025-11-25'),
      verdicts: new VerdictCache(),
      restart: false,
      retries: 0,
      retryBackoffMs: 1,
      timeoutMs: 5_000,
      resetTimeoutOnProgress: false,
      maxTotalTimeoutMs: Number.POSITIVE_INFINITY,
      handlerTimeoutMs: 5_000,
      keepAliveMs: undefined,
      connectTimeoutMs: 5_000,
      probeTimeoutMs: 1_000,
      limits: limitsOf(),
      logger: SILENT,
      interceptors: [],
      extended: new Extensions(),
    },
    [httpTransport({ url }, 'streamable-http')],
  )
  cleanUp(() => session.close())
  return { session, runs, known }
}

it('what a new session needs is brought to it in order and once, however many calls wait for it, and each of them runs once', async () => {
  const { session, runs, known } = await overHttp()
  const steps: string[] = []
  session.onLink(async () => {
    steps.push('first begins')
    await new Promise((resolve) => setTimeout(resolve, 20))
    steps.push('first ends')
  })
  session.onLink(async (link) => {
    steps.push('second')
    await link.connection.exchange({ jsonrpc: '2.0', id: 'step', method: 'ping' })
  })
  await session.connect()
  expect(steps).toEqual(['first begins', 'first ends', 'second'])
  steps.length = 0
  runs.length = 0
  known.current = ''
  await Promise.all(Array.from({ length: 20 }, () => session.request('tools/call', { name: 'x', arguments: {} })))
  expect(steps).toEqual(['first begins', 'first ends', 'second'])
  expect(runs[0]).toBe('s2 initialize')
  expect([...runs].sort()).toEqual(['s2 initialize', 's2 ping', ...Array.from({ length: 20 }, () => 's2 tools/call')].sort())
})
