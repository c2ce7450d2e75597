import { done, later, open, row, type Section } from './row.ts'

const checks = 'interop/checks.mjs'

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
    row(129, 'title, description, site, icons', 'the same keys', 'foundation', open('foundation')),
    row(130, 'instructions', 'client.instructions', 'foundation', done([checks, 'client.instructions, offers.instructions'])),
    row(131, 'what the server is and can', 'client.serverInfo, client.capabilities', 'foundation', done([checks, 'client.serverInfo'])),
    row(132, 'no level without logging', 'UnsupportedError, nothing sent', 'features', open('foundation')),
    ...later(
      'features',
      [133, 'no subscription without the capability', 'UnsupportedError, nothing sent'],
      [134, 'no completion without the capability', 'UnsupportedError, nothing sent'],
      [135, 'no tasks without the capability', 'UnsupportedError, nothing sent'],
    ),
    ...later('servers', [136, 'a level for many servers', 'those without logging are left out']),
    row(137, 'what we can follows from what is registered', 'handlers, roots, extensions', 'foundation', open('foundation')),
    row(138, 'lists of a server without the capability', '[], without a request', 'features', open('foundation')),
  ],
}

export const completionAndLogging: Section = {
  title: 'L. Completion and logging',
  rows: later(
    'features',
    [139, 'complete an argument of a prompt', 'complete({ prompt, argument, value })'],
    [140, 'complete a variable of a template', 'complete({ template, argument, value })'],
    [141, 'what comes back', '{ values, total?, hasMore? }'],
    [142, 'what is known already', 'context'],
    [143, 'set the level', 'setLogLevel(level)'],
    [144, 'eight levels', 'a type; anything else is a TypeError'],
    [145, 'log messages', "on('log', ({ level, logger, data }) => …)"],
    [146, 'messages that nobody takes', 'to the logger, escaped and bounded'],
  ),
}
