import type { Reporter } from './reporter.ts'

const KEPT_LINES = 12
const KEPT_CHARS = 500

/** What the server's process writes to stderr: shown with `--verbose`, else the newest lines are kept for an error. */
export class ServerLog {
  readonly #reporter: Reporter
  #lines: string[] = []

  constructor(reporter: Reporter) {
    this.#reporter = reporter
  }

  readonly add = (line: string): void => {
    this.#reporter.server(line)
    if (line.trim() !== '') this.#lines = [...this.#lines.slice(1 - KEPT_LINES), line.slice(0, KEPT_CHARS)]
  }

  get tail(): readonly string[] {
    return this.#lines
  }
}
