import { describe, expect, it } from 'vitest'
import { ValidationError } from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { ERAS, paramsOf, TEXT_RESULT } from '../../support/fake-server.ts'
import { rejection } from '../../support/settled.ts'

const inputSchema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    'a/b~c': { type: 'string' },
    lines: { type: 'integer', minimum: 1 },
    since: { type: 'string', format: 'date-time' },
    mode: { type: 'string', default: 'r' },
  },
  required: ['path', 'mode'],
  additionalProperties: false,
}

describe.each(ERAS)('arguments before they are sent, %s era', (_era, server) => {
  const client = async (validateArguments: 'required' | 'full' | 'off') => {
    const fake = server({ 'tools/list': () => ({ tools: [{ name: 'read', inputSchema }] }), 'tools/call': () => TEXT_RESULT })
    const connection = await connected(fake, { validateArguments })
    await connection.listTools()
    return { fake, call: (args: Record<string, unknown>) => connection.callTool('read', args) }
  }

  it.each([
    [{ pth: 'a' }, '"path" is missing; "pth" was given'],
    [{ path: undefined, Path: 'a' }, '"path" is missing; "Path" was given'],
    [{ path: undefined }, '"path" is missing'],
    [{}, '"path" is missing'],
  ])('that lack a required one are refused with its name and the closest given: %j', async (args, message) => {
    const { fake, call } = await client('required')
    const error = await rejection(call(args))
    expect(error).toBeInstanceOf(ValidationError)
    expect(error).toMatchObject({ reason: 'arguments', outcome: 'not-run' })
    expect((error as Error).message).toContain(message)
    expect((error as Error).message).not.toContain('mode')
    expect(fake.calls('tools/call')).toEqual([])
  })

  it.each([[{ path: 'a' }], [{ path: null }], [{ path: 5, odd: 1 }]])('that are there are enough by default: %j', async (args) => {
    const { fake, call } = await client('required')
    await call(args)
    expect(paramsOf(fake.calls('tools/call')[0]).arguments).toEqual(args)
  })

  it.each([
    [{ path: 'a', mode: 'r', line: 1 }, '/line is not allowed; did you mean "lines"?'],
    [{ path: 'a', mode: 'r', 'a/b~d': 'x' }, '/a~1b~0d is not allowed; did you mean "a/b~c"?'],
    [{ path: 'a', mode: 'r', zzzzzzz: 1 }, '/zzzzzzz is not allowed'],
    [{ path: 'a', mode: 'r', lines: 0 }, '/lines must be at least 1'],
    [{ path: 5, mode: 'r' }, '/path must be a string'],
  ])('that do not fit the whole schema are refused in full, with the name that may be meant: %j', async (args, message) => {
    const { fake, call } = await client('full')
    const error = await rejection(call(args))
    expect(error).toMatchObject({ code: 'ERR_MCP_VALIDATION', reason: 'mismatch', outcome: 'not-run' })
    expect((error as Error).message).toContain(message)
    expect(fake.calls('tools/call')).toEqual([])
  })

  it('are checked in full as they leave: dates as texts, without what is undefined', async () => {
    const { fake, call } = await client('full')
    await call({ path: 'a', mode: 'r', since: new Date(0), lines: undefined })
    expect(paramsOf(fake.calls('tools/call')[0]).arguments).toEqual({ path: 'a', mode: 'r', since: '1970-01-01T00:00:00.000Z' })
  })

  it('are not looked at with off', async () => {
    const { fake, call } = await client('off')
    await call({ odd: 1 })
    expect(fake.calls('tools/call')).toHaveLength(1)
  })
})
