/** Where this package reports; `console` fits. */
export interface Logger {
  debug(message: string): void
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

const nothing = (): void => {}

/** Says nothing. */
export const SILENT: Logger = Object.freeze({ debug: nothing, info: nothing, warn: nothing, error: nothing })

/** Warnings and errors to stderr. */
export const STDERR: Logger = Object.freeze({
  debug: nothing,
  info: nothing,
  warn: (message: string) => console.error(`mcp-switchboard: ${message}`),
  error: (message: string) => console.error(`mcp-switchboard: ${message}`),
})
