import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type CloseReason, ConnectionError, ResponseTooLargeError } from '../../errors.ts'
import type { JSONRPCMessage, RequestId } from '../../jsonrpc/message.ts'
import { peerText } from '../../protocol/peer-text.ts'
import { idAtEdge } from '../id-at-edge.ts'
import { pipeConnection } from '../pipe-connection.ts'
import type { Connection, Inbound, OpenOptions, Transport } from '../transport.ts'
import { environmentOf } from './environment.ts'
import { LineFraming } from './line-framing.ts'
import { trackUntilExit } from './live-processes.ts'
import { endProcess } from './shutdown.ts'
import { StderrTail } from './stderr-tail.ts'
import { tellingLines } from './telling-lines.ts'
import { watch } from './watchdog.ts'

export interface StdioOptions {
  /** The program, found on PATH; no shell reads it. */
  command: string
  args?: readonly string[] | undefined
  /** Variables over the inherited ones; `undefined` removes one. */
  env?: Readonly<Record<string, string | undefined>> | undefined
  /** Inherit every variable instead of the safe set. Default false. */
  inheritEnv?: boolean | undefined
  /** The folder the process starts in. Default: this process's. */
  cwd?: string | undefined
  /** Gets each line of stderr. Without it the newest bytes are kept for errors only. */
  stderr?: ((line: string) => void) | undefined
  /** How long each step of the shutdown waits: stdin closed, SIGTERM, SIGKILL. Default 2,000 ms. */
  shutdownGraceMs?: number | undefined
  /** A small process of its own ends the server even when this one is killed (SIGKILL). Not on Windows. Default false. */
  watchdog?: boolean | undefined
}

/** How long output that is still in the pipe is read after the process has ended; a grandchild may hold the pipe open for ever. */
const DRAIN_MS = 250
const CLOSED: CloseReason = { kind: 'closed', message: 'the connection was closed' }
/** Some runtimes begin their output with one. */
const BYTE_ORDER_MARK = '\ufeff'

/** Starts a server process per connection and speaks newline-delimited JSON with it. @see spec basic/transports/stdio */
export function stdioTransport(options: StdioOptions): Transport {
  const args = options.args ?? []
  return {
    kind: 'stdio',
    label: options.command,
    identity: JSON.stringify([options.command, args, options.cwd, options.env]),
    async open(inbound, openOptions) {
      openOptions.signal?.throwIfAborted()
      const child = await start(options, args)
      return attach(child, options, inbound, openOptions)
    },
  }
}

async function start(options: StdioOptions, args: readonly string[]): Promise<ChildProcess> {
  const env = environmentOf(options.env, options.inheritEnv ?? false)
  const settings = {
    env,
    stdio: 'pipe' as const,
    windowsHide: true,
    // A group of its own, so that closing ends what the server started as well.
    detached: process.platform !== 'win32',
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  }
  const windows = process.platform === 'win32'
  // Windows cannot start npx.cmd and the like without help.
  const run = windows ? (await import('cross-spawn')).default : spawn
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void =>
      reject(new ConnectionError(spawnFailure(options, env, cause), { outcome: 'not-run' }))
    // The interpreter of command files takes it for the end of the command; no quoting helps.
    if (windows && args.some((argument) => /[\r\n]/.test(argument))) return fail(new Error('an argument holds a line break'))
    try {
      const child: ChildProcess = run(options.command, [...args], settings)
      child.once('error', fail)
      child.once('spawn', () => {
        child.off('error', fail)
        child.on('error', () => {})
        resolve(child)
      })
    } catch (cause) {
      fail(cause instanceof Error ? cause : new Error(String(cause)))
    }
  })
}

function spawnFailure(options: StdioOptions, env: Record<string, string>, cause: NodeJS.ErrnoException): CloseReason {
  const what = `cannot start "${peerText(options.command, 200)}"`
  const details = { kind: 'spawn' as const, errno: cause.code, cause }
  if (cause.code === 'ENOENT' && options.cwd !== undefined && !existsSync(options.cwd)) {
    return { ...details, message: `${what}: the folder ${options.cwd} does not exist` }
  }
  if (cause.code === 'ENOENT') {
    const path = env.PATH ?? env.Path
    return { ...details, message: `${what}: no such command; searched PATH=${path ?? '(not set)'}` }
  }
  return { ...details, message: `${what}: ${cause.code ?? cause.message}` }
}

