import { done, later, row, type Section } from './row.ts'

const session = 'test/unit/transport/http/session.test.ts'
const stream = 'test/unit/transport/http/server-stream.test.ts'

export const notifications: Section = {
  title: 'T. Notifications and sessions',
  rows: [
    row(
      253,
      'every notification',
      "client.on('notification', …)",
      'servers',
      done(
        ['test/unit/features/lists.test.ts', '%s is told from %s'],
        ['test/behaviour/group-fan-out.test.ts', 'hears every server, with its name, also those that come later'],
      ),
    ),
    row(
      254,
      'several listeners, one of which fails',
      'on returns what stops it',
      'features',
      done(['test/unit/features/lists.test.ts', 'reach every listener although one throws, and none that has stopped']),
    ),
    row(
      255,
      'tools changed',
      "on('toolsChanged'), after the list was forgotten",
      'features',
      done(
        ['test/unit/features/lists.test.ts', 'of a changed list come after the old list is forgotten'],
        ['test/unit/features/caching.test.ts', 'is forgotten before listeners hear that it changed'],
        ['test/behaviour/demo.test.ts', 'tells of changed lists where the revision tells unasked'],
      ),
    ),
    row(
      256,
      'prompts and resources changed',
      "on('promptsChanged'), on('resourcesChanged')",
      'features',
      done(
        ['test/behaviour/demo.test.ts', 'tells of changed lists where the revision tells unasked'],
        ['test/unit/features/live.test.ts', 'asks at once for all that is wanted at one moment'],
        ['test/behaviour/live.test.ts', 'reaches listeners, subscriptions and loops, and is asked for as the revision has it'],
      ),
    ),
    row(
      257,
      'a resource was updated',
      "on('resourceUpdated'), watch()",
      'features',
      done(['test/behaviour/live.test.ts', 'reaches listeners, subscriptions and loops, and is asked for as the revision has it']),
    ),
    row(258, 'a log message', "on('log')", 'features', done(['test/unit/features/lists.test.ts', '%s is told from %s'])),
    ...later('features', [259, 'notifications in the wrong direction', "on('notification'), without harm"]),
    row(
      260,
      'the session of the greeting',
      'built in',
      'failures',
      done([session, 'is the one of the last reply before the handshake was done']),
    ),
    row(
      261,
      'the same over plain HTTP',
      "transport: 'http'",
      'failures',
      done(['test/unit/transport/http/json-http.test.ts', 'keeps sessions as Streamable HTTP does']),
    ),
    row(
      262,
      'the session goes with every later request',
      'built in',
      'failures',
      done([session, 'is spoken for by every later POST, GET and DELETE']),
    ),
    row(
      263,
      'a session is ended',
      'close, within a moment',
      'failures',
      done(
        [session, 'rejects what runs and what waits, ends the session'],
        [session, 'waits for the answer to the DELETE no longer than a moment'],
      ),
    ),
    row(
      264,
      'a session that the server forgot',
      'a new one; calls are not sent twice',
      'failures',
      done(
        ['test/behaviour/passing-failures.test.ts', 'is replaced once for fifty calls at once'],
        [session, 'that the server does not know any more (%s) is lost'],
      ),
    ),
    row(
      265,
      'a stream that broke goes on',
      'GET with Last-Event-ID',
      'failures',
      done([session, '%s is continued by GET after the pause that the server asked for'], ['conformance/client.mjs', "'sse-retry'"]),
    ),
    row(
      266,
      'the pause that the server asks for',
      'kept, within bounds',
      'failures',
      done([stream, 'that spoke and closed comes back after a retry of %i ms in %i ms']),
    ),
    row(267, 'nothing to configure', 'built in', 'foundation', done(['interop/rows.mjs', "row('server-everything', 'http', 'auto'"])),
    row(
      268,
      'when the stream of the server is opened',
      'when something could need it',
      'failures',
      done(
        ['test/unit/session/own-streams.test.ts', 'the stream of the server is opened for %s'],
        [stream, 'opens once however often it is asked for'],
        ['test/behaviour/reported-bugs.test.ts', 'outlives the deadlines of requests'],
      ),
    ),
  ],
}
