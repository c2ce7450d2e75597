import { different, done, row, type Section } from './row.ts'

export const annotations: Section = {
  title: 'E. Annotations of tools',
  rows: [
    row(
      75,
      'find a tool',
      'findTool(name | RegExp | predicate)',
      'foundation',
      done(['test/unit/features/tools.test.ts', 'by %s'], ['test/unit/features/tools.test.ts', 'in vain names the closest']),
    ),
    row(76, 'find several', 'findTools(…)', 'foundation', done(['test/unit/features/tools.test.ts', 'by %s'])),
    row(
      77,
      'read-only, false unless said',
      'tool.readOnlyHint',
      'foundation',
      done(['test/unit/features/tools.test.ts', 'has the hints of the specification where it says nothing: %j']),
    ),
    row(
      78,
      'destructive, true unless said',
      'tool.destructiveHint',
      'foundation',
      done(['test/unit/features/tools.test.ts', 'has the hints of the specification where it says nothing: %j']),
    ),
    row(
      79,
      'idempotent, false unless said',
      'tool.idempotentHint',
      'foundation',
      done(['test/unit/features/tools.test.ts', 'has the hints of the specification where it says nothing: %j']),
    ),
    row(
      80,
      'open world, true unless said',
      'tool.openWorldHint',
      'foundation',
      done(['test/unit/features/tools.test.ts', 'has the hints of the specification where it says nothing: %j']),
    ),
    row(
      81,
      'a tool that says nothing counts as dangerous',
      'tool.requiresConfirmation; approval and retries',
      'servers',
      done(
        ['test/unit/features/tools.test.ts', 'has the hints of the specification where it says nothing: %j'],
        ['test/behaviour/group-policy.test.ts', 'is seen with its tool, arguments, annotations and server, and goes out when it is'],
      ),
    ),
    row(
      82,
      'an older spelling: read-only',
      'tool.annotations, as it came',
      'features',
      different('it stands in tool.annotations as it came and decides nothing: an unknown hint must not make a tool look safe', [
        'test/unit/features/tools.test.ts',
        'has the hints of the specification where it says nothing: %j',
      ]),
    ),
    row(
      83,
      'an older spelling: destructive',
      'tool.annotations, as it came',
      'features',
      different('it stands in tool.annotations as it came and decides nothing: an unknown hint must not make a tool look safe', [
        'test/unit/features/tools.test.ts',
        'has the hints of the specification where it says nothing: %j',
      ]),
    ),
    row(
      84,
      'an older spelling: ask first',
      'tool.requiresConfirmation',
      'features',
      done(['test/unit/features/tools.test.ts', 'has the hints of the specification where it says nothing: %j']),
    ),
  ],
}
