import { describe, expect, it } from 'vitest'
import type { ToolEvent } from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { type Answering, ERAS, type Message, SILENCE, TEXT_RESULT } from '../../support/fake-server.ts'
import { recordingLogger } from '../../support/loggers.ts'
import { ownStreams } from '../../support/own-streams.ts'
import { turns, until } from '../../support/settled.ts'

const line = (params: Message, during?: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params,
  ...(during !== undefined && { during }),
})

describe.each(ERAS)('lines of a log, %s era', (_era, server) => {
  const overStreams = (call: Answering) => ownStreams(server({ 'tools/call': call })).transport

  it('go to the call on whose stream they come, whole and in order', async () => {
    const waiting = new Map<unknown, () => void>()
    const client = await connected(
      overStreams((ask) => {
        ask.send(line({ level: 'info', data: ask.params.name }, ask.id))
        return new Promise((resolve) => {
          waiting.set(ask.params.name, () => {
            ask.send(line({ level: 'error', logger: 'l', data: { of: ask.params.name } }, ask.id))
            resolve(TEXT_RESULT)
          })
        })
      }),
    )
    const all = async (name: string): Promise<ToolEvent[]> => {
      const events: ToolEvent[] = []
      for await (const event of client.callToolStream(name)) if (event.type !== 'result') events.push(event)
      return events
    }
    const streams = [all('a'), all('b')]
    await until(() => waiting.size === 2)
    waiting.get('b')?.()
    waiting.get('a')?.()
    const expected = (name: string) => [
      { type: 'log', level: 'info', data: name },
      { type: 'log', level: 'error', logger: 'l', data: { of: name } },
    ]
    expect(await Promise.all(streams)).toEqual([expected('a'), expected('b')])
  })

  it('go to the listener of any request, and to that of the client', async () => {
    const client = await connected(
      overStreams((ask) => {
        ask.send(line({ level: 'info', data: 1 }, ask.id))
        return TEXT_RESULT
      }),
    )
    const own: unknown[] = []
    const lines: unknown[] = []
    client.on('log', (each) => lines.push(each))
    await client.request('tools/call', { name: 'x' }, { onLog: (each) => own.push(each) })
    expect(own).toEqual([{ level: 'info', data: 1 }])
    expect(lines).toEqual(own)
  })

  it('belong to no call on a shared channel, when malformed, or on another stream', async () => {
    const client = await connected(
      overStreams(async (ask) => {
        ask.send(line({ level: 'info', data: 'shared' }))
        ask.send(line({ level: 'loud', data: 'malformed' }, ask.id))
        ask.send({ jsonrpc: '2.0', method: 'notifications/message', during: ask.id })
        ask.send(line({ level: 'info', data: 'another' }, Number(ask.id) + 1))
        await turns()
        return TEXT_RESULT
      }),
    )
    const types: string[] = []
    for await (const event of client.callToolStream('x')) types.push(event.type)
    expect(types).toEqual(['result'])
  })

  it('do not harm the call when its listener throws, which is logged without the line', async () => {
    const logger = recordingLogger()
    const client = await connected(
      overStreams((ask) => {
        ask.send(line({ level: 'info', data: 'payload' }, ask.id))
        return TEXT_RESULT
      }),
      { logger },
    )
    const onLog = (): void => {
      throw new Error('listener')
    }
    expect((await client.callTool('x', {}, { onLog })).text).toBe('done')
    expect(logger.of('error')).toEqual(['onLog of tools/call threw: listener'])
  })

  it('wait for a slow reader up to MAX_EVENTS_WAITING, then the oldest are lost', async () => {
    let flood = (): void => {}
    const client = await connected(
      overStreams((ask) => {
        ask.send(line({ level: 'info', data: 'first' }, ask.id))
        flood = () => {
          for (let n = 0; n < 10_005; n++) ask.send(line({ level: 'info', data: n }, ask.id))
        }
        return SILENCE
      }),
    )
    const stream = client.callToolStream('x')
    expect(await stream.next()).toMatchObject({ value: { data: 'first' } })
    flood()
    await turns()
    expect(await stream.next()).toMatchObject({ value: { data: 5 } })
    await stream.return()
  })
})
