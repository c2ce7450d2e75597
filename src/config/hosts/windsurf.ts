import type { Dialect } from './dialect.ts'

export const WINDSURF: Dialect = {
  name: 'Windsurf',
  root: ['mcpServers'],
  members: { alwaysAllow: 'ignored' },
  places: [
    { scope: 'user', file: ({ home, join }) => join(home, '.codeium/windsurf/mcp_config.json') },
    { scope: 'user', file: ({ home, join }) => join(home, '.codeium/mcp_config.json') },
  ],
}
