import { done, later, row, type Section } from './row.ts'

const COMPLETION = 'test/unit/features/completion.test.ts'
const DEMO = 'test/behaviour/demo.test.ts'

export const identity: Section = {
  title: 'K. Identity and capabilities',
  rows: [
    row(
      128,
      'who we are: name and version',
      'clientInfo',
      'foundation',
      done(['test/unit/connect-options.test.ts', 'name what is wrong and send nothing: %s %j']),
    ),
    row(
      129,
      'title, description, site, icons',
      'the same keys',
      'foundation',
      done(['test/seed/rows.test.ts', 'tells the server all that it is given of the client']),
    ),
    row(
      130,
      'instructions',
      'client.instructions',
      'foundation',
      done(['test/behaviour/demo.test.ts', 'says who it is, what it can and how it wants to be used']),
    ),
    row(
      131,
      'what the server is and can',
      'client.serverInfo, client.capabilities',
      'foundation',
      done(['test/unit/session/calls.test.ts', 'is there after connect (%s)']),
    ),
    row(
      132,
      'no level without logging',
      'UnsupportedError, nothing sent',
      'features',
      done(['test/unit/session/calls.test.ts', 'decides what is asked of it: no capability, no request']),
    ),
    row(
      133,
      'no subscription without the capability',
      'UnsupportedError, nothing sent',
      'features',
      done(
        ['test/unit/features/live.test.ts', 'does not ask for what the server does not declare'],
        ['test/unit/features/live.test.ts', 'need the capability'],
      ),
    ),
    row(
      134,
      'no completion without the capability',
      'UnsupportedError, nothing sent',
      'features',
      done([COMPLETION, 'is not asked of a server that does not declare it']),
    ),
    ...later('features', [135, 'no tasks without the capability', 'UnsupportedError, nothing sent']),
    row(
      136,
      'a level for many servers',
      'those without logging are left out',
      'servers',
      done([
        'test/behaviour/group-fan-out.test.ts',
        'is the log level: servers without logs are passed over, those that come later are told',
      ]),
    ),
    row(
      137,
      'what we can follows from what is registered',
      'handlers, roots, extensions',
      'foundation',
      done(
        ['test/wire/transcripts.test.ts', 'are those of what is registered, in both eras: %j'],
        ['test/unit/session/input-required.test.ts', 'are declared by what is registered and by nothing else: %j'],
      ),
    ),
    row(
      138,
      'lists of a server without the capability',
      '[], without a request',
      'features',
      done(['test/unit/session/calls.test.ts', 'decides what is asked of it: no capability, no request']),
    ),
  ],
}

export const completionAndLogging: Section = {
  title: 'L. Completion and logging',
  rows: [
    row(
      139,
      'complete an argument of a prompt',
      'complete({ prompt, argument, value })',
      'features',
      done(
        [COMPLETION, 'an argument of a prompt and a variable of a template, with what was answered before'],
        [DEMO, 'completes what is typed'],
      ),
    ),
    row(
      140,
      'complete a variable of a template',
      'complete({ template, argument, value })',
      'features',
      done(
        [COMPLETION, 'an argument of a prompt and a variable of a template, with what was answered before'],
        [DEMO, 'completes what is typed'],
      ),
    ),
    row(141, 'what comes back', '{ values, total?, hasMore? }', 'features', done([COMPLETION, 'gives what is usable of %j'])),
    row(
      142,
      'what is known already',
      'context',
      'features',
      done([COMPLETION, 'in %s needs the capability: %s, and tells earlier answers: %s']),
    ),
    row(
      143,
      'set the level',
      'setLogLevel(level)',
      'features',
      done(
        ['test/unit/features/lists.test.ts', 'is told once where the revision has a request for it'],
        ['test/unit/features/lists.test.ts', 'is carried by every later request where it has none'],
      ),
    ),
    row(
      144,
      'eight levels',
      'a type; anything else is a TypeError',
      'features',
      done(['test/unit/features/lists.test.ts', 'that is none is a TypeError with nothing sent: %j']),
    ),
    row(
      145,
      'log messages',
      "on('log', ({ level, logger, data }) => …)",
      'features',
      done(['test/behaviour/demo.test.ts', 'sends log messages of the level that is wanted']),
    ),
    ...later('features', [146, 'messages that nobody takes', 'to the logger, escaped and bounded']),
  ],
}
