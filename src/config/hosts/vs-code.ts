import type { Dialect } from './dialect.ts'

const members: Dialect['members'] = {
  auth: 'ignored',
  dev: 'ignored',
  gallery: 'ignored',
  oauth: 'ignored',
  sandbox: 'ignored',
  sandboxEnabled: 'ignored',
  version: 'ignored',
}

/** `.vscode/mcp.json` and the user's `mcp.json`. */
export const VS_CODE: Dialect = {
  name: 'VS Code',
  root: ['servers'],
  members,
  places: [
    { scope: 'project', path: '.vscode/mcp.json' },
    { scope: 'user', file: ({ settings, join }) => join(settings, 'Code/User/mcp.json') },
  ],
}

/** Older versions kept the same in `settings.json`. */
export const VS_CODE_SETTINGS: Dialect = {
  name: 'VS Code',
  root: ['mcp', 'servers'],
  members,
  places: [
    { scope: 'project', path: '.vscode/settings.json' },
    { scope: 'user', file: ({ settings, join }) => join(settings, 'Code/User/settings.json') },
  ],
}
