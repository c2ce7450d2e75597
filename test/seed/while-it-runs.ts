import { done, later, open, row, type Section } from './row.ts'

const interop = 'interop/rows.mjs'

export const progress: Section = {
  title: 'I. Progress',
  rows: [
    row(
      112,
      'a callback',
      'onProgress({ progress, total, message })',
      'foundation',
      open('foundation', undefined, [interop, 'progress: {']),
    ),
    row(113, 'a token of its own', 'one per request', 'foundation', open('foundation')),
    row(114, 'only while the call runs', 'late progress is dropped', 'foundation', open('foundation')),
    row(115, 'a callback that throws', 'logged; the call goes on', 'foundation', open('foundation')),
    ...later('features', [116, 'metadata by hand', 'meta'], [117, 'metadata among the arguments', 'moved to the request']),
  ],
}

export const deadlines: Section = {
  title: 'J. Deadlines and cancelling',
  rows: [
    row(118, 'a deadline per server', 'timeoutMs', 'foundation', open('foundation')),
    row(119, 'a deadline per request', 'client.request(method, params, { timeoutMs })', 'features', open('foundation')),
    ...later('servers', [120, 'a deadline on one server of several', "(await group.client('x')).request(…)"]),
    row(121, 'on every method', '{ timeoutMs } everywhere', 'foundation', open('foundation')),
    row(122, 'a family of errors', 'TimeoutError is a TransportError', 'failures', open('failures')),
    ...later(
      'failures',
      [123, 'a request that timed out is not sent again', 'sent once'],
      [124, 'the server is told as well as may be', 'failing to tell disturbs nobody'],
      [125, 'a handshake is never cancelled', 'never'],
      [126, 'tasks are cancelled in their own way', 'tasks/cancel'],
    ),
    row(127, 'the caller cancels', 'signal; Ctrl-C in the command', 'foundation', done([interop, "heard: { name: 'cancelled'"])),
  ],
}
