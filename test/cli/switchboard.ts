import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The built command. */
export const CLI: string = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** What a command left behind. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly process: ChildProcess
  readonly ended: Promise<Ended>
  /** Resolves when stdout and stderr together have shown this text. */
  shows(text: string): Promise<void>
  /** What stands on stdout so far. */
  shown(): string
}

export interface Surroundings {
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** Starts `switchboard` with these words. */
export function start(words: readonly string[], { stdin, env, cwd }: Surroundings = {}): Running {
  const child = spawn(process.execPath, [CLI, ...words], { env: { ...process.env, ...env }, cwd })
  let stdout = ''
  let stderr = ''
  let look = (): void => {}
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    look()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    look()
  })
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  return {
    process: child,
    ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr }))),
    shown: () => stdout,
    shows: (text) =>
      new Promise((resolve) => {
        look = () => {
          if ((stdout + stderr).includes(text)) resolve()
        }
        look()
      }),
  }
}

/** Runs `switchboard` with these words to its end. */
export function switchboard(words: readonly string[], surroundings?: Surroundings): Promise<Ended> {
  return start(words, surroundings).ended
}

/** The one error that `--json` writes to stderr, without what a run may vary. */
export function errorOf({ stderr }: Ended): Record<string, unknown> {
  const lines = stderr.trimEnd().split('\n')
  const { error } = JSON.parse(lines.at(-1) ?? '')
  return error
}
