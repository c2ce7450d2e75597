import { ConfigError } from '../errors.ts'
import { peerText } from '../protocol/peer-text.ts'
import type { ConfigDocument, ConfigPath, Position } from './config-document.ts'

/** The longest name of a server that is quoted. */
const MAX_NAME_CHARS = 100

/** An error of one server, with the place of the member that is to blame. */
export function serverError(document: ConfigDocument, path: ConfigPath, name: string, message: string, cause?: unknown): ConfigError {
  const at = nearest(document, path)
  const { file } = document
  return new ConfigError(`${placed(file, at)}the server "${peerText(name, MAX_NAME_CHARS)}" ${message}`, {
    server: name,
    file,
    ...at,
    cause,
  })
}

/** Where a part stands, or else what it is part of: a message may name a member by a name that the file does not use. */
function nearest(document: ConfigDocument, path: ConfigPath): Position | undefined {
  for (let length = path.length; length > 0; length--) {
    const at = document.positionOf(path.slice(0, length))
    if (at !== undefined) return at
  }
  return undefined
}

/** An error of a whole configuration. */
export function documentError(document: ConfigDocument, path: ConfigPath, message: string): ConfigError {
  const at = document.positionOf(path)
  return new ConfigError(`${placed(document.file, at)}${message}`, { file: document.file, ...at })
}

/** `file:line:column: `, as far as it is known. */
export function placed(file: string | undefined, at?: Position | undefined): string {
  if (file === undefined) return ''
  return at === undefined ? `${file}: ` : `${file}:${at.line}:${at.column}: `
}
