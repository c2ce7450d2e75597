import { isMetaKey } from '../protocol/meta-grammar.ts'
import { peerText } from '../protocol/peer-text.ts'
import { fitsTraceForm } from '../protocol/trace-context.ts'
import type { LogLine, Meta, Progress } from '../protocol/types.ts'

/** Options of every request. */
export interface RequestOptions {
  /** Gives the request up and tells the server; the request rejects with `signal.reason`. */
  signal?: AbortSignal | undefined
  /** How long one leg may take, in ms. Default: the client's `timeoutMs`. `Infinity` for no limit. At the limit: `TimeoutError`. */
  timeoutMs?: number | undefined
  /** Progress starts the leg's time again. Default: the client's. */
  resetTimeoutOnProgress?: boolean | undefined
  /** How long all legs together may take, in ms. Default: the client's. */
  maxTotalTimeoutMs?: number | undefined
  /** Gets each progress notification of this request, in order and before the result. */
  onProgress?: ((progress: Progress) => void) | undefined
  /**
   * Gets each line of the server's log that came on this request's own reply stream (Streamable HTTP), in order and before the result. On a
   * shared channel, such as stdio, no line belongs to a request; `on('log')` tells of all lines.
   * @deprecated in 2026-07-28: servers log to stderr or to OpenTelemetry. It works until the protocol has no logging.
   */
  onLog?: ((line: LogLine) => void) | undefined
  /** Keys of the request's `_meta`; reserved ones win over them. `traceparent`, `tracestate` and `baggage` are in the forms of W3C. */
  meta?: Meta | undefined
  /** HTTP headers of this request; those that the protocol owns win over them. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** A number of milliseconds that is none is a `TypeError`: `NaN` would stop every clock. So is a key of `meta` that no message may carry. */
export function checkRequestOptions(options: RequestOptions): void {
  for (const name of ['timeoutMs', 'maxTotalTimeoutMs'] as const) {
    const value = options[name]
    if (value !== undefined && !(typeof value === 'number' && value > 0))
      throw new TypeError(`${name} must be a positive number of milliseconds`)
  }
  if (options.meta === undefined) return
  for (const key in options.meta) {
    if (!isMetaKey(key))
      throw new TypeError(`${peerText(JSON.stringify(key), 100)} is no key for meta; they look like "com.example/trace" or "traceparent"`)
    if (!fitsTraceForm(key, options.meta[key])) throw new TypeError(`${key} in meta is not in the form that W3C gives it`)
  }
}
