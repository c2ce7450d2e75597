import type { Dialect } from './dialect.ts'

export const CURSOR: Dialect = {
  name: 'Cursor',
  root: ['mcpServers'],
  members: { auth: 'ignored' },
  places: [
    { scope: 'project', path: '.cursor/mcp.json' },
    { scope: 'user', file: ({ home, join }) => join(home, '.cursor/mcp.json') },
  ],
}
