import type { Logger } from '../../src/session/logger.ts'

/** A logger that keeps what it is told. */
export function recordingLogger(): Logger & { readonly lines: string[]; of(level: string): string[] } {
  const lines: string[] = []
  const keep =
    (level: string) =>
    (message: string): void => {
      lines.push(`${level}: ${message}`)
    }
  return {
    lines,
    of: (level) => lines.filter((line) => line.startsWith(`${level}: `)).map((line) => line.slice(level.length + 2)),
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
  }
}
