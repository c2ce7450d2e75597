import type { Dialect } from './dialect.ts'
import type { Folders } from './place.ts'

/** Local servers of a project stand in the user's file and win over the project's own, and those over the user's. */
export const CLAUDE_CODE: Dialect = {
  name: 'Claude Code',
  root: ['mcpServers'],
  members: { oauth: 'ignored', headersHelper: 'ignored', alwaysLoad: 'ignored' },
  timeoutUnit: 'ms',
  places: [
    { scope: 'managed', file: managed },
    { scope: 'user', file: user, within: (project) => ['projects', project, 'mcpServers'] },
    { scope: 'project', path: '.mcp.json' },
    { scope: 'user', file: user },
  ],
}

function user({ home, variable, join }: Folders): string {
  return join(variable('CLAUDE_CONFIG_DIR') ?? home, '.claude.json')
}

function managed({ platform }: Folders): string {
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode/managed-mcp.json'
  return platform === 'win32' ? 'C:\\Program Files\\ClaudeCode\\managed-mcp.json' : '/etc/claude-code/managed-mcp.json'
}
