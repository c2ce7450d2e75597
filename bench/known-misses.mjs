/**
 * Targets that are not reached yet: the ratio or number that was measured, and why. The row stays a miss in every table and in the report; the gate
 * fails only when it gets worse than what stands here and 25 % slack, so that what holds stays guarded while these are worked on.
 */
export const KNOWN_MISSES = {
  'calls-fetch-json@1': {
    measured: 1.38,
    because: 'each request has an AbortSignal of its own, or an abandoned call could not be cut before its reply begins',
  },
  'calls-fetch-json@16': { measured: 1.38, because: 'as above' },
  'calls-fetch-json@256': { measured: 1.38, because: 'as above' },
  'calls-fetch-sse@1': { measured: 1.39, because: 'as above' },
  'calls-fetch-sse@16': { measured: 1.39, because: 'as above' },
  'calls-fetch-sse@256': { measured: 1.39, because: 'as above' },
  'list-1000-stdio': { measured: 1.75, because: 'a run of 10 to 20 ms; connecting weighs more in it than the list' },
  'list-10000-stdio': { measured: 1.48, because: 'a handle and a map entry per tool beside the bare parse' },
  'connect-http-first': {
    measured: 2.23,
    because:
      'the first connection loads the modules of the transport, 5 ms, and runs code that is cold; once 2.05, before the client knew tasks and changes',
  },
  'many-servers': { measured: 1.45, because: 'the state of a session per server; short, and two cores are shared with the servers' },
  heap: { measured: 6.6, because: 'the state of a session, of its link and of what a client remembers; 0.5 KB of it is compiled code' },
}
