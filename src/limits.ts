import { SCHEMA_LIMITS, type SchemaLimits } from './schema/limits.ts'

/** Every bound that a connection keeps against an untrusted server. All are positive integers. */
export interface Limits extends SchemaLimits {
  /** One message: a line on a pipe, a JSON body, the data of one SSE event. Default 268,435,456. The request it answers fails, the connection goes on. */
  maxMessageBytes: number
  /** One HTTP body, or one event of a stream, after decompression. Default 67,108,864. The request fails with `ResponseTooLargeError`. */
  maxDecompressedBytes: number
  /** One SSE event id. Default 1,024. A longer id is ignored, so the stream is not resumable from it. */
  maxEventIdChars: number
  /** All header bytes of one HTTP reply. Default 16,384. */
  maxHeaderBytes: number
  /** Pages of one list. Default 10,000. The list fails with what was read in the error's `cause`. */
  maxPages: number
  /** Items of one list. Default 1,000,000. */
  maxItems: number
  /** Answers that the server lets us keep, in characters of JSON. Default 33,554,432. The least recently used leave first. */
  maxCacheChars: number
  /** Requests of the server that are being answered at once. Default 64. Further ones are refused. */
  maxInboundRequests: number
  /** Requests of ours that wait for an answer at once. Default 10,000. Further ones are refused with nothing sent. */
  maxPendingRequests: number
  /** HTTP calls to one origin at once. Default 128. Further ones queue, and their deadline runs. */
  maxCallsPerOrigin: number
  /** Attempts in a row to continue one broken stream. Default 5. */
  maxReconnects: number
  /** Redirects of one request. Default 3. */
  maxRedirects: number
  /** Rounds of questions that one call may ask. Default 10. */
  maxRounds: number
  /** What is kept of a server process's stderr, the newest bytes. Default 65,536. */
  maxStderrBytes: number
  /** Text of a peer that is quoted in a log line or an error. Default 4,096. */
  maxPeerTextChars: number
  /** One OAuth document. Default 1,048,576. */
  maxDocumentBytes: number
}

export const DEFAULT_LIMITS: Limits = Object.freeze({
  ...SCHEMA_LIMITS,
  maxMessageBytes: 268_435_456,
  maxDecompressedBytes: 67_108_864,
  maxEventIdChars: 1_024,
  maxHeaderBytes: 16_384,
  maxPages: 10_000,
  maxItems: 1_000_000,
  maxCacheChars: 33_554_432,
  maxInboundRequests: 64,
  maxPendingRequests: 10_000,
  maxCallsPerOrigin: 128,
  maxReconnects: 5,
  maxRedirects: 3,
  maxRounds: 10,
  maxStderrBytes: 65_536,
  maxPeerTextChars: 4_096,
  maxDocumentBytes: 1_048_576,
})

/** The defaults with the caller's values over them; a `TypeError` names an unknown limit or one that is not a positive integer. */
export function limitsOf(given: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(given)) {
    if (!(name in DEFAULT_LIMITS)) throw new TypeError(`limits.${name} is not a limit; known are ${Object.keys(DEFAULT_LIMITS).join(', ')}`)
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0)) {
      throw new TypeError(`limits.${name} must be a positive integer, not ${String(value)}`)
    }
  }
  const own = Object.entries(given).filter(([, value]) => value !== undefined)
  return own.length === 0 ? DEFAULT_LIMITS : { ...DEFAULT_LIMITS, ...Object.fromEntries(own) }
}
