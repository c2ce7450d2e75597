import type { Dialect } from './dialect.ts'

/** Keeps servers among its extensions, most of which live inside it, and secrets in the keyring of the system. */
export const GOOSE: Dialect = {
  name: 'Goose',
  root: ['extensions'],
  switch: 'enabled',
  members: {
    cmd: 'command',
    envs: 'env',
    env_keys: 'secretNames',
    uri: 'url',
    available_tools: 'allow',
    name: 'ignored',
    display_name: 'ignored',
    bundled: 'ignored',
  },
  timeoutUnit: 's',
  notOurs: ({ type }) =>
    typeof type === 'string' && ['builtin', 'platform', 'frontend', 'inline_python'].includes(type)
      ? `is part of Goose itself (${type})`
      : undefined,
  places: [
    {
      scope: 'user',
      file: ({ platform, settings, config, join }) =>
        platform === 'win32' ? join(settings, 'Block/goose/config/config.yaml') : join(config, 'goose/config.yaml'),
    },
  ],
}