function attach(child: ChildProcess, options: StdioOptions, inbound: Inbound, openOptions: OpenOptions): Connection {
  const { limits, report } = openOptions
  const graceMs = options.shutdownGraceMs ?? 2_000
  const stderr = new StderrTail(limits.maxStderrBytes, guarded(options.stderr, report))
  let ending: Promise<void> | undefined
  let closing = false

  const close = (): Promise<void> => {
    flush()
    closing = true
    pipe.lose(CLOSED)
    ending ??= endProcess(child, graceMs).then(() => pipe.fail(CLOSED))
    return ending
  }
  // Calls that follow from one chunk of answers leave in one write.
  let outgoing = ''
  let asked: RequestId[] = []
  const flush = (): void => {
    if (outgoing === '') return
    const ids = asked
    child.stdin?.write(outgoing, (cause) => {
      if (cause) for (const id of ids) pipe.reject(id, new ConnectionError(deaf(cause), { outcome: 'unknown' }))
    })
    outgoing = ''
    asked = []
  }
  const write = (message: JSONRPCMessage): void => {
    const line = `${JSON.stringify(message)}\n`
    if (outgoing === '') queueMicrotask(flush)
    outgoing += line
    if ('method' in message && 'id' in message) asked.push(message.id)
  }
  const pipe = pipeConnection({ write, close }, inbound, openOptions)

  const framing = new LineFraming(
    {
      line(text) {
        let value: unknown
        try {
          value = JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
        } catch {
          if (text.trim() !== '') report?.(`skipped a line on stdout that is no JSON: ${peerText(text.trim(), limits.maxPeerTextChars)}`)
          return
        }
        pipe.receive(value)
      },
      tooLong(head, tail) {
        const id = idAtEdge(head, tail)
        const error = new ResponseTooLargeError('maxMessageBytes', limits.maxMessageBytes)
        if (id === undefined || !pipe.reject(id, error))
          report?.(`skipped a line on stdout that exceeds maxMessageBytes (${limits.maxMessageBytes})`)
      },
    },
    limits.maxMessageBytes,
  )

  trackUntilExit(child)
  if (options.watchdog) watch(child)
  child.stdout?.on('data', (chunk: Buffer) => framing.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk))
  child.stdout?.on('error', () => {})
  child.stderr?.on('error', () => {})
  child.stdin?.on('error', (cause) => pipe.lose(deaf(cause)))
  child.stdout?.once('close', () => {
    // A server that closed stdout can answer nothing any more, even if it lives on.
    if (child.exitCode === null && child.signalCode === null) setTimeout(() => ending ?? lastWord(), DRAIN_MS)
  })

  const lastWord = (): void => {
    framing.end()
    stderr.end()
    pipe.fail(closing ? CLOSED : exitReason(child, options.command, stderr.text()))
    ending ??= endProcess(child, graceMs)
  }
  child.once('exit', () => {
    const timer = setTimeout(lastWord, DRAIN_MS)
    child.once('close', () => {
      clearTimeout(timer)
      lastWord()
    })
  })
  return pipe.connection
}

function deaf(cause: NodeJS.ErrnoException): CloseReason {
  return { kind: 'stream', message: `the server no longer reads its stdin (${cause.code ?? cause.message})`, errno: cause.code, cause }
}

/** What a listener of the caller throws must not end the reading. */
function guarded(listener: StdioOptions['stderr'], report: OpenOptions['report']): StdioOptions['stderr'] {
  if (listener === undefined) return undefined
  return (line) => {
    try {
      listener(line)
    } catch (error) {
      report?.(`the option stderr threw: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

function exitReason(child: ChildProcess, command: string, stderr: string): CloseReason {
  const how =
    child.signalCode !== null
      ? `was ended by ${child.signalCode}`
      : child.exitCode !== null
        ? `exited with code ${child.exitCode}`
        : 'closed its stdout'
  const why = tellingLines(stderr)
  return {
    kind: 'exit',
    message: `the server process "${peerText(command, 200)}" ${how}${why === '' ? '' : `; its stderr says: ${peerText(why, 500)}`}`,
    exitCode: child.exitCode ?? undefined,
    signal: child.signalCode ?? undefined,
    stderr: stderr === '' ? undefined : stderr,
  }
}
