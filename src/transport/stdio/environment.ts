/** What a server process inherits unless the caller says more: what programs need to run, nothing that is likely to hold a secret. */
const INHERITED: Readonly<Record<'win32' | 'posix', readonly string[]>> = {
  win32: [
    'APPDATA',
    'COMSPEC',
    'HOMEDRIVE',
    'HOMEPATH',
    'LOCALAPPDATA',
    'PATH',
    'PATHEXT',
    'PROCESSOR_ARCHITECTURE',
    'PROGRAMDATA',
    'PROGRAMFILES',
    'SYSTEMDRIVE',
    'SYSTEMROOT',
    'TEMP',
    'TMP',
    'USERNAME',
    'USERPROFILE',
    'WINDIR',
  ],
  posix: [
    'HOME',
    'LANG',
    'LC_ALL',
    'LC_CTYPE',
    'LOGNAME',
    'NODE_EXTRA_CA_CERTS',
    'PATH',
    'SHELL',
    'SSL_CERT_DIR',
    'SSL_CERT_FILE',
    'TERM',
    'TMPDIR',
    'TZ',
    'USER',
  ],
}

/** The environment of a server process. `undefined` in `env` removes a variable. */
export function environmentOf(
  env: Readonly<Record<string, string | undefined>> | undefined,
  inheritEnv: boolean,
  parent: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const result: Record<string, string> = {}
  const safe = platform === 'win32' ? INHERITED.win32 : INHERITED.posix
  for (const [name, value] of Object.entries(parent)) {
    const wanted = inheritEnv || safe.includes(platform === 'win32' ? name.toUpperCase() : name)
    // A value that starts with `()` is a shell function that some shells export.
    if (wanted && value !== undefined && !value.startsWith('()')) result[name] = value
  }
  for (const [name, value] of Object.entries(env ?? {})) {
    if (platform === 'win32') for (const known of Object.keys(result)) if (known.toUpperCase() === name.toUpperCase()) delete result[known]
    if (value === undefined) delete result[name]
    else result[name] = value
  }
  return result
}
