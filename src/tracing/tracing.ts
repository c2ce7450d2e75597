import { context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { McpError, RpcError } from '../errors.ts'
import type { Params } from '../jsonrpc/message.ts'
import { TOOLS_CALL } from '../protocol/methods.ts'
import type { Call, CallHandler, Interceptor } from '../session/interceptor.ts'
import { VERSION } from '../version.ts'
import { callAttributes, legAttributes, spanName } from './attributes.ts'
import { propagated } from './propagation.ts'

/**
 * An interceptor that makes one OpenTelemetry span of each request, whatever legs it takes, and carries its context to the server in `_meta`.
 * Arguments, results and messages of errors are in no attribute. Without a provider and a propagator that the host registered it does nothing.
 * @see OpenTelemetry semantic conventions for MCP
 */
export function tracing(): Interceptor {
  const tracer = trace.getTracer('mcp-switchboard', VERSION)
  return (next) => (call) => {
    const span = tracer.startSpan(spanName(call), { kind: SpanKind.CLIENT, attributes: callAttributes(call) })
    return context.with(trace.setSpan(context.active(), span), () => traced(propagated(call), span, next))
  }
}

async function traced(call: Call, span: Span, next: CallHandler): Promise<Params> {
  const { sending } = call.context
  try {
    const result = await next({
      ...call,
      context: {
        ...call.context,
        sending: (id, link) => {
          sending?.(id, link)
          span.setAttributes(legAttributes(id, link))
        },
      },
    })
    if (call.method === TOOLS_CALL && result.isError === true) failed(span, 'tool_error', 'ERR_MCP_TOOL')
    return result
  } catch (error) {
    if (error instanceof RpcError) span.setAttribute('rpc.response.status_code', String(error.rpcCode))
    const code = error instanceof McpError ? error.code : error instanceof Error ? error.name : '_OTHER'
    failed(span, error instanceof RpcError ? String(error.rpcCode) : code, code)
    throw error
  } finally {
    span.end()
  }
}

/** What a message says of the cause may come from the server or hold a secret; the code says enough. */
function failed(span: Span, type: string, code: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR, message: code })
}
