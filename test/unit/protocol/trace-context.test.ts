import { describe, expect, it } from 'vitest'
import { fitsTraceForm } from '../../../src/protocol/trace-context.ts'
import { connected } from '../../support/connected.ts'
import { ERAS, TEXT_RESULT } from '../../support/fake-server.ts'
import { rejection } from '../../support/settled.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'

describe('trace context', () => {
  it.each([
    ['traceparent', `00-${TRACE}-${SPAN}-01`],
    ['traceparent', `cc-${TRACE}-${SPAN}-00`],
    ['tracestate', 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'],
    ['tracestate', 'tenant@vendor=a b , k=v'],
    ['tracestate', Array.from({ length: 32 }, (_, index) => `k${index}=v`).join(',')],
    ['baggage', 'user=alice,node=DF%2028,flag=false'],
    ['baggage', 'key = value ; property ; other = 1 , empty='],
    ['com.example/any', 'thing'],
  ])('%s may be %j', (key, value) => {
    expect(fitsTraceForm(key, value)).toBe(true)
  })

  it.each([
    ['traceparent', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['traceparent', `ff-${TRACE}-${SPAN}-01`],
    ['traceparent', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['traceparent', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['traceparent', `00-${TRACE}-${SPAN}`],
    ['traceparent', `00-${TRACE}-${SPAN}-01\n`],
    ['traceparent', 5],
    ['tracestate', ''],
    ['tracestate', 'Key=v'],
    ['tracestate', 'a=b=c'],
    ['tracestate', 'a=é'],
    ['tracestate', `a=${'v'.repeat(257)}`],
    ['tracestate', Array.from({ length: 33 }, (_, index) => `k${index}=v`).join(',')],
    ['baggage', 'no pairs'],
    ['baggage', 'a b=c'],
    ['baggage', 'a="quoted"'],
    ['baggage', 'a=1\r\nb=2'],
    ['baggage', `a=${'v'.repeat(8_191)}`],
    ['baggage', Array.from({ length: 181 }, (_, index) => `k${index}=v`).join(',')],
  ])('%s may not be %j', (key, value) => {
    expect(fitsTraceForm(key, value)).toBe(false)
  })

  it('of any text is decided without going back', () => {
    expect(fitsTraceForm('baggage', `${'a= ;'.repeat(2_000)}"`)).toBe(false)
    expect(fitsTraceForm('baggage', `a=${' '.repeat(8_000)}"`)).toBe(false)
  })
})

describe.each(ERAS)('a trace of the caller, %s era', (_era, server) => {
  it.each([{ traceparent: 'x' }, { tracestate: 'X' }, { baggage: 'x' }])(
    'that is not in the form of W3C is a TypeError with nothing sent: %j',
    async (meta) => {
      const fake = server({ 'tools/call': () => TEXT_RESULT })
      const client = await connected(fake)
      const error = await rejection(client.callTool('x', {}, { meta }))
      expect(error).toBeInstanceOf(TypeError)
      expect(String(error)).toContain(Object.keys(meta)[0])
      expect(fake.calls('tools/call')).toEqual([])
    },
  )
})
