import type { Logger } from 'mcp-switchboard'
import type { Style } from './style.ts'
import { printable } from './terminal-text.ts'

export interface ReporterSettings {
  readonly stream: NodeJS.WriteStream
  readonly style: Style
  /** Every line is a JSON object. */
  readonly json: boolean
  readonly verbose: boolean
}

/** What draws on the current line of the terminal. */
export interface LineOwner {
  /** Takes the line back, so that another can stand there. */
  clear(): void
  /** Leaves the terminal to somebody else until the returned function is called. */
  pause(): () => void
}

/** Everything that a command says besides its result; all of it goes to stderr. */
export class Reporter {
  readonly style: Style
  readonly json: boolean
  readonly verbose: boolean
  readonly #stream: NodeJS.WriteStream
  #owner: LineOwner | undefined

  constructor({ stream, style, json, verbose }: ReporterSettings) {
    this.#stream = stream
    this.style = style
    this.json = json
    this.verbose = verbose
  }

  /** Something that the person should know although the command goes on. */
  warn(message: string): void {
    this.line('warning', message, this.style.yellow('warning:'))
  }

  /** Only with `--verbose`. */
  debug(message: string): void {
    if (this.verbose) this.line('debug', message, this.style.dim('debug:'))
  }

  /** A line that the server's process wrote; only with `--verbose`. */
  server(line: string): void {
    if (this.verbose) this.line('server', line, this.style.dim('server:'))
  }

  /** Where the client reports. */
  get logger(): Logger {
    return {
      debug: (message) => this.debug(message),
      info: (message) => this.debug(message),
      warn: (message) => this.warn(message),
      error: (message) => this.warn(message),
    }
  }

  /** One line of its kind. */
  line(kind: string, message: string, prefix: string): void {
    this.write(this.json ? JSON.stringify({ [kind]: { message } }) : `${prefix} ${printable(message)}`)
  }

  /** A line as it is. */
  write(line: string): void {
    this.#owner?.clear()
    this.#stream.write(`${line}\n`)
  }

  /** Says what draws on the current line; undefined when nothing does any more. */
  shareLine(owner: LineOwner | undefined): void {
    this.#owner = owner
  }

  /** Has the terminal for a conversation with the person, until the returned function is called. */
  takeTerminal(): () => void {
    return this.#owner?.pause() ?? (() => {})
  }
}
