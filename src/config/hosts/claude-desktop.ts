import type { Dialect } from './dialect.ts'

/** Starts programs only; what is remote is a connector in its settings, not in the file. */
export const CLAUDE_DESKTOP: Dialect = {
  name: 'Claude Desktop',
  root: ['mcpServers'],
  places: [{ scope: 'user', file: ({ settings, join }) => join(settings, 'Claude/claude_desktop_config.json') }],
}
