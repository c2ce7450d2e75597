import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import type { Surroundings } from '../surroundings.ts'
import { readText } from './read-text.ts'

/** The machine that this process runs on. `variables` stand in for those of the process. */
export async function surroundings(variables: Surroundings['env'] = process.env): Promise<Surroundings> {
  return {
    env: variables,
    platform: process.platform,
    home: homedir(),
    cwd: process.cwd(),
    resolve,
    readText: (path) => readText(path, 'text'),
    readVariables: async (path) => parsed(await readText(path, 'env file')),
  }
}

function parsed(text: string): Record<string, string> {
  return Object.fromEntries(Object.entries(parseEnv(text)).filter((pair): pair is [string, string] => pair[1] !== undefined))
}
