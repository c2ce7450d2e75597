import type { Logger } from '../session/logger.ts'

/** What the newest revision deprecates, and what takes its place. */
const INSTEAD = {
  roots: 'name folders and files in arguments of tools, in URIs of resources or in the configuration of the server',
  sampling: 'servers call the model of their choice themselves',
  logging: 'servers log to stderr or to OpenTelemetry',
  'HTTP+SSE': 'servers speak Streamable HTTP',
} as const

const told = new Set<string>()

/** Says once in this process that a feature is deprecated, at debug level: it works as before, and whoever uses it may have no choice. @see spec deprecated */
export function deprecated(feature: keyof typeof INSTEAD, logger: Logger): void {
  if (told.has(feature)) return
  told.add(feature)
  logger.debug(`${feature} is deprecated by the protocol and will be removed from it; instead, ${INSTEAD[feature]}`)
}
