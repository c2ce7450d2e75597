import type { Surroundings } from '../surroundings.ts'

/** The folders that hosts keep their files in. */
export interface Folders {
  readonly home: string
  /** For settings of programs: `~/Library/Application Support`, `%APPDATA%`, `~/.config`. */
  readonly settings: string
  /** `XDG_CONFIG_HOME`, else `~/.config`, on every platform: where programs of the terminal keep theirs. */
  readonly config: string
  /** A variable that moves a folder. */
  readonly variable: (name: string) => string | undefined
  readonly platform: string
  readonly join: (...parts: readonly string[]) => string
}

/** The folders of a machine; undefined when nobody lives there. */
export function foldersOf({ env, platform, home, resolve }: Surroundings): Folders | undefined {
  if (home === undefined) return undefined
  const join = (first: string, ...rest: readonly string[]): string => resolve(first, rest.join('/'))
  const variable = (name: string): string | undefined => env[name] || undefined
  const config = variable('XDG_CONFIG_HOME') ?? join(home, '.config')
  const settings =
    platform === 'darwin'
      ? join(home, 'Library/Application Support')
      : platform === 'win32'
        ? (variable('APPDATA') ?? join(home, 'AppData/Roaming'))
        : config
  return { home, settings, config, variable, platform, join: (...parts) => join(parts[0] ?? home, ...parts.slice(1)) }
}
