import { done, row, type Section } from './row.ts'

export const progress: Section = {
  title: 'I. Progress',
  rows: [
    row(
      112,
      'a callback',
      'onProgress({ progress, total, message })',
      'foundation',
      done(
        ['test/behaviour/demo.test.ts', 'tells progress in order, whole, and before the result'],
        ['test/cli/terminal.test.ts', 'a long call draws its progress on one line, and takes it back'],
      ),
    ),
    row(
      113,
      'a token of its own',
      'one per request',
      'foundation',
      done(['test/unit/session/calls.test.ts', 'gets its own progress only, with what belongs to it']),
    ),
    row(
      114,
      'only while the call runs',
      'late progress is dropped',
      'foundation',
      done(['test/unit/session/calls.test.ts', 'gets no progress after its result']),
    ),
    row(
      115,
      'a callback that throws',
      'logged; the call goes on',
      'foundation',
      done(['test/unit/session/calls.test.ts', 'is not harmed by a progress listener that throws']),
    ),
    row(
      116,
      'metadata by hand',
      'meta',
      'features',
      done(['test/unit/session/calls.test.ts', 'carries the metadata of the caller; what the protocol reserves wins']),
    ),
    row(
      117,
      'metadata among the arguments',
      'moved to the request',
      'features',
      done(
        ['test/unit/features/metadata.test.ts', 'moves out of the arguments of a tool; the option wins key by key'],
        ['test/unit/features/metadata.test.ts', 'moves out of the arguments of a prompt'],
      ),
    ),
  ],
}

export const deadlines: Section = {
  title: 'J. Deadlines and cancelling',
  rows: [
    row(
      118,
      'a deadline per server',
      'timeoutMs',
      'foundation',
      done(['test/unit/session/deadlines.test.ts', 'have the default of 60 seconds, and that of the client']),
    ),
    row(
      119,
      'a deadline per request',
      'client.request(method, params, { timeoutMs })',
      'features',
      done(['test/unit/session/deadlines.test.ts', 'end a silent call at its time, not before, and tell the server once']),
    ),
    row(
      120,
      'a deadline on one server of several',
      "(await group.client('x')).request(…)",
      'servers',
      done(
        ['test/behaviour/group.test.ts', 'has a deadline of its own'],
        ['test/behaviour/group.test.ts', 'is ready after the time that it may take, whatever its servers do'],
      ),
    ),
    row(121, 'on every method', '{ timeoutMs } everywhere', 'foundation', done(['test/seed/rows.test.ts', 'a deadline ends %s'])),
    row(
      122,
      'a family of errors',
      'TimeoutError is a TransportError',
      'failures',
      done(['test/unit/session/errors.test.ts', 'have a name, a code and a parent that stay: %s']),
    ),
    row(
      123,
      'a request that timed out is not sent again',
      'sent once',
      'failures',
      done(['test/unit/session/deadlines.test.ts', 'end a silent call at its time, not before, and tell the server once']),
    ),
    row(
      124,
      'the server is told as well as may be',
      'failing to tell disturbs nobody',
      'failures',
      done(
        ['test/behaviour/giving-up.test.ts', 'disturbs nobody when it %s'],
        ['test/behaviour/giving-up.test.ts', 'gone in the same moment'],
      ),
    ),
    row(125, 'a handshake is never cancelled', 'never', 'failures', done(['test/wire/transcripts.test.ts', 'never cancels a handshake'])),
    row(
      126,
      'tasks are cancelled in their own way',
      'tasks/cancel',
      'failures',
      done(
        ['test/unit/features/tasks.test.ts', 'is cancelled in its own way'],
        ['test/unit/features/followed-tasks.test.ts', 'that is given up is cancelled when its id is known'],
        ['test/unit/features/followed-tasks.test.ts', 'takes its task with it when it is given up, %s era'],
        ['test/behaviour/tasks.test.ts', 'are cancelled in their own way'],
      ),
    ),
    row(
      127,
      'the caller cancels',
      'signal; Ctrl-C in the command',
      'foundation',
      done(
        ['test/unit/session/calls.test.ts', 'that is aborted rejects with the reason itself and tells the server once'],
        ['test/cli/exit-codes.test.ts', '130: %s during a call, which the server is told of'],
      ),
    ),
  ],
}
