import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../src/limits.ts'
import { root } from './architecture/imports.ts'
import { type Evidence, shows } from './support/evidence.ts'

const ENGINE: Evidence = ['test/unit/schema/engine.test.ts', '%s ends the work with an error that names it']
const HTTP = 'test/unit/transport/http'

/** A test that reaches each limit. */
const REACHED: Readonly<Record<string, readonly [Evidence, ...Evidence[]]>> = {
  maxMessageBytes: [
    ['test/unit/transport/stdio.test.ts', 'may write a line without end'],
    [`${HTTP}/replies.test.ts`, 'fails alone when %s exceeds maxMessageBytes'],
    [`${HTTP}/legacy-sse.test.ts`, 'that is too large fails alone'],
    [`${HTTP}/server-stream.test.ts`, 'with an event beyond the limit is opened anew'],
  ],
  maxDecompressedBytes: [
    [`${HTTP}/bodies.test.ts`, 'beyond maxDecompressedBytes fails alone'],
    [`${HTTP}/compression.test.ts`, 'is counted after decompression only'],
  ],
  maxEventIdChars: [
    [`${HTTP}/sse-reader.test.ts`, 'ignores an id that is too long'],
    [`${HTTP}/session.test.ts`, 'is not continued %s'],
  ],
  maxHeaderBytes: [
    [`${HTTP}/bodies.test.ts`, 'beyond maxHeaderBytes fails alone'],
    [`${HTTP}/proxy.test.ts`, 'is cut at maxHeaderBytes'],
  ],
  maxPages: [['test/unit/features/lists.test.ts', 'after maxPages of %i']],
  maxItems: [['test/unit/features/lists.test.ts', 'with too many items end with an error']],
  maxCacheChars: [['test/unit/features/caching.test.ts', 'is not kept beyond maxCacheChars']],
  maxInboundRequests: [['test/unit/session/inbound.test.ts', 'beyond maxInboundRequests is refused']],
  maxPendingRequests: [['test/unit/session/calls.test.ts', 'beyond maxPendingRequests is refused']],
  maxCallsPerOrigin: [
    [`${HTTP}/calls.test.ts`, 'are on the wire up to maxCallsPerOrigin'],
    [`${HTTP}/calls.test.ts`, 'get their replies while every place is taken'],
    [`${HTTP}/legacy-sse.test.ts`, 'waits for its turn beyond maxCallsPerOrigin'],
  ],
  maxReconnects: [
    ['test/unit/session/restart.test.ts', 'is given up after maxReconnects starts'],
    [`${HTTP}/session.test.ts`, 'is given up when attempt upon attempt brings nothing'],
    [`${HTTP}/server-stream.test.ts`, 'that only primes and closes does not go on for ever'],
  ],
  maxRedirects: [[`${HTTP}/replies.test.ts`, 'follows a redirect that keeps method and origin, within the limit']],
  maxRounds: [['test/unit/session/input-required.test.ts', 'may ask maxRounds times, %i, and no more']],
  maxStderrBytes: [
    ['test/unit/transport/stdio.test.ts', 'is kept to its newest bytes'],
    ['test/unit/transport/stderr-tail.test.ts', 'stays within its bounds'],
  ],
  maxPeerTextChars: [
    [`${HTTP}/replies.test.ts`, 'only a bounded, escaped part'],
    ['test/unit/transport/pipe-connection.test.ts', 'quotes the peer escaped and bounded'],
  ],
  maxDepth: [ENGINE],
  maxSchemaSteps: [ENGINE],
  maxSubschemas: [ENGINE],
  maxPatternChars: [ENGINE],
  maxPatternMs: [ENGINE],
}
/** Nothing that it bounds is read yet: it comes with the login. */
const UNUSED = ['maxDocumentBytes']

describe('limits', () => {
  it('have each a test that reaches them, by its name', () => {
    expect(Object.keys(REACHED).sort()).toEqual(
      Object.keys(DEFAULT_LIMITS)
        .filter((name) => !UNUSED.includes(name))
        .sort(),
    )
    const broken = Object.entries(REACHED).flatMap(([limit, evidence]) =>
      evidence.filter((each) => !shows(each)).map((each) => [limit, ...each]),
    )
    expect(broken).toEqual([])
    const unnamed = Object.entries(REACHED).filter(
      ([limit, evidence]) => !evidence.some(([file]) => readFileSync(join(root, file), 'utf8').includes(limit)),
    )
    expect(unnamed).toEqual([])
  })
})
