import type { Era } from '../era/era.ts'
import type { RequestId } from '../jsonrpc/message.ts'
import type { Tool } from '../protocol/types.ts'
import type { Connection } from '../transport/transport.ts'
import type { Clock } from './deadline.ts'
import type { CallContext } from './interceptor.ts'
import type { RequestOptions } from './request-options.ts'
import type { Mend } from './resend.ts'

/** One call while it runs: its clock, and the leg that is on the wire now. */
export class InFlight implements Clock {
  readonly method: string
  readonly timeoutMs: number
  readonly maxTotalTimeoutMs: number
  readonly resetTimeoutOnProgress: boolean
  readonly onProgress: RequestOptions['onProgress']
  readonly onLog: RequestOptions['onLog']
  due: number = Number.POSITIVE_INFINITY
  totalDue: number
  holds = 0
  heldAt = 0
  id: RequestId = 0
  /** Undefined between legs. */
  connection: Connection | undefined = undefined
  era: Era | undefined = undefined
  lastProgressAt: number | undefined = undefined
  /** A leg of it may have run: what became of a later one is no proof for the call. */
  mayHaveRun = false
  /** What has been mended for this call already. */
  mended: readonly Mend[] = []
  /** How often it was sent again with nothing mended. */
  retries = 0
  readonly context: CallContext
  definition: Tool | undefined

  constructor(
    method: string,
    options: RequestOptions,
    context: CallContext,
    defaults: { readonly timeoutMs: number; readonly maxTotalTimeoutMs: number; readonly resetTimeoutOnProgress: boolean },
  ) {
    this.method = method
    this.timeoutMs = options.timeoutMs ?? defaults.timeoutMs
    this.maxTotalTimeoutMs = options.maxTotalTimeoutMs ?? defaults.maxTotalTimeoutMs
    this.resetTimeoutOnProgress = options.resetTimeoutOnProgress ?? defaults.resetTimeoutOnProgress
    this.onProgress = options.onProgress
    this.onLog = options.onLog
    this.context = context
    this.definition = context.definition
    this.totalDue =
      this.maxTotalTimeoutMs === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : performance.now() + this.maxTotalTimeoutMs
  }

  get wantsProgress(): boolean {
    return this.onProgress !== undefined || this.resetTimeoutOnProgress
  }

  /** Notifications of its legs are looked for. */
  get hears(): boolean {
    return this.wantsProgress || this.onLog !== undefined
  }

  /** A leg goes out: the clock of legs starts again. */
  start(id: RequestId, connection: Connection, era: Era | undefined): void {
    this.id = id
    this.connection = connection
    this.era = era
    this.due = performance.now() + this.timeoutMs
  }

  /** Progress came: with `resetTimeoutOnProgress` the leg has its whole time again. */
  progressed(now: number): void {
    this.lastProgressAt = now
    if (this.resetTimeoutOnProgress) this.due = now + this.timeoutMs
  }
}
