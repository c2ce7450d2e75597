import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ConfigDocument } from '../config-document.ts'
import type { Dialect } from '../hosts/dialect.ts'
import type { ServerOrigin } from '../server-definition.ts'
import { readText } from './read-text.ts'

/** A configuration file that was read, and what its place says about it. */
export interface ConfigFile {
  readonly document: ConfigDocument
  readonly scope: ServerOrigin['scope']
  readonly dialect: Dialect | undefined
  /** What relative paths in it start from. */
  readonly folder: string
}

/**
 * Reads a configuration file: JSON with comments, TOML or YAML, by the end of its name.
 * @throws ConfigError with the file, and the line and column where there is one.
 */
export async function readConfigFile(source: string | URL): Promise<ConfigFile> {
  const file = resolve(source instanceof URL ? fileURLToPath(source) : source)
  return { document: await readDocument(file), scope: 'file', dialect: undefined, folder: dirname(file) }
}

/** Reads a file in its format; the parsers are loaded when a file needs them. */
export async function readDocument(file: string): Promise<ConfigDocument> {
  const text = await readText(file)
  if (/\.toml$/i.test(file)) return (await import('./parse-toml.ts')).parseToml(text, file)
  if (/\.ya?ml$/i.test(file)) return (await import('./parse-yaml.ts')).parseYaml(text, file)
  return (await import('./parse-json.ts')).parseJson(text, file)
}
