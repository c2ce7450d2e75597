import type { LoggingLevel, LogLine } from './types.ts'

/** From the least severe to the most. */
export const LOGGING_LEVELS: readonly LoggingLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

const LEVELS: ReadonlySet<unknown> = new Set(LOGGING_LEVELS)

export function isLoggingLevel(value: unknown): value is LoggingLevel {
  return LEVELS.has(value)
}

/** The log line that a notification brings; undefined for one of no level that exists. */
export function logLine({ level, logger, data }: { readonly [key: string]: unknown }): LogLine | undefined {
  if (!isLoggingLevel(level)) return undefined
  return { level, data, ...(typeof logger === 'string' && { logger }) }
}
