import type { Dialect } from './dialect.ts'

/** A command is a list, variables are written `{env:NAME}` and `{file:path}`. */
export const OPENCODE: Dialect = {
  name: 'opencode',
  root: ['mcp'],
  switch: 'enabled',
  members: { environment: 'env', oauth: 'ignored', timeout: 'connectTimeoutMs' },
  syntax: ['env-braces'],
  places: [
    { scope: 'project', path: 'opencode.jsonc' },
    { scope: 'project', path: 'opencode.json' },
    { scope: 'user', file: ({ variable }) => variable('OPENCODE_CONFIG') },
    { scope: 'user', file: ({ config, join }) => join(config, 'opencode/opencode.jsonc') },
    { scope: 'user', file: ({ config, join }) => join(config, 'opencode/opencode.json') },
  ],
}
