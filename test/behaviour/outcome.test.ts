import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { connected } from '../support/connected.ts'
import { modernServer, ServerError } from '../support/fake-server.ts'
import { answerTo, sseServer } from '../support/legacy-http.ts'
import { rejection, until } from '../support/settled.ts'
import { serve } from '../unit/transport/http/stand-in.ts'

/** A server of an old revision whose tool calls are answered with these statuses, in turn. */
async function answering(...statuses: number[]): Promise<string> {
  const { url } = await serve(({ message }, res: ServerResponse) => {
    const status = message?.method === 'tools/call' ? statuses.shift() : undefined
    const answer = message === undefined || status !== undefined ? undefined : answerTo(message, '2025-11-25')
    if (answer === undefined) res.writeHead(status ?? (message === undefined ? 405 : 202)).end()
    else res.writeHead(200, { 'Content-Type': 'application/json' }).end(answer)
  })
  return url
}

describe('the outcome of a call that was sent more than once', () => {
  it.each([
    ['refused the second time, when the first may have run', [503, 413], 'unknown'],
    ['refused both times', [429, 413], 'not-run'],
    ['that may have run the second time', [429, 500], 'unknown'],
  ] as const)('is that of all its legs: %s', async (_what, statuses, outcome) => {
    const client = await connected(await answering(...statuses), { era: 'legacy', retries: 1, retryBackoffMs: 1 })
    expect(await rejection(client.callTool('x', {}, { resend: 'always' }))).toMatchObject({ status: statuses[1], outcome })
  })

  it('is unknown when it waits in vain for a new connection after it may have run; a call that only waited was not run', async () => {
    let opened = 0
    const server = await sseServer({
      // A stream that never says where messages go.
      get: (_seen, res) => ++opened > 1 && res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': wait\n\n') !== undefined,
      post: ({ message }, res, stream) => {
        if (message?.method !== 'tools/call') return false
        res.writeHead(202).end()
        stream.destroy()
        return true
      },
    })
    const client = await connected(server.url, { transport: 'sse', timeoutMs: 100, retryBackoffMs: 1 })
    const ran = rejection(client.callTool('x', {}, { resend: 'always' }))
    await until(() => opened === 2)
    const waited = rejection(client.callTool('y'))
    expect(await ran).toMatchObject({ code: 'ERR_MCP_TIMEOUT', outcome: 'unknown', method: 'tools/call' })
    expect(await waited).toMatchObject({ code: 'ERR_MCP_TIMEOUT', outcome: 'not-run' })
  })

  it('is unknown when the connection that is made for it fails; what waits for the same one keeps its own outcome and method', async () => {
    let opened = 0
    let answer = (): void => {}
    const server = await sseServer({
      get: (_seen, res) => {
        if (++opened === 1) return false
        answer = () => void res.writeHead(403).end()
        return true
      },
      post: ({ message }, res, stream) => {
        if (message?.method !== 'tools/call') return false
        res.writeHead(202).end()
        stream.destroy()
        return true
      },
    })
    const client = await connected(server.url, { transport: 'sse', retryBackoffMs: 1 })
    const ran = rejection(client.callTool('x', {}, { resend: 'always' }))
    await until(() => opened === 2)
    const waited = rejection(client.listTools())
    answer()
    expect(await waited).toMatchObject({ code: 'ERR_MCP_HTTP', status: 403, outcome: 'not-run', method: 'tools/list' })
    const error = await ran
    expect(error).toMatchObject({ code: 'ERR_MCP_HTTP', status: 403, outcome: 'unknown', method: 'tools/call' })
    expect((error as Error).stack).toContain('answered 403')
  })

  it('is unknown when the server asked for input, and refused what came behind it', async () => {
    const fake = modernServer({
      'tools/call': ({ params }) => {
        if (params.requestState !== undefined) throw new ServerError(-32601)
        return { resultType: 'input_required', requestState: 's', inputRequests: { r: { method: 'roots/list' } } }
      },
    })
    const client = await connected(fake, { roots: [] })
    expect(await rejection(client.callTool('x'))).toMatchObject({ rpcCode: -32601, outcome: 'unknown' })
  })
})
