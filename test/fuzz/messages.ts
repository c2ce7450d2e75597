import { McpError } from '../../src/errors.ts'
import type { RequestId } from '../../src/jsonrpc/message.ts'
import { limitsOf } from '../../src/limits.ts'
import { pipeConnection } from '../../src/transport/pipe-connection.ts'
import { type FuzzTarget, json, must } from './target.ts'

const KEYS = ['jsonrpc', 'id', 'method', 'params', 'result', 'error', 'code', 'message', 'data', '__proto__', 'x'] as const
const IDS: readonly RequestId[] = [0, 1, 2, '1', '', 'x']

/** What a server may send: something like a message, or anything. */
export const messages: FuzzTarget<unknown[]> = {
  name: 'messages',
  input(dice) {
    return Array.from({ length: 1 + dice.int(6) }, () => {
      if (dice.chance(0.15)) return json(dice, KEYS)
      const message: Record<string, unknown> = { jsonrpc: '2.0', id: dice.pick([0, 1, 2, 3, '1', '', 'x', null, 1.5]) }
      const body = dice.int(4)
      if (body === 0) message.result = {}
      else if (body === 1) message.error = { code: -32_000, message: 'no' }
      else message.method = dice.pick(['ping', 'notifications/progress', 'x'])
      for (let left = dice.int(3); left > 0; left--) message[dice.pick(KEYS)] = json(dice, KEYS, 2)
      if (dice.chance(0.2)) delete message[dice.pick(KEYS)]
      return dice.chance(0.2) ? [message, json(dice, KEYS, 1)] : message
    })
  },
  check(values) {
    let inbound = 0
    let reported = 0
    const settledBy = new Map<RequestId, number>()
    const report = (): void => void reported++
    const limits = limitsOf()
    const end = pipeConnection(
      { write() {}, close: async () => {}, settled: (id) => void settledBy.set(id, (settledBy.get(id) ?? 0) + 1) },
      (message) => {
        inbound++
        must(typeof message.method === 'string', 'no request and no notification', message)
      },
      { limits, report },
    )
    for (const id of IDS) {
      end.connection.exchange({ jsonrpc: '2.0', id, method: 'x' }).then(
        (answer) => check(id, answer.id),
        (error: unknown) => check(id, error instanceof McpError && error.outcome !== undefined ? id : error),
      )
    }
    for (const value of values) end.receive(value)
    for (const [id, times] of settledBy) must(times === 1, 'an exchange was settled twice', id)
    const flat = values.flatMap((value) => (Array.isArray(value) ? value : [value])).length
    must(inbound + reported + settledBy.size >= flat, 'a message vanished', values, { inbound, reported, settled: settledBy.size })
    end.fail({ kind: 'closed', message: 'over' })
    end.receive({ jsonrpc: '2.0', id: 1, result: {} })
  },
  growing: {
    'a batch': (size) => receiving(Array.from({ length: size / 16 }, (_, id) => ({ jsonrpc: '2.0', id, result: {} }))),
    'a wide object': (size) => receiving(Object.fromEntries(Array.from({ length: size / 8 }, (_, key) => [`k${key}`, 1]))),
  },
}

/** A rejection that nobody handles: the run ends with it. */
function check(id: RequestId, answered: unknown): void {
  must(answered === id, 'an exchange had the answer of another one', id, answered)
}

function receiving(value: unknown): () => void {
  return () => {
    const end = pipeConnection({ write() {}, close: async () => {} }, () => {}, { limits: limitsOf(), report() {} })
    end.receive(value)
  }
}
