import type { Link } from '../era/era.ts'
import { UnsupportedError } from '../errors.ts'
import { isLoggingLevel, LOGGING_LEVELS } from '../protocol/log-line.ts'
import type { LoggingLevel } from '../protocol/types.ts'
import type { RequestOptions } from '../session/request-options.ts'
import type { Session } from '../session/session.ts'
import { deprecated } from './deprecated.ts'

/**
 * The least severe messages that the server may send: told once where the era has a request for it, else carried by every later request.
 * @see spec server/utilities/logging
 */
export async function setLogLevel(session: Session, level: LoggingLevel, options?: RequestOptions): Promise<void> {
  if (!isLoggingLevel(level)) throw new TypeError(`"${String(level)}" is no log level; there are ${LOGGING_LEVELS.join(', ')}`)
  deprecated('logging', session.logger)
  const { era, discovered } = await session.linked('logging/setLevel', options)
  if (discovered.capabilities.logging === undefined) {
    throw new UnsupportedError('the server did not declare the capability "logging"', { server: session.name, method: 'logging/setLevel' })
  }
  const request = era.logLevel(level)
  if (request !== undefined) await session.request(request.method, request.params, options)
  session.declare(level)
}

/** Tells a new link the level that the one before it knew. No call waits for it. */
export function restoreLogLevel(session: Session, link: Link): void {
  const { name, logger } = session
  const { logLevel } = session.declared
  const request = logLevel === undefined || link.discovered.capabilities.logging === undefined ? undefined : link.era.logLevel(logLevel)
  if (request === undefined) return
  const failed = (error: unknown): void =>
    logger.warn(`${name}: the log level could not be set again: ${error instanceof Error ? error.message : String(error)}`)
  session.request(request.method, request.params).catch(failed)
}
