import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import metaschemas from './metaschemas.json' with { type: 'json' }

const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** Where the official suite is, whether it is there or not. */
export const suitePath: string = join(process.env.SWITCHBOARD_SHARED ?? resolve(repository, '../shared'), 'json-schema-suite')

export const suiteIsThere: boolean = existsSync(join(suitePath, 'tests'))

/** One group of the suite: a schema and values for it. */
export interface SuiteGroup {
  file: string
  description: string
  schema: unknown
  tests: { description: string; data: unknown; valid: boolean }[]
}

export function suiteGroups(draft: 'draft7' | 'draft2020-12', folder = ''): SuiteGroup[] {
  const at = join(suitePath, 'tests', draft, folder)
  return readdirSync(at)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => (JSON.parse(readFileSync(join(at, file), 'utf8')) as SuiteGroup[]).map((group) => ({ ...group, file })))
}

/** The documents that the suite refers to, by URI: its own remotes and the metaschemas of both drafts. */
export function suiteDocuments(): Record<string, unknown> {
  const remotes = join(suitePath, 'remotes')
  const found: Record<string, unknown> = { ...metaschemas }
  for (const name of readdirSync(remotes, { recursive: true, encoding: 'utf8' })) {
    const file = join(remotes, name)
    if (!statSync(file).isFile()) continue
    found[`http://localhost:1234/${relative(remotes, file).replaceAll('\\', '/')}`] = JSON.parse(readFileSync(file, 'utf8'))
  }
  return found
}
