import type { Dialect } from './dialect.ts'

const members: Dialect['members'] = {
  gallery: 'ignored',
  version: 'ignored',
  dev: 'ignored',
  sandbox: 'ignored',
  sandboxEnabled: 'ignored',
}

/** `.vscode/mcp.json` and the user's `mcp.json`. */
export const VS_CODE: Dialect = { name: 'VS Code', root: ['servers'], members }

/** Older versions kept the same in `settings.json`. */
export const VS_CODE_SETTINGS: Dialect = { name: 'VS Code', root: ['mcp', 'servers'], members }
