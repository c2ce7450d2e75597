import { ConfigError } from '../errors.ts'
import { peerText } from '../protocol/peer-text.ts'
import type { ConfigDocument, ConfigPath } from './config-document.ts'

/** The longest name of a server that is quoted. */
const MAX_NAME_CHARS = 100

/** An error of one server, with the place of the member that is to blame. */
export function serverError(document: ConfigDocument, path: ConfigPath, name: string, message: string, cause?: unknown): ConfigError {
  const at = document.positionOf(path)
  const { file } = document
  return new ConfigError(`${placed(file, at)}the server "${peerText(name, MAX_NAME_CHARS)}" ${message}`, {
    server: name,
    file,
    ...at,
    cause,
  })
}

/** An error of a whole configuration. */
export function documentError(document: ConfigDocument, path: ConfigPath, message: string): ConfigError {
  const at = document.positionOf(path)
  return new ConfigError(`${placed(document.file, at)}${message}`, { file: document.file, ...at })
}

/** `file:line:column: `, as far as it is known. */
export function placed(file: string | undefined, at?: { readonly line: number; readonly column: number } | undefined): string {
  if (file === undefined) return ''
  return at === undefined ? `${file}: ` : `${file}:${at.line}:${at.column}: `
}
