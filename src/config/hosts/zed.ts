import { isObject } from '../../jsonrpc/codec.ts'
import type { Dialect } from './dialect.ts'

/** A server that an extension brings has settings and no command. */
export const ZED: Dialect = {
  name: 'Zed',
  root: ['context_servers'],
  switch: 'enabled',
  members: { source: 'ignored', settings: 'ignored', remote: 'ignored' },
  notOurs: ({ source, settings, command, url }) =>
    source === 'extension' || (isObject(settings) && command === undefined && url === undefined)
      ? 'belongs to an extension of Zed, which alone can start it'
      : undefined,
  places: [
    { scope: 'project', path: '.zed/settings.json' },
    {
      scope: 'user',
      file: ({ platform, settings, config, home, join }) =>
        platform === 'win32'
          ? join(settings, 'Zed/settings.json')
          : join(platform === 'darwin' ? join(home, '.config') : config, 'zed/settings.json'),
    },
  ],
}
