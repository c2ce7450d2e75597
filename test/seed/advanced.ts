import { done, row, type Section } from './row.ts'

const target = 'test/unit/config/target.test.ts'
const replies = 'test/unit/transport/http/replies.test.ts'
const sse = 'test/unit/transport/http/legacy-sse.test.ts'

const kinds = 'test/behaviour/servers-of-a-file.test.ts'

export const advanced: Section = {
  title: 'O. Advanced configuration',
  rows: [
    row(
      176,
      'servers of mixed kinds at once',
      'an array of server objects',
      'servers',
      done(
        ['test/unit/config/load-servers.test.ts', 'a list of targets: those without a name are numbered'],
        [kinds, 'of every kind are reached'],
      ),
    ),
    row(
      177,
      'a process: command, name, logger, env',
      '{ command, args?, env?, cwd?, name? }',
      'servers',
      done([target, 'that is an explicit server brings its options along']),
    ),
    row(
      178,
      'HTTP+SSE with headers, times and retries',
      "{ url, transport: 'sse', headers, timeoutMs, retries }",
      'failures',
      done(
        [sse, 'is a GET for an event stream, and all messages are POSTs to the address that it announces'],
        [sse, 'whose answer never comes is cancelled by a notification'],
        [sse, 'is asked for again when the server fails in passing'],
      ),
    ),
    row(
      179,
      'plain HTTP with an endpoint',
      "{ url, transport: 'http', endpoint }",
      'failures',
      done(['test/unit/transport/http/json-http.test.ts', 'of %j with %j is %s']),
    ),
    row(
      180,
      'Streamable HTTP with times and retries',
      "{ url, transport: 'streamable-http', timeoutMs, retries }",
      'servers',
      done([target, 'that is an explicit server brings its options along']),
    ),
    row(
      181,
      'not connected before it is used',
      'lazy',
      'servers',
      done(
        ['test/behaviour/lazy.test.ts', 'opens nothing before it is used, and is idle until then'],
        ['test/behaviour/group.test.ts', 'that is lazy reaches each server at its first use'],
      ),
    ),
    row(182, 'servers of a definition file', "connectGroup('servers.json')", 'servers', done([kinds, 'of every kind are reached'])),
    row(183, 'a file and explicit servers together', 'an array of both', 'servers', done([kinds, 'stand beside servers that code names'])),
    row(
      184,
      'retry with growing pauses',
      'retries, retryBackoffMs',
      'failures',
      done(['test/behaviour/passing-failures.test.ts', 'costs nothing but time']),
    ),
    row(
      185,
      'what is retried: networks and 5xx',
      'only requests that are safe to repeat',
      'failures',
      done(['test/behaviour/passing-failures.test.ts', 'of the handshake is none']),
    ),
    row(
      186,
      'never retried: an answer with an error, 4xx',
      'the same',
      'failures',
      done(['test/behaviour/passing-failures.test.ts', 'is told at once']),
    ),
    row(
      187,
      'a tool call is never sent twice',
      'never without leave',
      'failures',
      done(
        ['test/faults/faults.test.ts', 'runs no tool twice'],
        ['.ci/run', 'npm run faults -- --seed 1'],
        ['test/behaviour/passing-failures.test.ts', 'of a tool call is told at once, since it may have run'],
      ),
    ),
    row(
      188,
      'an error for servers that fail for a while',
      'HttpError with status and outcome',
      'failures',
      done([replies, 'refused with %i has the outcome %s']),
    ),
    row(
      189,
      'own certificates and HTTP customisation',
      'tls, fetch, proxy',
      'failures',
      done(
        ['test/unit/transport/http/tls.test.ts', 'is reached when its authority is given'],
        ['test/unit/transport/http/tls.test.ts', 'take a certificate of ours'],
      ),
    ),
    row(
      190,
      'a bound on bodies that unpack',
      'limits.maxDecompressedBytes',
      'failures',
      done(['test/unit/transport/http/compression.test.ts', 'is counted after decompression only']),
    ),
  ],
}
