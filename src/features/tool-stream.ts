import { onAbort } from '../session/on-abort.ts'
import type { ToolCallOptions, ToolEvent } from './tool-options.ts'
import type { ToolResult } from './tool-result.ts'

/** Events that wait for their reader; beyond it the oldest are lost, never the result. */
export const MAX_EVENTS_WAITING = 10_000

/**
 * What happens while a call runs, as it happens; the call begins when somebody reads. Leaving the loop cancels it.
 * @param call Makes the call with the options of the caller, in which signal and its listeners are those of the stream.
 */
export async function* toolEvents<Data>(
  call: (options: ToolCallOptions<Data>) => Promise<ToolResult<Data>>,
  options: ToolCallOptions<Data>,
): AsyncGenerator<ToolEvent<Data>, void, void> {
  const events: ToolEvent<Data>[] = []
  let wake = (): void => {}
  const push = (event: ToolEvent<Data>): void => {
    events.push(event)
    if (events.length > MAX_EVENTS_WAITING) events.shift()
    wake()
  }
  const left = new AbortController()
  const unwatch = options.signal === undefined ? undefined : onAbort(options.signal, (reason) => left.abort(reason))
  if (options.signal?.aborted) left.abort(options.signal.reason)
  let failure: { error: unknown } | undefined
  const onProgress: NonNullable<ToolCallOptions['onProgress']> = (progress) => {
    push({ type: 'progress', ...progress })
    options.onProgress?.(progress)
  }
  const onLog: NonNullable<ToolCallOptions['onLog']> = (line) => {
    push({ type: 'log', ...line })
    options.onLog?.(line)
  }
  const onStatus: NonNullable<ToolCallOptions<Data>['onStatus']> = (task) => {
    push({ type: 'status', task })
    options.onStatus?.(task)
  }
  call({ ...options, signal: left.signal, onProgress, onLog, onStatus }).then(
    (result) => push({ type: 'result', result }),
    (error: unknown) => {
      failure = { error }
      wake()
    },
  )
  try {
    for (;;) {
      const event = events.shift()
      if (event !== undefined) {
        yield event
        if (event.type === 'result') return
      } else if (failure !== undefined) {
        throw failure.error
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  } finally {
    unwatch?.()
    left.abort(new DOMException('the stream of events was left', 'AbortError'))
  }
}
