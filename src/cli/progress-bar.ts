import type { Progress } from 'mcp-switchboard'
import type { Reporter } from './reporter.ts'
import { cut, oneLine } from './terminal-text.ts'

/** A call that is done sooner shows nothing. */
const DELAY_MS = 300
const FRAME_MS = 100
const BAR_CHARS = 24
const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'

/** One line on stderr that shows how far a call is, and is gone when it ends. Draws nothing where stderr is no terminal. */
export class ProgressBar {
  readonly #reporter: Reporter
  readonly #label: string
  readonly #stream: NodeJS.WriteStream
  readonly #startedAt = performance.now()
  #timer: ReturnType<typeof setInterval> | undefined
  #newest: Progress | undefined
  #drawn = false
  #paused = 0

  constructor(label: string, reporter: Reporter, stream: NodeJS.WriteStream) {
    this.#label = oneLine(label)
    this.#reporter = reporter
    this.#stream = stream
    if (!stream.isTTY) return
    this.#timer = setInterval(() => this.#draw(), FRAME_MS)
    reporter.shareLine({ clear: () => this.#clear(), pause: () => this.#pause() })
  }

  /** The newest progress of the call. */
  update(progress: Progress): void {
    this.#newest = progress
  }

  /** Takes the line back for good. */
  end(): void {
    clearInterval(this.#timer)
    this.#clear()
    this.#reporter.shareLine(undefined)
  }

  /** Somebody else has the terminal until the returned function is called. */
  #pause(): () => void {
    this.#clear()
    this.#paused++
    return () => {
      this.#paused--
    }
  }

  #clear(): void {
    if (this.#drawn) this.#stream.write('\r\u001b[2K')
    this.#drawn = false
  }

  #draw(): void {
    const elapsedMs = performance.now() - this.#startedAt
    if (this.#paused > 0 || elapsedMs < DELAY_MS) return
    const line = cut(progressLine(this.#label, this.#newest, elapsedMs), (this.#stream.columns ?? 80) - 1)
    this.#stream.write(`\r\u001b[2K${line}`)
    this.#drawn = true
  }
}

/** The line as it stands: a bar where the end is known, else a spinner. */
export function progressLine(label: string, newest: Progress | undefined, elapsedMs: number): string {
  const said = newest?.message === undefined ? '' : `  ${oneLine(newest.message)}`
  const seconds = `${Math.floor(elapsedMs / 1_000)} s`
  if (newest === undefined || newest.total === undefined || !(newest.total > 0)) {
    const frame = FRAMES.charAt(Math.floor(elapsedMs / FRAME_MS) % FRAMES.length)
    return `${frame} ${label}  ${newest === undefined ? '' : `${newest.progress}  `}${seconds}${said}`
  }
  const share = Math.min(1, Math.max(0, newest.progress / newest.total))
  const full = Math.round(share * BAR_CHARS)
  const percent = `${Math.floor(share * 100)} %`.padStart(5)
  return `${label}  ${'█'.repeat(full)}${'░'.repeat(BAR_CHARS - full)} ${percent}  ${seconds}${said}`
}
