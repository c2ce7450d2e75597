import type { Logger } from './logger.ts'

/** Lines of one level in one window. What comes beyond them is counted. */
const MAX_LINES = 100
const WINDOW_MS = 10_000

/** The same logger for one client, which no server can flood: what it says is told a bounded number of times. */
export function boundedLogger(logger: Logger): Logger {
  const level = (name: keyof Logger): ((message: string) => void) => {
    let began = Number.NEGATIVE_INFINITY
    let lines = 0
    return (message) => {
      const now = performance.now()
      if (now - began >= WINDOW_MS) {
        const left = lines - MAX_LINES
        began = now
        lines = 0
        if (left > 0) logger[name](`${left} lines were left out`)
      }
      lines++
      if (lines <= MAX_LINES) logger[name](message)
      else if (lines === MAX_LINES + 1)
        logger[name](`more than ${MAX_LINES} lines within ${WINDOW_MS / 1_000} s; the further ones are left out`)
    }
  }
  return { debug: level('debug'), info: level('info'), warn: level('warn'), error: level('error') }
}
