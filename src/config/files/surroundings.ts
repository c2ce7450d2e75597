import { parseEnv } from 'node:util'
import type { Surroundings } from '../surroundings.ts'
import { Agreements } from './agreements.ts'
import { type Machine, machine, pathsOf } from './machine.ts'
import { readText } from './read-text.ts'

/** What reading a configuration needs to know of a machine. `variables` stand in for those of the process. */
export function surroundings(variables: Surroundings['env'] | undefined, { env, home, cwd, platform }: Machine = machine()): Surroundings {
  const agreements = new Agreements({ env, home, cwd, platform })
  return {
    env: variables ?? env,
    home,
    cwd,
    platform,
    resolve: pathsOf(platform).resolve,
    readText: (path) => readText(path, 'text'),
    readVariables: async (path) => parsed(await readText(path, 'env file')),
    isAgreed: (server) => agreements.has(server),
  }
}

function parsed(text: string): Record<string, string> {
  return Object.fromEntries(Object.entries(parseEnv(text)).filter((pair): pair is [string, string] => pair[1] !== undefined))
}
