import { UnsupportedError } from '../errors.ts'
import type { Discovery } from './discovery.ts'
import type { Surroundings } from './surroundings.ts'

const WHY = 'this runtime has no files: give the configuration as an object'

/** Stands for the surroundings where there is no machine to ask. */
export async function surroundings(variables: Surroundings['env'] = {}): Promise<Surroundings> {
  const none = async (path: string): Promise<never> => {
    throw new UnsupportedError(`${path}: ${WHY}`)
  }
  return {
    env: variables,
    platform: 'browser',
    home: undefined,
    cwd: undefined,
    resolve: (_, path) => path,
    readText: none,
    readVariables: none,
    isAgreed: async () => false,
  }
}

/** Stands for reading where there are no files. */
export async function readConfigFile(source: string | URL): Promise<never> {
  throw new UnsupportedError(`${String(source)}: ${WHY}`)
}

/** Where there are no files, no host has any. */
export async function discover(): Promise<Discovery> {
  return { servers: [], files: [], notices: [] }
}

/** Nobody can have agreed. */
export async function isAgreed(): Promise<boolean> {
  return false
}

/** Stands for remembering where there is no place for it. */
export async function agree(): Promise<never> {
  throw new UnsupportedError('this runtime has no files to remember an agreement in: give trust: true')
}

/** Stands for writing where there are no files. */
export async function editServers(source: string | URL): Promise<never> {
  throw new UnsupportedError(`${String(source)}: this runtime has no files`)
}
