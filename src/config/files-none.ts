import { UnsupportedError } from '../errors.ts'
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
  }
}

/** Stands for reading where there are no files. */
export async function readConfigFile(source: string | URL): Promise<never> {
  throw new UnsupportedError(`${String(source)}: ${WHY}`)
}
