import { ConnectionError, McpError, NotFoundError, RpcError, TimeoutError, ValidationError } from 'mcp-switchboard'
import type { Context } from './context.ts'
import { EXIT, exitCodeOf, outcomeOf, statusOf } from './exit-code.ts'
import { Interrupted } from './interrupted.ts'
import { UsageError } from './usage-error.ts'

/** An error as `--json` shows it, on one line of stderr. */
export interface ErrorReport {
  readonly code: string
  readonly message: string
  /** What the server is called; null when it had no part in this. */
  readonly server: string | null
  readonly tool?: string | undefined
  /** The HTTP status. */
  readonly status?: number | undefined
  /** The code of a JSON-RPC error. */
  readonly rpcCode?: number | undefined
  /** The same command may succeed later. */
  readonly retryable: boolean
  /** What became of the call: `not-run`, `answered` or `unknown`. */
  readonly outcome: string | null
  readonly hint: string | null
}

/** What is to be said about an error. */
export function reportOf(error: unknown, tool: string | undefined): ErrorReport {
  const message = error instanceof Error ? error.message : String(error)
  return {
    code: codeOf(error),
    message: message === '' ? 'something went wrong' : message,
    server: error instanceof McpError ? (error.server ?? null) : null,
    tool,
    status: statusOf(error),
    rpcCode: error instanceof RpcError ? error.rpcCode : undefined,
    retryable: error instanceof McpError && error.retryable,
    outcome: outcomeOf(error) ?? null,
    hint: hintOf(error) ?? null,
  }
}

/** Tells the person, or the program, what went wrong. */
export function report(error: unknown, { reporter, serverLog, tool }: Context): void {
  const told = reportOf(error, tool)
  if (reporter.json) {
    reporter.write(JSON.stringify({ error: told }))
    return
  }
  const { style } = reporter
  reporter.line('error', textMessage(error) ?? told.message, style.red('error:'))
  if (!reporter.verbose && concernsServer(error)) {
    for (const line of serverLog.tail) reporter.line('server', line, style.dim('  server said:'))
  }
  if (told.hint !== null) reporter.line('hint', told.hint, style.cyan('hint:'))
}

/** The message of a process that ended quotes its last words on one line; here they follow on lines of their own. */
function textMessage(error: unknown): string | undefined {
  if (!(error instanceof ConnectionError) || error.reason.kind !== 'exit') return undefined
  const { signal, exitCode } = error.reason
  const how =
    signal !== undefined ? `was ended by ${signal}` : exitCode !== undefined ? `exited with code ${exitCode}` : 'closed its stdout'
  return `the server process ${error.server ?? ''} ${how}`.replace('  ', ' ')
}

function concernsServer(error: unknown): boolean {
  return error instanceof McpError && exitCodeOf(error) !== EXIT.usage && exitCodeOf(error) !== EXIT.toolFailed
}

function codeOf(error: unknown): string {
  if (error instanceof McpError) return error.code
  if (error instanceof UsageError) return 'ERR_USAGE'
  return error instanceof Interrupted ? 'ERR_INTERRUPTED' : 'ERR_UNEXPECTED'
}

function hintOf(error: unknown): string | undefined {
  if (error instanceof UsageError) return error.hint
  if (error instanceof ValidationError && error.reason === 'arguments') return 'switchboard tools <target> shows the arguments'
  if (error instanceof NotFoundError && error.kind === 'server') return 'the file itself says which servers it has'
  if (error instanceof NotFoundError) return 'switchboard tools <target> lists what there is'
  if (error instanceof TimeoutError)
    return error.method === 'connect' ? 'raise --connect-timeout-ms' : 'raise --timeout-ms, or give --reset-timeout-on-progress'
  const code = exitCodeOf(error)
  if (code === EXIT.authorization) return "send a token with --header 'Authorization: Bearer …'"
  if (code === EXIT.unknown) return 'the call may have run: look before you send it again'
  if (error instanceof ConnectionError) return connectionHint(error)
  return undefined
}

function connectionHint({ reason }: ConnectionError): string | undefined {
  if (reason.kind === 'spawn') return 'is the program installed, and on PATH?'
  if (reason.kind === 'exit') return 'start the same command by hand to see what it says'
  return reason.errno === 'ECONNREFUSED' ? 'nothing listens there: is the server running, and is the port right?' : undefined
}
