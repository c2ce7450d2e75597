import { describe, expect, it } from 'vitest'
import { type ScriptedServer, type ScriptedServerOptions, scriptedServer } from '../../../src/testing/index.ts'

interface Run {
  readonly server: ScriptedServer
  readonly lines: string[]
  send(message: unknown): void
  close(): void
  ended: boolean
}

function run(transcript: string, options?: ScriptedServerOptions): Run {
  const server = scriptedServer(transcript, options)
  const lines: string[] = []
  const connected: Run = { server, lines, ended: false, send: () => {}, close: () => {} }
  const session = server.connect(
    (line) => lines.push(line),
    () => {
      connected.ended = true
    },
  )
  connected.send = (message) => session.receive(JSON.stringify(message))
  connected.close = () => session.close()
  return connected
}

const PING = `
# a ping
-> {"jsonrpc":"2.0","id":"$1","method":"ping"}
<- {"jsonrpc":"2.0","id":"$1","result":{}}
`

describe('a scripted server', () => {
  it('answers in the order of the transcript, with the ids of the client', async () => {
    const { server, lines, send } = run(PING)
    send({ method: 'ping', id: 7, jsonrpc: '2.0' })
    expect(lines).toEqual(['{"jsonrpc":"2.0","id":7,"result":{}}'])
    await server.done()
  })

  it.each([
    ['another value', { jsonrpc: '2.0', id: 7, method: 'pong' }, '/method'],
    ['a missing member', { jsonrpc: '2.0', method: 'ping' }, '/id'],
    ['a further member', { jsonrpc: '2.0', id: 7, method: 'ping', params: {} }, '/params'],
    ['no object', [], 'the top'],
  ])('fails on %s: says where, and ends the conversation', async (_what, message, path) => {
    const connected = run(PING)
    connected.send(message)
    expect(connected.server.problems).toEqual([expect.stringContaining(`line 3: differs at ${path}`)])
    expect(connected.server.problems[0]).toContain(JSON.stringify(message))
    expect(connected.ended).toBe(true)
    await expect(connected.server.done()).rejects.toThrow('line 3')
  })

  it('fails on a message after the end, on a client that closes early, and on one that stays silent', async () => {
    const more = run(PING)
    more.send({ jsonrpc: '2.0', id: 7, method: 'ping' })
    more.send({ jsonrpc: '2.0', method: 'more' })
    await expect(more.server.done()).rejects.toThrow('after the end')
    const early = run(PING)
    early.close()
    await expect(early.server.done()).rejects.toThrow('line 3: the client closed')
    await expect(run(PING, { timeoutMs: 1 }).server.done()).rejects.toThrow('line 3: nothing came for 1 ms')
  })

  it('knows placeholders for any value, for the same value, and for further members', async () => {
    const { server, send } = run(`
      -> {"id":"$id","any":"$any","rest":{"a":1,"...":true},"literal":"$$any"}
      -> {"id":"$id"}
      -> {"id":"$id"}
    `)
    send({ id: '$x', any: [1], rest: { a: 1, b: 2 }, literal: '$any' })
    send({ id: '$x' })
    expect(server.problems).toEqual([])
    send({ id: 'other' })
    expect(server.problems).toEqual([expect.stringContaining('line 4: differs at /id')])
  })

  it('sends raw lines, speaks first, and goes on in the next conversation', async () => {
    const { server, lines, ended } = run('<~ no JSON \n<~\n<- {"jsonrpc":"2.0","method":"hello"}\n<! exit\n-> {"again":true}\n')
    expect(ended).toBe(false)
    await Promise.resolve()
    expect(lines).toEqual(['no JSON ', '', '{"jsonrpc":"2.0","method":"hello"}'])
    const done = server.done()
    server
      .connect(
        () => {},
        () => {},
      )
      .receive('{"again":true}')
    await done
  })

  it('fails on a second conversation that it did not make room for', async () => {
    const { server } = run(PING)
    server.connect(
      () => {},
      () => {},
    )
    await expect(server.done()).rejects.toThrow('connected again')
  })

  it('refuses a transcript that it cannot read, and a name that nothing has bound', async () => {
    expect(() => scriptedServer('-> {')).toThrow('line 1 of the transcript holds no JSON')
    expect(() => scriptedServer('\nhello')).toThrow('line 2 of the transcript')
    expect(() => scriptedServer('<! leave')).toThrow(SyntaxError)
    await expect(run('<- {"id":"$1"}').server.done()).rejects.toThrow('line 1: "$1" is not bound')
  })
})
