import { readFile, stat } from 'node:fs/promises'
import { ConfigError } from '../../errors.ts'

/** The longest file that is read. Hosts keep much besides servers in some of theirs. */
export const MAX_CONFIG_BYTES = 16_777_216

/**
 * The text of a file, without a byte order mark.
 * @throws ConfigError when it is missing, unreadable, no file, or too long; `what` says what it should have been.
 */
export async function readText(path: string, what = 'configuration'): Promise<string> {
  const fail = (message: string, cause?: unknown): ConfigError => new ConfigError(`${path}: ${message}`, { file: path, cause })
  try {
    // Looked at before it is opened: reading a pipe would wait for a writer.
    const stats = await stat(path)
    if (!stats.isFile()) throw fail(`this is no file: name the ${what} file itself`)
    if (stats.size > MAX_CONFIG_BYTES) throw fail(`the ${what} has ${stats.size} bytes; the most that are read is ${MAX_CONFIG_BYTES}`)
    return decoded(await readFile(path))
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw fail(`the ${what} ${whyNot(codeOf(error))}`, error)
  }
}

/** Text of a file; some shells of Windows write UTF-16. */
export function decoded(bytes: Uint8Array): string {
  return new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes)
}

function whyNot(code: string): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist: check the path, or create the file'
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read: change its permissions, or run as its owner'
  return `cannot be read (${code})`
}

/** The code of an error of the operating system. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
}
