import { homedir } from 'node:os'
import { type PlatformPath, posix, win32 } from 'node:path'

/** What tells one machine from another. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly cwd: string
  readonly platform: string
}

/** The machine that this process runs on; `given` stands in for parts of it. */
export function machine(given: { readonly [Key in keyof Machine]?: Machine[Key] | undefined } = {}): Machine {
  const { env = process.env, home = homedir(), cwd = process.cwd(), platform = process.platform } = given
  const { resolve } = pathsOf(platform)
  return { env, home: resolve(home), cwd: resolve(cwd), platform }
}

/** How paths are written there. */
export function pathsOf(platform: string): PlatformPath {
  return platform === 'win32' ? win32 : posix
}
