import { fileURLToPath } from 'node:url'
import type { ConfigDocument } from '../config-document.ts'
import type { Reading } from '../document-servers.ts'
import type { Surroundings } from '../surroundings.ts'
import { hostOf } from './host-files.ts'
import { readText } from './read-text.ts'

/** A configuration file that was read, and what its place says about it. */
export interface ConfigFile extends Omit<Reading, 'expand'> {
  readonly document: ConfigDocument
}

/**
 * Reads a configuration file: JSON with comments, TOML or YAML, by the end of its name. One that belongs to a host is read as that host does.
 * @throws ConfigError with the file, and the line and column where there is one.
 */
export async function readConfigFile(source: string | URL, around: Surroundings): Promise<ConfigFile> {
  const file = locate(source, around)
  const host = hostOf(file, around)
  // What a user's file means does not depend on where it stands, but on where one works.
  const folder = host === undefined ? around.resolve(file, '..') : host.project
  return { document: await readDocument(file), scope: host?.place.scope ?? 'file', dialect: host?.dialect, folder }
}

/** The absolute path of a file that is named by its path or its URL. */
export function locate(source: string | URL, around: Surroundings): string {
  const named = source instanceof URL || /^file:\/\//i.test(source) ? fileURLToPath(source) : source
  return around.resolve(around.cwd ?? '', named)
}

/** Reads a file in its format, or a text as if it stood there; the parsers are loaded when a file needs them. */
export async function readDocument(file: string, given?: string): Promise<ConfigDocument> {
  const text = given ?? (await readText(file))
  if (/\.toml$/i.test(file)) return (await import('./parse-toml.ts')).parseToml(text, file)
  if (/\.ya?ml$/i.test(file)) return (await import('./parse-yaml.ts')).parseYaml(text, file)
  return (await import('./parse-json.ts')).parseJson(text, file)
}
