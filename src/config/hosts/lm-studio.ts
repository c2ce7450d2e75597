import type { Dialect } from './dialect.ts'

/** Follows the notation of Cursor. */
export const LM_STUDIO: Dialect = {
  name: 'LM Studio',
  root: ['mcpServers'],
  places: [{ scope: 'user', file: ({ home, join }) => join(home, '.lmstudio/mcp.json') }],
}
