import type { Dialect } from './dialect.ts'

/** An extension of VS Code, and a program of its own. Counts times in seconds. */
export const CLINE: Dialect = {
  name: 'Cline',
  root: ['mcpServers'],
  members: { alwaysAllow: 'ignored', autoApprove: 'ignored', transportType: 'type', oauth: 'ignored' },
  timeoutUnit: 's',
  places: [
    {
      scope: 'user',
      file: ({ settings, join }) => join(settings, 'Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'),
    },
    {
      scope: 'user',
      file: ({ home, variable, join }) => join(variable('CLINE_DIR') ?? join(home, '.cline'), 'data/settings/cline_mcp_settings.json'),
    },
  ],
}
