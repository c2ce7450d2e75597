import { context, propagation } from '@opentelemetry/api'
import { isObject } from '../jsonrpc/codec.ts'
import { fitsTraceForm, TRACE_KEYS } from '../protocol/trace-context.ts'
import type { Call } from '../session/interceptor.ts'

/**
 * The call with the active context among its `_meta`, as far as the host's propagators write it in the forms of W3C. Keys of the caller's
 * win; a trace of theirs gets no `tracestate` of ours. @see spec basic/index#meta
 */
export function propagated(call: Call): Call {
  const carrier: Record<string, unknown> = {}
  propagation.inject(context.active(), carrier)
  const raw = call.params?._meta
  const given: Readonly<Record<string, unknown>> = { ...(isObject(raw) ? raw : undefined), ...call.options.meta }
  const traced = given.traceparent !== undefined || given.tracestate !== undefined
  const written = TRACE_KEYS.filter((key) => {
    const taken = key === 'baggage' ? given.baggage !== undefined : traced
    return !taken && carrier[key] !== undefined && fitsTraceForm(key, carrier[key])
  }).map((key) => [key, carrier[key]])
  if (written.length === 0) return call
  return { ...call, options: { ...call.options, meta: { ...call.options.meta, ...Object.fromEntries(written) } } }
}
