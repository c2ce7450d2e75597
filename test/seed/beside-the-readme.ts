import { different, done, open, row, type Section } from './row.ts'

const stdio = 'test/unit/transport/stdio.test.ts'
const replies = 'test/unit/transport/http/replies.test.ts'
const target = 'test/unit/config/target.test.ts'

export const besideTheReadme: Section = {
  title: 'V. Used, but not in its README',
  rows: [
    row(
      274,
      'a server by index, name or object',
      'name, index or client',
      'servers',
      done([
        'test/behaviour/group-routing.test.ts',
        'is called on the server that is named: by its name in any case, its place, or its client',
      ]),
    ),
    row(
      275,
      'find a server',
      'group.servers.get(name), group.client(name)',
      'servers',
      done(['test/behaviour/group.test.ts', 'is %s'], ['test/behaviour/group.test.ts', 'is tried again when it is named']),
    ),
    row(
      276,
      'a name that several servers have',
      'AmbiguousNameError',
      'servers',
      done(['test/behaviour/group-routing.test.ts', 'that several servers have is refused with the servers, and nothing is sent']),
    ),
    row(
      277,
      'a name that nobody has',
      'NotFoundError',
      'servers',
      done(
        ['test/unit/features/tools.test.ts', 'that a fresh list lacks is a NotFoundError with the closest name'],
        ['test/behaviour/group-routing.test.ts', 'that no server has is refused with the closest names, after the servers were asked anew'],
        ['test/behaviour/group-routing.test.ts', 'are found like tools'],
      ),
    ),
    row(
      278,
      'no server answers',
      'rejects, with each error',
      'servers',
      done(['test/behaviour/group.test.ts', 'rejects what is asked of all only when none answered, with each error']),
    ),
    row(
      279,
      'a list without the cache',
      "listTools({ cache: 'refresh' }), clearCache()",
      'features',
      done(['test/unit/features/caching.test.ts', 'is asked for anew with cache: refresh, which is then kept, and after clearCache']),
    ),
    row(
      280,
      'required arguments are looked for first',
      "validateArguments: 'required'",
      'features',
      done(['test/unit/features/tools.test.ts', 'without a required argument sends nothing, names it and what was given instead']),
    ),
    row(
      281,
      'ping',
      'client.ping()',
      'servers',
      done(
        ['test/behaviour/group-fan-out.test.ts', 'is a ping, which says who is not there'],
        ['test/behaviour/demo.test.ts', 'is there'],
        ['test/unit/session/calls.test.ts', 'is a discovery where the revision has no ping'],
      ),
    ),
    row(
      282,
      'any request, any notification',
      'client.request, client.notify',
      'servers',
      done(
        ['test/unit/session/calls.test.ts', 'of any method and a notification of any method go out as they are given'],
        ['test/behaviour/group-routing.test.ts', 'needs the name of a server where there are several'],
      ),
    ),
    row(
      283,
      'subscribe and unsubscribe',
      'subscribe(uri), unsubscribe(uri), watch(uri)',
      'features',
      done(
        ['test/behaviour/live.test.ts', 'reaches listeners, subscriptions and loops, and is asked for as the revision has it'],
        ['test/behaviour/live.test.ts', 'subscriptions, loops, listeners and the log level are back'],
      ),
    ),
    row(
      284,
      'end the session alone',
      'close()',
      'failures',
      different('a session ends with its client; there is no call that ends one and keeps the other', [
        'test/unit/transport/http/session.test.ts',
        'rejects what runs and what waits, ends the session',
      ]),
    ),
    row(
      285,
      "a handler's own error code",
      'throw new RpcError(code, message)',
      'features',
      done(['test/unit/session/inbound.test.ts', 'whose handler throws %s is answered by it']),
    ),
    row(
      286,
      'pings of the server are answered',
      'in the old era',
      'foundation',
      done(
        ['test/unit/session/inbound.test.ts', 'is answered during the handshake: a ping, before and after the greeting'],
        ['test/wire/transcripts.test.ts', 'takes a banner, log messages and pings before the answer'],
      ),
    ),
    row(
      287,
      'stderr is drained and can be read',
      'stderr',
      'failures',
      done([stdio, 'never blocks the process: 10 MB are drained during a call'], [stdio, 'comes line by line']),
    ),
    row(
      288,
      'a process is ended gently, then by force',
      'shutdownGraceMs, the whole tree',
      'failures',
      done([stdio, 'ends a process that ignores the end of stdin and SIGTERM'], [stdio, 'ends what a dead process left behind']),
    ),
    row(
      289,
      'a variable is taken away',
      '{ env: { NAME: undefined } }',
      'failures',
      done([stdio, 'is the whole of ours with inheritEnv, without what is undefined']),
    ),
    row(
      290,
      'features of a shell in a command line',
      'none',
      'foundation',
      different('a command line is split into words and never given to a shell', [
        target,
        'a command line is split into words as a shell does, without being one',
      ]),
    ),
    row(291, 'User-Agent', 'sent, and may be replaced', 'foundation', done([replies, 'lets the caller replace the user agent'])),
    row(
      292,
      'odd URLs, queries, ports',
      'used exactly as given',
      'foundation',
      different('nothing of a URL is rewritten or dropped', [target, 'that is a URL is used as given: %s']),
    ),
    row(
      293,
      'secrets stay out of logs',
      'no header value and no query in logs or errors',
      'oauth',
      open('oauth', 'tokens', [replies, 'the error names the code and the URL without its secrets']),
    ),
  ],
}
