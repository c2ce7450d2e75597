import { describe, expect, it } from 'vitest'
import { samplingRequest } from '../../../src/features/sampling-request.ts'

const text = { type: 'text', text: 'a' }
const use = (id: string) => ({ type: 'tool_use', id, name: 't', input: {} })
const result = (toolUseId: string) => ({ type: 'tool_result', toolUseId, content: [] })
const user = (...content: object[]) => ({ role: 'user', content })
const assistant = (...content: object[]) => ({ role: 'assistant', content })
const request = (...messages: unknown[]) => ({ messages, maxTokens: 5 })

describe('a sampling request', () => {
  it.each([
    ['one message', [{ role: 'user', content: text }]],
    ['no message', []],
    ['a use and its result', [user(text), assistant(use('1')), user(result('1'))]],
    ['two uses and their results in another order', [assistant(text, use('1'), use('2')), user(result('2'), result('1')), user(text)]],
    ['uses one after the other', [assistant(use('1')), user(result('1')), assistant(use('1')), user(result('1'))]],
    ['content that is not known here', [user({ type: 'future' }), 'nonsense']],
  ])('may hold %s', (_what, messages) => {
    expect(samplingRequest(request(...messages))).toEqual(request(...messages))
  })

  it.each([
    ['a result beside text', [assistant(use('1')), user(result('1'), text)]],
    ['a use without a result at the end', [user(text), assistant(use('1'))]],
    ['another message before the result', [assistant(use('1')), user(text), user(result('1'))]],
    ['one result for two uses', [assistant(use('1'), use('2')), user(result('1'))]],
    ['a result without a use', [user(result('1'))]],
    ['the result of another use', [assistant(use('1')), user(result('2'))]],
    ['a single use as content', [{ role: 'assistant', content: use('1') }]],
  ])('must not hold %s', (_what, messages) => {
    expect(() => samplingRequest(request(...messages))).toThrow(expect.objectContaining({ rpcCode: -32602 }))
  })

  it.each([
    [{ hints: [{ name: 'a' }, { name: 'b' }] }, { hints: [{ name: 'a' }, { name: 'b' }] }],
    [{ hints: [{ name: '' }, {}, null, 'a', { name: 5 }, { name: 'b', more: 1 }] }, { hints: [{ name: 'b', more: 1 }] }],
    [{ hints: 'a' }, {}],
    [
      { costPriority: -1, speedPriority: 2, intelligencePriority: 0.5 },
      { costPriority: 0, speedPriority: 1, intelligencePriority: 0.5 },
    ],
    [{ costPriority: '1', speedPriority: null, intelligencePriority: Number.NaN }, {}],
    [{ future: true }, { future: true }],
  ])('with the preferences %j brings %j', (modelPreferences, expected) => {
    expect(samplingRequest({ ...request(), modelPreferences }).modelPreferences).toEqual(expected)
  })

  it.each([null, 5, 'fast', []])('has no preferences when they are %j', (modelPreferences) => {
    expect(samplingRequest({ ...request(), modelPreferences })).toEqual(request())
  })
})
