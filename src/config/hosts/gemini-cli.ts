import { isObject } from '../../jsonrpc/codec.ts'
import type { Dialect } from './dialect.ts'
import type { Folders } from './place.ts'

/** The administrator's file wins over the project's, and that over the user's. */
export const GEMINI_CLI: Dialect = {
  name: 'Gemini CLI',
  root: ['mcpServers'],
  members: {
    trust: 'ignored',
    oauth: 'ignored',
    authProviderType: 'ignored',
    targetAudience: 'ignored',
    targetServiceAccount: 'ignored',
    extensionName: 'ignored',
  },
  timeoutUnit: 'ms',
  syntax: ['dollar'],
  switchedOff: ({ mcp }) => {
    const allowed = isObject(mcp) && Array.isArray(mcp.allowed) ? mcp.allowed : undefined
    const excluded = isObject(mcp) && Array.isArray(mcp.excluded) ? mcp.excluded : []
    return (name) => excluded.includes(name) || allowed?.includes(name) === false
  },
  places: [
    { scope: 'managed', file: managed },
    { scope: 'project', path: '.gemini/settings.json' },
    { scope: 'user', file: ({ home, join }) => join(home, '.gemini/settings.json') },
  ],
}

function managed({ platform, variable }: Folders): string {
  const moved = variable('GEMINI_CLI_SYSTEM_SETTINGS_PATH')
  if (moved !== undefined) return moved
  if (platform === 'darwin') return '/Library/Application Support/GeminiCli/settings.json'
  return platform === 'win32' ? 'C:\\ProgramData\\gemini-cli\\settings.json' : '/etc/gemini-cli/settings.json'
}
