import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { demoServer } from '../../../src/testing/index.ts'
import { LEGACY, MODERN, PREFIX, RawClient } from './raw-client.ts'

afterEach(() => {
  vi.useRealTimers()
})

interface Pipes {
  readonly input: PassThrough
  readonly serving: ReturnType<ReturnType<typeof demoServer>['serveStdio']>
  lines(count: number): Promise<unknown[]>
}

function pipes(): Pipes {
  const input = new PassThrough()
  const output = new PassThrough()
  const serving = demoServer().serveStdio(input, output)
  let text = ''
  output.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return {
    input,
    serving,
    lines: (count) =>
      vi.waitUntil(
        () =>
          text.split('\n').length > count &&
          text
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line)),
      ),
  }
}

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: LEGACY[0], capabilities: {} },
})
const ECHO = (id: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: { message } } })

describe('the demo server on two streams', () => {
  it('reads lines however they are cut, also inside of a character', async () => {
    const { input, lines } = pipes()
    for (const byte of Buffer.from(`${INITIALIZE}\r\n\n${ECHO(2, 'Grüße 🌍')}\n`)) input.write(Buffer.from([byte]))
    input.write(`${ECHO(3, 'a')}\n${ECHO(4, 'b')}\n`)
    const [, second] = await lines(4)
    expect(second).toMatchObject({ id: 2, result: { content: [{ text: 'Grüße 🌍' }] } })
  })

  it('refuses a line that is too long and goes on', async () => {
    const { input, lines } = pipes()
    input.write('x'.repeat(9 * 1024 * 1024))
    input.write(`\n${INITIALIZE}\n`)
    expect(await lines(2)).toMatchObject([{ error: { code: -32600 } }, { id: 1, result: {} }])
  })

  it('is over when its input ends, and answers what runs when it is closed', async () => {
    const ending = pipes()
    ending.input.end(`${INITIALIZE}\n`)
    await ending.serving.closed
    expect(await ending.lines(1)).toMatchObject([{ id: 1 }])

    const closing = pipes()
    const _meta = { [`${PREFIX}protocolVersion`]: MODERN, [`${PREFIX}clientCapabilities`]: {} }
    const listen = { jsonrpc: '2.0', id: 'l', method: 'subscriptions/listen', params: { notifications: {}, _meta } }
    closing.input.write(`${JSON.stringify(listen)}\n`)
    await closing.lines(1)
    await closing.serving.close()
    expect(await closing.lines(2)).toMatchObject([{ method: 'notifications/subscriptions/acknowledged' }, { id: 'l', result: {} }])
    expect(closing.input.listenerCount('data')).toBe(0)
  })
})

describe('a closed demo server', () => {
  it('leaves no timer behind', async () => {
    vi.useFakeTimers()
    const server = demoServer({ clockIntervalMs: 1_000 })
    const raw = await new RawClient(server, { version: '2025-11-25' }).open()
    const slow = raw.call('slow', { steps: 1, delayMs: 60_000 })
    await raw.request('tools/call', { name: 'job', arguments: { ms: 60_000 }, task: {} })
    await raw.request('resources/subscribe', { uri: 'demo://clock' })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(raw.notifications('resources/updated')).toHaveLength(2)
    expect(vi.getTimerCount()).toBe(3)
    await server.close()
    expect(await slow).toMatchObject({ error: { code: -32603 } })
    expect(raw.ended).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })
})
