import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Sources } from './arguments.ts'
import { UsageError } from './usage-error.ts'

/** Files and stdin of this process, both as UTF-8. */
export const SOURCES: Sources = {
  async file(path) {
    try {
      return await readFile(path, 'utf8')
    } catch (cause) {
      throw new UsageError(`cannot read ${path}: ${cause instanceof Error ? cause.message : String(cause)}`)
    }
  },
  stdin() {
    if (process.stdin.isTTY) throw new UsageError('stdin is a terminal: pipe the value in')
    return text(process.stdin)
  },
}
