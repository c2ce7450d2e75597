import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { codeOf } from './read-text.ts'

/**
 * Writes a file at once: whoever reads it sees the old or the new whole.
 * @throws ConfigError that names the file.
 */
export async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(temporary, text, { mode, flag: 'wx' })
    await rename(temporary, file)
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw new ConfigError(`${file}: cannot be written (${codeOf(cause)})`, { file, cause })
  }
}
