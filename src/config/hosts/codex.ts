import type { Dialect } from './dialect.ts'

/** Names variables instead of writing them into texts. */
export const CODEX: Dialect = {
  name: 'Codex',
  root: ['mcp_servers'],
  switch: 'enabled',
  members: {
    env_vars: 'envNames',
    http_headers: 'headers',
    env_http_headers: 'headersFromEnv',
    bearer_token_env_var: 'bearerFromEnv',
    startup_timeout_sec: 'connectTimeoutSeconds',
    startup_timeout_ms: 'connectTimeoutMs',
    tool_timeout_sec: 'timeoutSeconds',
    enabled_tools: 'allow',
    disabled_tools: 'deny',
    required: 'ignored',
    scopes: 'ignored',
    oauth: 'ignored',
    oauth_resource: 'ignored',
    default_tools_approval_mode: 'ignored',
    supports_parallel_tool_calls: 'ignored',
    tools: 'ignored',
  },
  places: [
    { scope: 'project', path: '.codex/config.toml' },
    { scope: 'user', file: ({ home, variable, join }) => join(variable('CODEX_HOME') ?? join(home, '.codex'), 'config.toml') },
  ],
}
