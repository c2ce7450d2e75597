import { type Bug, bug, shown } from './bug.ts'

const PIPE = 'test/unit/transport/pipe-connection.test.ts'
const LISTS = 'test/unit/features/lists.test.ts'
const CALLS = 'test/unit/session/calls.test.ts'
const DEADLINES = 'test/unit/session/deadlines.test.ts'
const REPORTED = 'test/behaviour/reported-bugs.test.ts'
const SERVER_STREAM = 'test/unit/transport/http/server-stream.test.ts'

/** What happens while client and server speak, whatever the way. */
export const conversations: readonly Bug[] = [
  bug(
    73,
    'protocol',
    'a refused greeting that lists revisions is final',
    shown(
      ['test/unit/era/negotiate.test.ts', 'tries once more with a version that a refusal of the greeting lists'],
      ['test/unit/era/negotiate.test.ts', 'shows the refusal of a greeting'],
    ),
  ),
  bug(
    74,
    'protocol',
    'an answer with a wrong id is a silent timeout',
    shown(['test/wire/transcripts.test.ts', 'are named when they explain a silence']),
  ),
  bug(
    75,
    'protocol',
    'an id comes back as another type',
    shown([PIPE, 'never matches an answer by guess'], ['test/unit/transport/http/replies.test.ts', 'takes "1" for 1 on its own reply']),
  ),
  bug(82, 'protocol', 'null in optional places makes a result invalid', shown(['test/behaviour/bad-input.test.ts', 'may answer with %s'])),
  bug(84, 'protocol', 'only an empty object is a pong', shown([CALLS, 'is answered by any result'])),
  bug(
    85,
    'protocol',
    'a revision is taken for a promise of every feature',
    shown([CALLS, 'no capability, no request'], [REPORTED, 'costs the method that it lacks and nothing else']),
  ),
  bug(86, 'protocol', 'a number and a text are one id', shown([PIPE, 'keeps the ids 1 and "1" apart'])),
  bug(90, 'pagination', 'null as the next cursor', shown([LISTS, 'end at the cursor %j'])),
  bug(91, 'pagination', 'a list without an end', shown([LISTS, 'with new cursors for ever end with an error'])),
  bug(92, 'pagination', 'a cursor that is falsy starts the list again', shown([LISTS, 'at an empty cursor'], [LISTS, 'from any cursor'])),
  bug(
    159,
    'timeout',
    'a long call with progress is ended, and nobody knows how to keep it',
    shown([DEADLINES, 'then the error names the option'], [DEADLINES, 'start again with each progress when asked for']),
  ),
  bug(
    160,
    'timeout',
    'a limit of the HTTP client ends long streams',
    shown([SERVER_STREAM, 'comes back quietly after five quiet minutes'], [REPORTED, 'outlives the deadlines of requests']),
  ),
  bug(
    161,
    'timeout',
    'a quiet stream that breaks is an error for the user',
    shown([SERVER_STREAM, 'comes back quietly after five quiet minutes']),
  ),
  bug(
    162,
    'timeout',
    'a call that timed out is sent again',
    shown(['test/unit/session/resend.test.ts', 'or not: %s'], [DEADLINES, 'end a silent call at its time']),
  ),
  bug(165, 'leaks', 'one signal for many calls makes warnings', shown([CALLS, 'leaves no listener on a signal that 10,000 calls share'])),
  bug(
    166,
    'leaks',
    'a session that was refused is used again',
    shown(['test/unit/transport/http/session.test.ts', 'that the server does not know any more'], [REPORTED, 'after its return works']),
  ),
  bug(
    187,
    'reconnect',
    'a server that was away is given up',
    shown([REPORTED, 'is never given up'], ['test/unit/session/restart.test.ts', 'until the next call tries']),
  ),
  bug(
    188,
    'reconnect',
    'there are several ways to reconnect, and one has no pause',
    shown(
      ['test/unit/session/resend.test.ts', 'after a pause that doubles'],
      ['test/unit/session/keep-alive.test.ts', 'replaces a link that answers no ping'],
    ),
  ),
  bug(189, 'reconnect', 'tools vanish while a connection is made anew', shown([REPORTED, 'what is known of the tools stays known'])),
  bug(
    190,
    'reconnect',
    'one call is resumed for ever',
    shown(['test/unit/transport/http/session.test.ts', 'is given up when attempt upon attempt brings nothing']),
  ),
]
