import { expect, it } from 'vitest'
import { type Evidence, shows } from './support/evidence.ts'

const HTTP = 'test/unit/transport/http'
const STDIO = 'test/unit/transport/stdio.test.ts'
const INBOUND = 'test/unit/session/inbound.test.ts'

/** What a hostile server may try, and the tests that show what comes of it. Attacks on a login belong to the work on logins. */
const THREATS: Readonly<Record<string, readonly [Evidence, ...Evidence[]]>> = {
  'a small body that unpacks without end': [[`${HTTP}/bodies.test.ts`, 'beyond maxDecompressedBytes fails alone']],
  'an event that never ends': [
    [`${HTTP}/sse-events.test.ts`, 'costs time in proportion to its length, and no memory'],
    [`${HTTP}/server-stream.test.ts`, 'with an event beyond the limit is opened anew'],
  ],
  'an event id that is too long or forges headers': [
    [`${HTTP}/sse-reader.test.ts`, 'ignores an id that is too long or holds control characters'],
  ],
  'a retry time of nothing': [[`${HTTP}/session.test.ts`, 'not at once for a retry of 0']],
  'a flood of requests': [[INBOUND, 'beyond maxInboundRequests is refused']],
  'answers that nobody asked for': [
    ['test/unit/transport/pipe-connection.test.ts', 'never matches an answer by guess'],
    [`${HTTP}/legacy-sse.test.ts`, 'may answer what nobody asked'],
    [`${HTTP}/server-stream.test.ts`, 'drops an answer that nobody waits for'],
  ],
  'a failure that makes a tool run twice': [
    ['test/faults/faults.test.ts', 'runs no tool twice'],
    ['test/behaviour/outcome.test.ts', 'is that of all its legs'],
  ],
  'an address or a redirect on another origin': [
    [`${HTTP}/legacy-sse.test.ts`, 'never sends anything to another origin'],
    [`${HTTP}/replies.test.ts`, 'sends nothing to another origin, nor a GET'],
  ],
  'patterns and schemas that never end': [['test/unit/schema/hostile.test.ts', 'ends with a verdict or a named limit']],
  'text that forges or floods a log': [
    ['test/unit/transport/pipe-connection.test.ts', 'quotes the peer escaped and bounded'],
    ['test/unit/session/bounded-logger.test.ts', 'as lines of a process, costs a bounded number of lines'],
  ],
  'a page in place of an answer': [[`${HTTP}/replies.test.ts`, 'only a bounded, escaped part, in the details alone']],
  'a session id that forges headers': [[`${HTTP}/session.test.ts`, 'id with %s is reported without showing it']],
  'errors of the host that reach the server': [[INBOUND, 'whose handler throws %s is answered by it']],
  'lists without an end': [
    ['test/unit/features/lists.test.ts', 'after maxPages of %i'],
    ['test/unit/features/lists.test.ts', 'end at a cursor that repeats'],
  ],
  'roots that lead elsewhere': [[INBOUND, 'that are no plain file URI are a TypeError']],
  'error output without an end': [
    [STDIO, 'never blocks the process: 10 MB are drained during a call'],
    ['test/unit/transport/stderr-tail.test.ts', 'stays within its bounds'],
  ],
  'arguments of tools that forge headers': [
    ['test/unit/era/tool-headers.test.ts', 'can be read back, whatever the text'],
    ['test/unit/era/tool-headers.test.ts', 'forbid it over HTTP: %s'],
  ],
  'a process that will not end': [
    [STDIO, 'ends a process that ignores the end of stdin and SIGTERM'],
    ['test/behaviour/bad-input.test.ts', 'with a grandchild that will not go'],
  ],
}

it.each(Object.entries(THREATS))('a test shows what comes of it: %s', (_threat, evidence) => {
  expect(evidence.filter((each) => !shows(each))).toEqual([])
})
