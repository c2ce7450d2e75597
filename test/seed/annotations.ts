import { later, open, row, type Section } from './row.ts'

export const annotations: Section = {
  title: 'E. Annotations of tools',
  rows: [
    row(75, 'find a tool', 'findTool(name | RegExp | predicate)', 'foundation', open('foundation')),
    row(76, 'find several', 'findTools(…)', 'foundation', open('foundation')),
    row(77, 'read-only, false unless said', 'tool.readOnlyHint', 'foundation', open('foundation')),
    row(78, 'destructive, true unless said', 'tool.destructiveHint', 'foundation', open('foundation')),
    row(79, 'idempotent, false unless said', 'tool.idempotentHint', 'foundation', open('foundation')),
    row(80, 'open world, true unless said', 'tool.openWorldHint', 'foundation', open('foundation')),
    row(
      81,
      'a tool that says nothing counts as dangerous',
      'tool.requiresConfirmation; approval and retries',
      'servers',
      open('servers', 'approval'),
    ),
    ...later(
      'features',
      [82, 'an older spelling: read-only', 'tool.annotations, as it came'],
      [83, 'an older spelling: destructive', 'tool.annotations, as it came'],
      [84, 'an older spelling: ask first', 'tool.requiresConfirmation'],
    ),
  ],
}
